"""Ends the servers of a folder as soon as whoever started this process has closed the pipe or died."""

import os
import sys
from pathlib import Path


def main() -> None:
    sys.stdin.buffer.read()
    from claimstream.adapters.stack.launcher import Stack
    from claimstream.config.stack import StackSettings

    settings = StackSettings(data_dir=Path(sys.argv[1]), stop_grace_seconds=0)  # nobody reads this data again
    Stack(settings, os.environ).down()


if __name__ == "__main__":
    main()
