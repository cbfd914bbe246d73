"""`claimstream run SERVICE`: one service until it is told to stop."""

from enum import StrEnum
from typing import Annotated

import typer

app = typer.Typer(help="Run a service until SIGTERM or Ctrl-C.")


class Service(StrEnum):
    """The services that can be run."""

    VERIFIER = "verifier"


@app.command()
def run(service: Annotated[Service, typer.Argument(help="Which one.")]) -> None:
    """Everything is configured by CLAIMSTREAM_* variables (`claimstream config` prints them) and OTEL_*."""
    from claimstream.verifier.service import run_verifier

    if service is Service.VERIFIER:
        run_verifier()
