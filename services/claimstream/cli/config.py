"""`claimstream config`: what the settings resolve to."""

import typer

app = typer.Typer(help="Print the resolved settings, secrets masked.")


@app.command()
def config() -> None:
    """Every setting is a variable: `kafka.bootstrap` is CLAIMSTREAM_KAFKA__BOOTSTRAP."""
    from claimstream.config.load import load
    from claimstream.config.masked import pretty
    from claimstream.verifier.settings import VerifierSettings

    typer.echo(pretty(load(VerifierSettings)))
