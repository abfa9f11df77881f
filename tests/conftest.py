"""Everything is compiled once, before pytest starts its workers, which would compile the rules again for each agent."""


def pytest_configure(config) -> None:
    if hasattr(config, "workerinput"):
        return
    from tests.compiled import compile_all, compile_engine

    if getattr(config.option, "numprocesses", None):
        compile_all()
    else:
        compile_engine()
