"""A pytest plugin: which tests may be skipped. On CI a test that silently does not run is a failure."""

import os
from collections.abc import Generator

import pytest

CI_MAY_SKIP = "qdrant,gpu"
"""What CI has no machine for."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--only-skips",
        metavar="MARKERS",
        default=CI_MAY_SKIP if os.environ.get("CI") == "true" else None,
        help="Comma-separated markers; a skipped test that carries none of them fails the run. "
        f"Default: {CI_MAY_SKIP} where CI=true, else every skip is fine.",
    )


def pytest_configure(config: pytest.Config) -> None:
    allowed = config.getoption("--only-skips")
    if allowed is not None:
        config.pluginmanager.register(SkipPolicy(frozenset(allowed.split(","))), "skip-policy")


class SkipPolicy:
    """Remembers skips that nobody allowed and turns a green run red."""

    def __init__(self, allowed: frozenset[str]) -> None:
        self._allowed = allowed
        self._refused: dict[str, str] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        if report.skipped and not hasattr(report, "wasxfail"):
            self._note(report, {marker.name for marker in item.iter_markers()})
        return report

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.skipped:
            self._note(report, set())

    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        if self._refused and exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self._refused:
            terminalreporter.section(f"skipped, but only {', '.join(sorted(self._allowed))} may be", red=True)
            for node, reason in self._refused.items():
                terminalreporter.line(f"{node}: {reason}")

    def _note(self, report: pytest.TestReport | pytest.CollectReport, markers: set[str]) -> None:
        if not markers & self._allowed:
            reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
            self._refused[report.nodeid] = str(reason)
