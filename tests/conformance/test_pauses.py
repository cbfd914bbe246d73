"""What may be relied on in the marks of paused tenants."""

from collections.abc import Callable
from pathlib import Path

import pytest

from claimstream.adapters.files.pauses import FilePauseStore
from claimstream.errors import ConfigurationError
from claimstream.ports.pauses import PauseStore
from claimstream.testing.pauses import MemoryPauseStore

Open = Callable[[], PauseStore]


@pytest.fixture(params=["memory", "files"])
def open_store(request: pytest.FixtureRequest, tmp_path: Path) -> Open:
    if request.param == "memory":
        store = MemoryPauseStore()
        return lambda: store
    return lambda: FilePauseStore(tmp_path / "deep" / "paused")


@pytest.mark.parametrize("tenant", ["acme", "a.b-c_d", ".", "..", "../etc", "a/b", "Ünï", "a%2Fb", "x" * 60])
def test_a_mark_is_seen_by_the_next_who_looks(open_store: Open, tenant: str) -> None:
    open_store().pause(tenant, "too much poison")
    assert open_store().paused() == {tenant: "too much poison"}
    assert open_store().resume(tenant)
    assert open_store().paused() == {}
    assert not open_store().resume(tenant)


def test_tenants_are_apart_and_a_new_reason_replaces_the_old(open_store: Open) -> None:
    store = open_store()
    store.pause("a", "one")
    store.pause("b", "two")
    store.pause("a", "three")
    assert store.paused() == {"a": "three", "b": "two"}
    store.resume("b")
    assert store.paused() == {"a": "three"}


def test_a_mark_by_hand_counts(tmp_path: Path) -> None:
    (tmp_path / "acme.paused").touch()
    assert FilePauseStore(tmp_path).paused().keys() == {"acme"}


def test_a_directory_that_cannot_be_used_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ConfigurationError, match="cannot be used"):
        FilePauseStore(tmp_path / "file")
