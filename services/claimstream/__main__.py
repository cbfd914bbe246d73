"""`python -m claimstream`."""

from claimstream.cli import main

if __name__ == "__main__":
    main()
