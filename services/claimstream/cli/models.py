"""`claimstream models`: export Hugging Face models to model folders, and check a folder."""

from pathlib import Path
from typing import Annotated, Literal

import typer

app = typer.Typer(no_args_is_help=True, help="Export Hugging Face models to model folders, and check a folder.")

Source = Annotated[Path, typer.Argument(metavar="FOLDER", help="A model as Hugging Face saves it.")]
Out = Annotated[Path, typer.Argument(metavar="OUT", help="The model folder to write.")]
Name = Annotated[str, typer.Option(help="The model's name in verdicts; the folder's name where none is given.")]
Licence = Annotated[str, typer.Option(help="The weights' licence.")]
Origin = Annotated[str, typer.Option(help="Where the weights come from.")]
GoldenFile = Annotated[
    Path | None,
    typer.Option("--golden", help="JSON lines to check with; the packaged model's where none is given."),
]
Precision = Annotated[
    Literal["fp32", "fp16w"], typer.Option(help="fp16w keeps weights in 16 bits and computes in fp32.")
]


@app.command("export-nli")
def export_nli(
    source: Source,
    out: Out,
    *,
    name: Name = "",
    licence: Licence = "unknown",
    origin: Origin = "",
    golden: GoldenFile = None,
    precision: Precision = "fp16w",
) -> None:
    """Export a cross-encoder with the labels entailment, neutral and contradiction. Needs the extra `train`."""
    from claimstream.runtime.models import PACKAGED
    from claimstream.training.export import About, export_nli
    from claimstream.training.golden import GOLDEN, LabelledPair, read_lines

    pairs = read_lines(golden or PACKAGED / "nli-e5-small" / GOLDEN, LabelledPair)
    about = About(name=name or out.name, licence=licence, origin=origin)
    typer.echo(f"{out}: {export_nli(source, out, about, pairs, precision=precision)}")


@app.command("export-embedder")
def export_embedder(
    source: Source,
    out: Out,
    *,
    name: Name = "",
    licence: Licence = "unknown",
    origin: Origin = "",
    golden: GoldenFile = None,
    precision: Precision = "fp16w",
    floor: Annotated[
        list[str] | None, typer.Option(help="CHUNKER=NUMBER: a relevance floor as measured; may be repeated.")
    ] = None,
) -> None:
    """Export a sentence encoder with mean or CLS pooling. Needs the extra `train`."""
    from claimstream.runtime.models import PACKAGED
    from claimstream.training.export import About, export_embedder
    from claimstream.training.golden import GOLDEN, GoldenCosine, read_lines

    pairs = read_lines(golden or PACKAGED / "minilm-l6" / GOLDEN, GoldenCosine)
    about = About(name=name or out.name, licence=licence, origin=origin)
    texts = [(pair.one, pair.other) for pair in pairs]
    report = export_embedder(source, out, about, texts, precision=precision, floors=_floors(floor or []))
    typer.echo(f"{out}: {report}")


@app.command()
def check(
    folder: Annotated[Path, typer.Argument(help="A model folder, or the name of a packaged one.")],
    golden: GoldenFile = None,
) -> None:
    """Compare a model folder with its own golden set, and each text alone with the same among others."""
    from claimstream.config.load import load
    from claimstream.runtime.models import model_folder, session_options
    from claimstream.training.selfcheck import check_folder
    from claimstream.verifier.settings import VerifierSettings

    options = session_options(load(VerifierSettings).models)
    typer.echo(f"{folder}: {check_folder(model_folder(str(folder)), options, golden)}")


def _floors(given: list[str]) -> dict[str, float]:
    try:
        return {chunker: float(number) for chunker, _, number in (item.rpartition("=") for item in given)}
    except ValueError:
        raise typer.BadParameter(f"floors are written CHUNKER=NUMBER, not {given}") from None
