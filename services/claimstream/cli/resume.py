"""`claimstream resume`: let a paused tenant's input flow again."""

from typing import Annotated

import typer

app = typer.Typer(help="Resume a tenant whose input was paused by the dead-letter limits.")
NOTHING_TO_RESUME = 1


@app.command()
def resume(tenant: Annotated[str, typer.Argument(help="The tenant.")]) -> None:
    """Run it where the verifier runs: the mark lies in its state folder. Exit status 1 where nothing was paused."""
    from claimstream.adapters.files.pauses import FilePauseStore
    from claimstream.config.load import load
    from claimstream.verifier.app import pauses_folder
    from claimstream.verifier.settings import VerifierSettings

    if FilePauseStore(pauses_folder(load(VerifierSettings).loop)).resume(tenant):
        typer.echo(f"{tenant} resumes; its records are read again from the committed offset")
        return
    typer.echo(f"{tenant} was not paused", err=True)
    raise typer.Exit(NOTHING_TO_RESUME)
