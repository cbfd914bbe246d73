"""The demo as a person starts it: a process of its own, its standard output read line by line."""

import os
import re
import signal
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest

from claimstream.cli.demo.material import read_answers
from claimstream.contracts.messages import Label, ResponseState

IDS = [answer.response_id for answer in read_answers()]
COMMAND = [sys.executable, "-m", "claimstream", "demo", "--pause", "0"]


@dataclass(frozen=True)
class Place:
    """Where a demo runs: every folder that it might write to."""

    working: Path
    temporary: Path

    @property
    def environment(self) -> dict[str, str]:
        own = {"TMPDIR": str(self.temporary), "COLUMNS": "200"}
        return {name: value for name, value in os.environ.items() if not name.startswith("CLAIMSTREAM_")} | own

    def left_behind(self) -> list[Path]:
        return [*self.working.rglob("*"), *self.temporary.rglob("*")]


def place(folder: Path) -> Place:
    made = Place(folder / "working", folder / "temporary")
    made.working.mkdir()
    made.temporary.mkdir()
    return made


@dataclass(frozen=True)
class Shown:
    """One whole demo."""

    place: Place
    done: subprocess.CompletedProcess[str]

    @property
    def lines(self) -> list[str]:
        return [line.rstrip() for line in self.done.stdout.splitlines()]

    def summary(self, name: str) -> str:
        (found,) = [line.split(name, 1)[1].strip() for line in self.lines if line.startswith(f"  {name}  ")]
        return found


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Shown:
    here = place(tmp_path_factory.mktemp("demo"))
    done = subprocess.run(
        COMMAND, cwd=here.working, env=here.environment, capture_output=True, text=True, check=False, timeout=240
    )
    return Shown(here, done)


def counted(text: str) -> Counter[str]:
    """`3: 2 a, 1 b` as counts; the sum in front must be theirs."""
    counts = Counter({name: int(number) for number, name in re.findall(r"(\d+) (\w+)", text)})
    if ":" in text:
        assert int(text.partition(":")[0]) == counts.total()
    return counts


def test_it_succeeds_without_a_word_of_warning(shown: Shown) -> None:
    assert shown.done.returncode == 0, shown.done.stderr
    assert shown.done.stderr == ""


def test_piped_output_is_plain_text(shown: Shown) -> None:
    assert "\x1b" not in shown.done.stdout
    assert "\r" not in shown.done.stdout


def test_every_answer_has_one_verdict(shown: Shown) -> None:
    states = "|".join(ResponseState)
    heads = [match[1] for line in shown.lines if (match := re.match(rf"(\S+)  (?:{states})\b", line))]
    assert sorted(heads) == sorted(IDS)


def test_the_dead_letter_is_shown_with_its_reason(shown: Shown) -> None:
    (line,) = [line for line in shown.lines if line.startswith("dead letter  ")]
    assert re.fullmatch(r"dead letter  not_json  bot\.responses\[\d\]@\d+", line)
    assert shown.summary("dead letters") == "1 not_json"


def test_the_counts_of_the_summary_are_those_of_the_screen(shown: Shown) -> None:
    labels = "|".join(Label)
    on_screen = Counter(match[1] for line in shown.lines if (match := re.match(rf"  ({labels})\b", line)))
    assert counted(shown.summary("claims")) == on_screen
    assert counted(shown.summary("responses")).total() == len(IDS)


def test_faithfulness_is_supported_of_checked(shown: Shown) -> None:
    labels = counted(shown.summary("claims"))
    checked = labels.total() - labels[Label.NOT_CHECKED]
    expected = f"{labels[Label.SUPPORTED] / checked:.1%} ({labels[Label.SUPPORTED]} supported of {checked} checked"
    assert shown.summary("faithfulness").startswith(expected)


def test_nothing_is_left_behind(shown: Shown) -> None:
    assert shown.place.left_behind() == []


def test_an_interrupt_ends_it_at_once_and_cleanly(tmp_path: Path) -> None:
    here = place(tmp_path)
    with subprocess.Popen(
        COMMAND,
        cwd=here.working,
        env=here.environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        assert running.stdout is not None
        started = any("answers go to" in line for line in running.stdout)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=120)
    assert started, err
    assert running.returncode == 130, out + err
    assert err == ""
    assert here.left_behind() == []
