"""The commands as a person runs them: processes, exit statuses, what is on screen and what machines read."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

POLICY = (
    "Refunds are available within 30 days of purchase. "
    "Enterprise customers may request an extension of up to 60 days, subject to approval.\n"
)
TRUE, FALSE = "Refunds are available within 30 days of purchase.", "Refunds are not available at all."
FAILURE = "Yes, refunds are available for up to 60 days, so a 45-day-old purchase is eligible."


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("place")
    (folder / "policies").mkdir()
    (folder / "policies" / "refunds.md").write_text(POLICY)
    return folder


def run(place: Path, *arguments: str, stdin: str | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "claimstream", *arguments]
    return subprocess.run(command, cwd=place, input=stdin, capture_output=True, text=True, timeout=200, check=False)


@pytest.mark.parametrize(
    ("answer", "status", "shows"),
    [
        (TRUE, 0, "SUPPORTED"),
        ("Hello!", 0, "no_checked_claim"),
        (FALSE, 1, "CONTRADICTED"),
        (FAILURE, 3, "left out"),
    ],
)
def test_check(place: Path, answer: str, status: int, shows: str) -> None:
    done = run(place, "check", "--docs", "policies", answer)
    assert (done.returncode, done.stderr) == (status, "")
    assert shows in done.stdout


def test_check_reads_standard_input_and_writes_json(place: Path) -> None:
    done = run(place, "check", "--docs", "policies", "--json", "-", stdin=f"- {TRUE}\n")
    verdict = json.loads(done.stdout)
    assert (done.returncode, verdict["state"], verdict["labels"]) == (0, "checked", {"SUPPORTED": 1})
    (claim,) = verdict["claims"]
    assert [e["role"] for e in claim["evidence"]] == ["supports"]
    assert set(claim["versions"]) == {"model", "embedder", "generation", "thresholds", "policy", "code"}


def test_index_then_verify(place: Path) -> None:
    indexed = run(place, "index", "policies", "--tenant", "acme", "--corpus", "help")
    assert (indexed.returncode, indexed.stdout) == (0, "acme/help@g1 is in service: 1 documents, 1 passages\n")
    (place / "answers.jsonl").write_text("".join(json.dumps({"text": text}) + "\n" for text in (TRUE, FALSE)))
    asked = ("verify", "answers.jsonl", "--tenant", "acme", "--corpus", "help", "--out", "verdicts.jsonl")
    done = run(place, *asked)
    verdicts = [json.loads(line) for line in (place / "verdicts.jsonl").read_text().splitlines()]
    assert (done.returncode, done.stdout) == (1, "")
    assert [one["labels"] for one in verdicts] == [{"SUPPORTED": 1}, {"CONTRADICTED": 1}]
    assert "2 answers: 2 checked; claims: 1 CONTRADICTED, 1 SUPPORTED" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("check", "--docs", "nowhere", TRUE), "the documents folder nowhere does not exist"),
        (("check", "--docs", "empty", TRUE), "no document to read in empty"),
        (("verify", "bad.jsonl", "--corpus", "help"), "bad.jsonl, line 2: "),
        (("verify", "good.jsonl", "--corpus", "other"), "no generation of local/other is in service"),
        (
            ("verify", "good.jsonl", "--corpus", "other", "--out", "no/where.jsonl"),
            "no/where.jsonl cannot be written",
        ),
        (("index", "policies", "--tenant", "a b", "--corpus", "help"), "'a b' cannot be a tenant"),
    ],
)
def test_what_cannot_be_done_says_what_where_and_what_to_do(
    place: Path, arguments: tuple[str, ...], says: str
) -> None:
    (place / "empty").mkdir(exist_ok=True)
    (place / "bad.jsonl").write_text('{"text": "a"}\n{"text": 3}\n')
    (place / "good.jsonl").write_text('{"text": "a"}\n')
    done = run(place, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("claimstream: ")
    assert says in done.stderr


def test_the_small_ones(place: Path) -> None:
    topics, config, resume = run(place, "topics", "list"), run(place, "config"), run(place, "resume", "acme")
    assert "bot.responses.dlq" in topics.stdout
    assert json.loads(config.stdout)["kafka"]["bootstrap"] == "127.0.0.1:9092"
    assert (resume.returncode, resume.stderr) == (1, "acme was not paused\n")
