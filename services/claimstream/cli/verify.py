"""`claimstream verify`: a file of answers against an indexed corpus."""

from pathlib import Path
from typing import Annotated

import typer

from claimstream.cli.options import Corpus, DataDir, Tenant

app = typer.Typer(help="Verify a file of answers against an indexed corpus.")


@app.command()
def verify(
    file: Annotated[Path, typer.Argument(help="JSON lines: ResponseV1, of which only `text` is required here.")],
    corpus: Corpus,
    tenant: Tenant = "local",
    out: Annotated[
        Path | None, typer.Option(help="Where the verdicts go, JSON lines. Default: the screen.")
    ] = None,
    data_dir: DataDir = None,
) -> None:
    """Judge every answer; the verdicts are JSON lines as `check --json` prints them, the summary goes to stderr.

    A line's own tenant and corpus win over the options. Exit status as of `check`, the gravest of all lines.
    """
    from claimstream.adapters.system.clock import SystemClock
    from claimstream.cli.answers import read_answers
    from claimstream.cli.batch import judge_all, verdicts_file
    from claimstream.cli.retrieval import at, require
    from claimstream.config.load import load
    from claimstream.domain.evidence.passage import CorpusRef
    from claimstream.ports.off import NullMetrics
    from claimstream.runtime.engines import open_engines
    from claimstream.verifier.app import open_verifier
    from claimstream.verifier.settings import VerifierSettings

    settings = load(VerifierSettings)
    answers = read_answers(file, tenant=tenant, corpus=corpus)
    with verdicts_file(out) as target:
        engines = open_engines(at(settings.retrieval, data_dir))
        try:
            require(engines.catalogue, CorpusRef(tenant, corpus))
            verifier = open_verifier(settings, engines, SystemClock(), NullMetrics())
            status = judge_all(verifier, answers, settings.loop.batch_records, target)
        finally:
            engines.close()
    raise typer.Exit(status)
