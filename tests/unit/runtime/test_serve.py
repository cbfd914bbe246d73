"""A running loop from outside: signals, the health file, and what an error leaves behind."""

import json
import os
import signal
import threading
from pathlib import Path

import pytest

from claimstream.errors import ConfigurationError
from claimstream.runtime.health_file import REFRESH_SECONDS, HealthFile
from claimstream.runtime.serve import serve, stop_on_signals
from claimstream.streaming.health import Health, HealthState
from claimstream.testing.clock import FakeClock
from loop import Loop, ScriptedHandler


def test_a_service_runs_until_it_is_told_to_stop_and_leaves_in_order(tmp_path: Path) -> None:
    stop = threading.Event()
    loop = Loop(handler=ScriptedHandler(before=stop.set))
    loop.channel.close()
    again = Loop(broker=loop.broker, handler=loop.handler)
    again.send("a", "b")
    serve(again.runner, stop, HealthFile(tmp_path / "health.json", again.clock))
    assert sorted(again.verdicts) == ["a", "b"]
    assert again.channel.assignment() == frozenset()
    assert json.loads((tmp_path / "health.json").read_text())["state"] == "healthy"


def test_an_error_is_raised_and_the_health_file_says_why(tmp_path: Path) -> None:
    loop = Loop(handler=ScriptedHandler({"a": ConfigurationError("the model has no floor")}))
    loop.send("a")
    with pytest.raises(ConfigurationError):
        serve(loop.runner, threading.Event(), HealthFile(tmp_path / "health.json", loop.clock))
    written = json.loads((tmp_path / "health.json").read_text())
    assert written["state"] == "unhealthy"
    assert written["reasons"] == ["stopped: the model has no floor"]
    assert loop.committed == {}


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_asks_to_stop_and_the_old_handler_comes_back(number: signal.Signals) -> None:
    before = signal.getsignal(number)
    with stop_on_signals() as stop:
        assert not stop.is_set()
        os.kill(os.getpid(), number)
        assert stop.wait(10)
        assert signal.getsignal(number) is signal.SIG_DFL, "a second one ends the process"
    assert signal.getsignal(number) is before


def test_the_health_file_is_written_on_change_and_refreshed(tmp_path: Path) -> None:
    clock, path = FakeClock(), tmp_path / "health.json"
    file = HealthFile(path, clock)
    file.write(Health(HealthState.HEALTHY))
    assert json.loads(path.read_text()) == {
        "state": "healthy",
        "reasons": [],
        "written_at": "2026-01-01T00:00:00+00:00",
    }
    path.unlink()
    file.write(Health(HealthState.HEALTHY))
    assert not path.exists()
    file.write(Health(HealthState.DEGRADED, ("broker: away",)))
    assert json.loads(path.read_text())["reasons"] == ["broker: away"]
    path.unlink()
    clock.sleep(REFRESH_SECONDS)
    file.write(Health(HealthState.DEGRADED, ("broker: away",)))
    assert path.exists()
    assert [one.name for one in tmp_path.iterdir()] == ["health.json"]


def test_without_a_path_nothing_is_written(tmp_path: Path) -> None:
    HealthFile(None, FakeClock()).write(Health(HealthState.HEALTHY))
    assert list(tmp_path.iterdir()) == []
