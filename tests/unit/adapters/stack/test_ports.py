"""Ports: a taken one is refused by name, 0 picks a free one."""

import socket
from collections.abc import Iterator

import pytest

from claimstream.adapters.stack import ports
from claimstream.errors import ConfigurationError


@pytest.fixture
def taken() -> Iterator[int]:
    with socket.create_server((ports.LOOPBACK, 0)) as listener:
        yield listener.getsockname()[1]


def test_a_taken_port(taken: int) -> None:
    assert not ports.is_free(taken)
    assert ports.accepts(taken)
    with pytest.raises(ConfigurationError, match=rf"Port {taken} on 127\.0\.0\.1 is in use.*set THE_SETTING"):
        ports.require_free(taken, "THE_SETTING")


def test_zero_picks_a_free_port_and_a_number_is_kept(taken: int) -> None:
    found = ports.choose(0)
    ports.require_free(found, "unused")
    assert not ports.accepts(found)
    assert ports.choose(taken) == taken
