"""On CI a skip that nobody allowed fails the run and is named; elsewhere every skip is fine."""

import os

import pytest

pytest_plugins = ("pytester",)

SUITE = """
    import pytest

    @pytest.mark.gpu
    def test_on_a_gpu():
        pytest.skip("no GPU")

    @pytest.mark.kafka
    def test_on_kafka():
        pytest.skip("no Java")

    @pytest.mark.xfail(reason="known", strict=True)
    def test_known_gap():
        assert False
"""


def _run(pytester: pytest.Pytester, suite: str, *arguments: str) -> pytest.RunResult:
    pytester.makeini("[pytest]\nmarkers =\n  gpu: x\n  kafka: x\n")
    pytester.makepyfile(suite)
    return pytester.runpytest_subprocess("-p", "skip_policy", *arguments)


@pytest.fixture(autouse=True)
def _import_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", os.path.dirname(os.path.dirname(__file__)))
    monkeypatch.delenv("CI", raising=False)


def test_every_skip_is_fine_without_a_policy(pytester: pytest.Pytester) -> None:
    assert _run(pytester, SUITE).ret == pytest.ExitCode.OK


@pytest.mark.parametrize("by_environment", [True, False])
def test_a_refused_skip_fails_the_run_and_is_named(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, by_environment: bool
) -> None:
    if by_environment:
        monkeypatch.setenv("CI", "true")
    result = _run(pytester, SUITE, *([] if by_environment else ["--only-skips=qdrant,gpu"]))
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["*only gpu, qdrant may be*", "*::test_on_kafka: *no Java"])
    result.stdout.no_fnmatch_line("*::test_on_gpu: *")
    result.stdout.no_fnmatch_line("*::test_known_gap: *")


def test_allowed_skips_pass(pytester: pytest.Pytester) -> None:
    assert _run(pytester, SUITE, "--only-skips=kafka,gpu").ret == pytest.ExitCode.OK


def test_a_module_that_skips_itself_is_refused(pytester: pytest.Pytester) -> None:
    suite = 'import pytest\npytest.skip("no library", allow_module_level=True)\n'
    result = _run(pytester, SUITE.replace("pytest.skip", "print") + "\n", "--only-skips=gpu")
    assert result.ret == pytest.ExitCode.OK
    pytester.makepyfile(test_other=suite)
    result = pytester.runpytest_subprocess("-p", "skip_policy", "--only-skips=gpu")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["*test_other.py: *no library"])
