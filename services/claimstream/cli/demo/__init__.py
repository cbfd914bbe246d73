"""`claimstream demo`: the main job on the embedded engines, live in the terminal."""

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(help="Watch answers being verified, with nothing to set up.")


@app.command()
def demo(
    pause: Annotated[float, typer.Option(min=0, help="Seconds between two answers.")] = 0.2,
    keep: Annotated[Path | None, typer.Option(help="Leave the indexes in this folder, to go on with.")] = None,
) -> None:
    """Index the help centre of an invented company and verify the answers of its two bots as they come.

    Broker, indexes and models run in this process; the data lie in a temporary folder and are gone afterwards.
    """
    from claimstream.adapters.system.clock import SystemClock
    from claimstream.cli.demo.screen import Screen

    screen = Screen(SystemClock())
    with screen.working("loading the engines"):
        from claimstream.cli.demo.play import play
    play(screen, pause_seconds=pause, keep=keep)
