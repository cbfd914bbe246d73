"""`claimstream stack`: real Kafka and OpenSearch on this machine, without Docker."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from claimstream.adapters.stack.launcher import ServerStatus, Stack

NOT_ALL_RUNNING = 1

app = typer.Typer(
    help="Start and stop real Kafka and OpenSearch on this machine, without Docker (needs Java 17 and Maven).",
    no_args_is_help=True,
)

Names = Annotated[
    list[str] | None, typer.Argument(metavar="[kafka] [opensearch]", help="Which servers; all where none is named.")
]
DataDir = Annotated[
    Path | None,
    typer.Option(
        envvar="CLAIMSTREAM_STACK_DATA_DIR", help="Data, logs and pids. Default ~/.local/state/claimstream/stack."
    ),
]
CacheDir = Annotated[
    Path | None,
    typer.Option(
        envvar="CLAIMSTREAM_STACK_CACHE_DIR", help="The servers' jars. Default ~/.cache/claimstream/stack."
    ),
]
KafkaPort = Annotated[
    int | None, typer.Option(envvar="CLAIMSTREAM_STACK_KAFKA_PORT", help="0 picks a free one. Default 9092.")
]
OpenSearchPort = Annotated[
    int | None, typer.Option(envvar="CLAIMSTREAM_STACK_OPENSEARCH_PORT", help="0 picks a free one. Default 9200.")
]


@app.command()
def up(
    names: Names = None,
    data_dir: DataDir = None,
    cache_dir: CacheDir = None,
    kafka_port: KafkaPort = None,
    opensearch_port: OpenSearchPort = None,
) -> None:
    """Start the servers and wait until they answer; fetch them first, once."""
    stack = _stack(data_dir=data_dir, cache_dir=cache_dir, kafka_port=kafka_port, opensearch_port=opensearch_port)
    _print(stack.up(_names(names)))


@app.command()
def down(
    names: Names = None,
    data_dir: DataDir = None,
    wipe: Annotated[bool, typer.Option("--wipe", help="Delete data and logs too.")] = False,
) -> None:
    """Stop the servers; their data stays."""
    _print(_stack(data_dir=data_dir).down(_names(names), wipe=wipe))


@app.command()
def status(names: Names = None, data_dir: DataDir = None) -> None:
    """Say what runs. Exit status 1 where not everything does."""
    found = _stack(data_dir=data_dir).status(_names(names))
    _print(found)
    if any(server.state != "running" for server in found):
        raise typer.Exit(NOT_ALL_RUNNING)


@app.command()
def fetch(names: Names = None, cache_dir: CacheDir = None) -> None:
    """Fetch the servers without starting them."""
    for folder in _stack(cache_dir=cache_dir).fetch(_names(names)):
        typer.echo(folder)


def _stack(**given: Any) -> Stack:
    """The stack of the settings that were given; the rest have their defaults."""
    import os

    from claimstream.adapters.stack.launcher import Stack
    from claimstream.config.stack import StackSettings

    settings = StackSettings(**{name: value for name, value in given.items() if value is not None})
    return Stack(settings, os.environ)


def _names(names: list[str] | None) -> Sequence[str]:
    from claimstream.adapters.stack.launcher import SERVERS

    return names or SERVERS


def _print(servers: Sequence[ServerStatus]) -> None:
    for server in servers:
        pid = f"pid {server.pid}" if server.pid else "-"
        typer.echo(f"{server.name:<11} {server.state:<14} {server.address or '-':<24} {pid:<12} {server.log}")
