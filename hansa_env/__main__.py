"""`python -m hansa_env`."""

from hansa_env.commands.cli import main

if __name__ == "__main__":
    main()
