"""The command line: one module a command, imported when its command is asked for."""

import sys
import traceback
from importlib import import_module

import typer
import typer.main
from typer.core import TyperGroup

from claimstream.errors import ClaimstreamError

COULD_NOT_DO_ITS_JOB = 2
"""The exit status of every command that had to give up; what it found out has statuses of its own."""

COMMANDS = {
    "demo": "claimstream.cli.demo",
    "check": "claimstream.cli.check",
    "verify": "claimstream.cli.verify",
    "index": "claimstream.cli.index",
    "run": "claimstream.cli.run",
    "resume": "claimstream.cli.resume",
    "topics": "claimstream.cli.topics",
    "config": "claimstream.cli.config",
    "models": "claimstream.cli.models",
    "stack": "claimstream.cli.stack",
    "schemas": "claimstream.cli.schemas",
}
"""Command name to the module whose `app` it is. The modules import nothing heavy outside their functions."""


class LazyGroup(TyperGroup):
    """A group that imports the module of a command on first use."""

    def list_commands(self, ctx):  # type: ignore[no-untyped-def]  # its context type is private to typer
        """The names in the order of the table."""
        return [*COMMANDS, *super().list_commands(ctx)]

    def get_command(self, ctx, cmd_name):  # type: ignore[no-untyped-def]  # as above
        """The command, or None where there is none of this name."""
        if cmd_name not in COMMANDS:
            return super().get_command(ctx, cmd_name)
        command = typer.main.get_command(import_module(COMMANDS[cmd_name]).app)
        command.name = cmd_name
        return command


app = typer.Typer(
    cls=LazyGroup,
    help="Does the company's own evidence entail what its bots say?",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)


@app.callback()
def _root() -> None:
    """Keep this a group even with one command."""


def main() -> None:
    """Run the command line; an error of ours is a message, not a traceback."""
    try:
        app()
    except ClaimstreamError as error:
        print(f"claimstream: {error}", file=sys.stderr)
        sys.exit(COULD_NOT_DO_ITS_JOB)
    except Exception:  # a bug, or a screen that takes no more: never a status that means something else
        traceback.print_exc()
        sys.exit(COULD_NOT_DO_ITS_JOB)
