"""`python -m hansa_env`."""

from hansa_start import main

if __name__ == "__main__":
    main()
