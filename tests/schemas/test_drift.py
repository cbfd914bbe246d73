"""The committed contract files are what the types say now."""

from pathlib import Path

from typer.testing import CliRunner

from claimstream.cli.schemas import REPAIR, app, drifted, generated_files

SCHEMAS = Path(__file__).parents[2] / "schemas"


def test_the_committed_files_are_the_generated_ones() -> None:
    assert drifted(SCHEMAS) == [], f"run: {REPAIR}"


def test_export_writes_what_check_accepts_and_removes_left_overs(tmp_path: Path) -> None:
    left_over = tmp_path / "topics" / "gone.yaml"
    left_over.parent.mkdir()
    left_over.touch()
    kept = tmp_path / "examples" / "mine.json"
    kept.parent.mkdir()
    kept.touch()

    exported = CliRunner().invoke(app, ["export", "--to", str(tmp_path)])
    checked = CliRunner().invoke(app, ["check", "--to", str(tmp_path)])

    assert (exported.exit_code, checked.exit_code) == (0, 0)
    assert kept.exists()
    assert not left_over.exists()
    written = {path.relative_to(tmp_path) for path in tmp_path.rglob("*") if path.is_file()}
    assert written - {kept.relative_to(tmp_path)} == set(generated_files())


def test_check_names_every_drift_and_the_repair(tmp_path: Path) -> None:
    CliRunner().invoke(app, ["export", "--to", str(tmp_path)])
    (tmp_path / "asyncapi.yaml").write_text("edited: true\n")
    (tmp_path / "topics" / "bot.responses.yaml").unlink()
    (tmp_path / "messages" / "old.v1.schema.json").touch()

    checked = CliRunner().invoke(app, ["check", "--to", str(tmp_path)])

    assert checked.exit_code == 1
    lines = checked.stderr.splitlines()
    assert lines[0].endswith("messages/old.v1.schema.json is not generated from any type")
    assert any(line.endswith("asyncapi.yaml differs from the types") for line in lines)
    assert any(line.endswith("topics/bot.responses.yaml is missing") for line in lines)
    assert lines[-1] == f"repair it with: {REPAIR}"
