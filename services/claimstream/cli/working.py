"""A sign of life on standard error while something takes its time."""

from contextlib import AbstractContextManager, nullcontext

from rich.console import Console


def working(what: str) -> AbstractContextManager[object]:
    """A spinner with these words on a terminal; nothing elsewhere."""
    console = Console(stderr=True, highlight=False)
    return console.status(f"{what} …") if console.is_terminal else nullcontext()
