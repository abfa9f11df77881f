"""The engine is compiled once, before pytest starts its workers."""


def pytest_configure(config) -> None:
    if not hasattr(config, "workerinput"):
        from hansa_env.warmup import warmup

        warmup()
