"""`claimstream check`: one answer against a folder of documents."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from claimstream.cli.statuses import status_of
from claimstream.errors import ConfigurationError

app = typer.Typer(help="Verify one answer against a folder of documents.")


@app.command(context_settings={"ignore_unknown_options": True})  # an answer may start with a bullet
def check(
    answer: Annotated[str, typer.Argument(help="The answer to check, or - to read it from standard input.")],
    docs: Annotated[Path, typer.Option(help="Folder of Markdown, HTML or text documents.")],
    as_json: Annotated[bool, typer.Option("--json", help="The response verdict with its claim verdicts.")] = False,
) -> None:
    """Print every claim with its label, scores, reasons and the passage that decided.

    Exit status: 0 all checked claims supported, or none checkable; 1 contradicted or disputed; 2 the command could
    not do its job; 3 not enough information, or too large to be judged whole.
    """
    from claimstream.cli.local import verify_against
    from claimstream.cli.show import print_judged, to_json

    text = _standard_input() if answer == "-" else answer
    judged = verify_against(docs, [text])[0]
    if as_json:
        typer.echo(to_json(judged))
    else:
        print_judged(judged)
    raise typer.Exit(status_of(judged.response))


def _standard_input() -> str:
    data = sys.stdin.buffer.read()
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ConfigurationError(
            f"standard input is not UTF-8 text ({error.reason} at byte {error.start}): convert it first"
        ) from None
