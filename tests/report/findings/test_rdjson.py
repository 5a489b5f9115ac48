"""`--output-format rdjson`: what reviewdog reads, and the suggestions that a reviewer can accept."""

from __future__ import annotations

import shutil
from importlib import import_module
from typing import Any

import pytest

from tests.linting import ROOT
from tests.report.findings.report_readers import accepted, replaced, reviewdog, run_of, text
from tests.workspace import IMPORT, Workspace, tf

pytestmark = pytest.mark.usefixtures("no_ci")


class TestReviewdog:
    def test_columns_are_bytes_of_utf_8(self, slow: Workspace) -> None:
        slow.write("train.py", tf("'世😀', tf.size(1)"))
        [diagnostic] = reviewdog(slow)
        assert diagnostic["location"] == {
            "path": "train.py",
            "range": {"start": {"line": 2, "column": 12}, "end": {"line": 2, "column": 19}},
        }
        assert diagnostic["severity"] == "WARNING"
        assert diagnostic["code"] == {"value": "TEST101 no-size"}

    def test_severities(self, slow: Workspace) -> None:
        slow.write("train.py", tf("tf.shape(1), tf.size(1), tf.rank(1)"))
        assert [diagnostic["severity"] for diagnostic in reviewdog(slow)] == ["ERROR", "WARNING", "INFO"]

    @pytest.mark.parametrize("newline", ["\n", "\r\n"])
    def test_a_suggestion_gives_what_fix_writes(self, related: Workspace, newline: str) -> None:
        source = newline.join(["'ü'", *tf("'世', tf.size(1)").splitlines(), ""])
        related.write("train.py", source)
        [suggestion] = reviewdog(related)[0]["suggestions"]
        related.check("--fix")
        assert accepted(source, suggestion) == related.read("train.py")

    @pytest.mark.parametrize("text", ["", "y = 2{newline}", "y = 2{newline}z = 3{newline}"])
    @pytest.mark.parametrize("newline", ["\n", "\r\n"])
    def test_the_last_line_of_a_file_can_be_replaced_or_taken_away(
        self, workspace: Workspace, text: str, newline: str
    ) -> None:
        source = newline.join([IMPORT, "x = tf.size(1)", ""])
        workspace.raw_rule(
            "whole",
            f"""
            from pipelint.rule import Edit, Fix, Region, ReplaceText, Rule, Safety, Severity

            class Whole(Rule):
                'Replaces a line.'
                code, name, severity, fix = "TEST900", "whole", Severity.ADVICE, "safe"

                def check(self, program):
                    edit = Edit(Region({source.index("x")}, {len(source)}), {text.format(newline=newline)!r})
                    for reference in program.references:
                        if reference.name == "tensorflow.size":
                            yield self.finding(reference.region, "line", fix=Fix("x", Safety.SAFE, ReplaceText((edit,))))
            """,
        )
        workspace.write("train.py", source)
        [suggestion] = reviewdog(workspace)[0]["suggestions"]
        workspace.check("--fix")
        assert accepted(source, suggestion) == workspace.read("train.py") != source

    def test_a_fix_over_too_many_lines_is_not_suggested(self, related: Workspace) -> None:
        related.write("train.py", tf(*["x = 1"] * 200, "tf.size(1)"))
        assert "suggestions" not in reviewdog(related)[0]

    def test_every_suggestion_for_pipelints_own_fixtures_applies(
        self, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        seen = 0
        shutil.copytree(ROOT / "fixtures" / "slow", workspace.root / "slow")
        monkeypatch.chdir(workspace.root)
        workspace.configure(select="PIPE")
        for diagnostic, result in zip(reviewdog(workspace), run_of(workspace)["results"], strict=True):
            source = workspace.read(diagnostic["location"]["path"])
            for suggestion, fix in zip(diagnostic.get("suggestions", []), result.get("fixes", []), strict=True):
                assert accepted(source, suggestion) == replaced(source, fix) != source
                seen += 1
        assert seen > 5

    def test_the_message_tells_related_places_and_that_a_fix_is_unsafe(
        self, slow: Workspace, related: Workspace
    ) -> None:
        related.write("a.py", tf("tf.rank(1)"))
        related.write("b.py", tf("tf.size(1)"))
        messages = [diagnostic["message"] for diagnostic in reviewdog(related)]
        assert messages[0] == "tf.rank is slow\nUnsafe fix: write tf.ndim"
        assert "here\nb.py:1:8: imported" in messages

    def test_failed_files_are_errors(self, failing: Workspace) -> None:
        found = reviewdog(failing, ".", "missing.py")
        assert [diagnostic["severity"] for diagnostic in found] == ["ERROR", "ERROR", "ERROR", "WARNING"]
        assert found[0]["location"] == {"path": "broken.py", "range": {"start": {"line": 3}}}
        assert found[1]["location"] == {"path": "missing.py"}

    def test_reviewdog_knows_every_field(self, hostile: Workspace, failing: Workspace, related: Workspace) -> None:
        """It reads the report by its protocol buffers, where a field that it does not know is an error."""
        json_format = pytest.importorskip("google.protobuf.json_format", reason="comes with TensorFlow")
        result = _diagnostic_result()()
        json_format.Parse(text(hostile, "rdjson", ".", "missing.py"), result)
        assert len(result.diagnostics) >= 7
        for diagnostic in result.diagnostics:
            assert diagnostic.message
            assert diagnostic.location.path
            assert diagnostic.severity in (1, 2, 3)


def _diagnostic_result() -> Any:
    """The message of reviewdog's proto/rdf/reviewdog.proto."""
    names = ("descriptor_pb2", "descriptor_pool", "message_factory")
    descriptor_pb2, descriptor_pool, message_factory = (import_module(f"google.protobuf.{name}") for name in names)
    fields = {
        "DiagnosticResult": ["diagnostics:Diagnostic*", "source:Source", "severity:Severity"],
        "Diagnostic": [
            "message:",
            "location:Location",
            "severity:Severity",
            "source:Source",
            "code:Code",
            "suggestions:Suggestion*",
            "original_output:",
        ],
        "Location": ["path:", "range:Range"],
        "Range": ["start:Position", "end:Position"],
        "Position": ["line:int32", "column:int32"],
        "Suggestion": ["range:Range", "text:"],
        "Source": ["name:", "url:"],
        "Code": ["value:", "url:"],
    }
    kinds = descriptor_pb2.FieldDescriptorProto
    file = descriptor_pb2.FileDescriptorProto(name="rdf.proto", package="rdf", syntax="proto3")
    severity = file.enum_type.add(name="Severity")
    for number, name in enumerate(["UNKNOWN_SEVERITY", "ERROR", "WARNING", "INFO"]):
        severity.value.add(name=name, number=number)
    for message, members in fields.items():
        declared = file.message_type.add(name=message)
        for number, member in enumerate(members, 1):
            name, _, kind = member.rstrip("*").partition(":")
            label = kinds.LABEL_REPEATED if member.endswith("*") else kinds.LABEL_OPTIONAL
            field = declared.field.add(name=name, number=number, label=label)
            if kind in fields or kind == "Severity":
                field.type = kinds.TYPE_ENUM if kind == "Severity" else kinds.TYPE_MESSAGE
                field.type_name = f".rdf.{kind}"
            else:
                field.type = kinds.TYPE_INT32 if kind else kinds.TYPE_STRING
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName("rdf.DiagnosticResult"))
