"""`claimstream schemas`: write the contract's generated files, or say which of them have drifted."""

import json
from pathlib import Path
from typing import Annotated

import typer

from claimstream.contracts.export import Document, asyncapi, message_schemas, topic_sheets

app = typer.Typer(no_args_is_help=True, help="The contract's files: JSON Schema, AsyncAPI, topic sheets.")

REPAIR = "claimstream schemas export"
HEADER = f"# Generated from the types by `{REPAIR}`; do not edit.\n"

Folder = Annotated[Path, typer.Option("--to", help="The folder that holds the contract.")]
CONTRACT = Path("schemas")


def generated_files() -> dict[Path, str]:
    """The text of every generated file by its path inside the folder; ends in one line break."""
    files = {Path("messages") / name: _as_json(schema) for name, schema in message_schemas().items()}
    files |= {Path("topics") / name: _as_yaml(sheet) for name, sheet in topic_sheets().items()}
    return files | {Path("asyncapi.yaml"): _as_yaml(asyncapi())}


def drifted(folder: Path) -> list[str]:
    """What is missing, different or left over in the folder, one line a file; empty: nothing to do."""
    wanted = generated_files()
    found = {path.relative_to(folder) for part in ("messages", "topics") for path in (folder / part).glob("*.*")}
    problems = [f"{path} is not generated from any type" for path in sorted(found - set(wanted))]
    for path, text in wanted.items():
        if not (folder / path).is_file():
            problems.append(f"{path} is missing")
        elif (folder / path).read_text(encoding="utf-8") != text:
            problems.append(f"{path} differs from the types")
    return problems


@app.command()
def export(to: Folder = CONTRACT) -> None:
    """Write the generated files and remove those that no type stands behind."""
    wanted = generated_files()
    for path, text in wanted.items():
        (to / path).parent.mkdir(parents=True, exist_ok=True)
        (to / path).write_text(text, encoding="utf-8")
    for part in ("messages", "topics"):
        for left_over in (path for path in (to / part).glob("*.*") if path.relative_to(to) not in wanted):
            left_over.unlink()
    typer.echo(f"{len(wanted)} files written to {to}")


@app.command()
def check(to: Folder = CONTRACT) -> None:
    """Exit 1 with the names of the files that differ from the types."""
    problems = drifted(to)
    for problem in problems:
        typer.echo(f"{to}: {problem}", err=True)
    if problems:
        typer.echo(f"repair it with: {REPAIR}", err=True)
        raise typer.Exit(1)
    typer.echo(f"{to} is up to date")


def _as_json(document: Document) -> str:
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _as_yaml(document: Document) -> str:
    import yaml

    # Without aliases, since YAML readers of other languages differ on them.
    class Plain(yaml.SafeDumper):
        def ignore_aliases(self, data: object) -> bool:  # noqa: ARG002  PyYAML's signature
            return True

    return HEADER + yaml.dump(document, Dumper=Plain, sort_keys=False, allow_unicode=True, width=116)
