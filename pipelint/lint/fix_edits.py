"""Works out the text edits of fixes, for those that are shown or applied."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pipelint.lint.apply_rules import DocumentFindings, UnitFinding
from pipelint.lint.task import Fixes
from pipelint.model.edit import Edit
from pipelint.project.projects import Project
from pipelint.rewrite.program_rewriter import ProgramRewriter
from pipelint.rewrite.rewriter import Rewriter
from pipelint.rewrite.syntax import Unfit
from pipelint.source.address_space import Stretch
from pipelint.source.errors import internal_error


def with_line_breaks(found: DocumentFindings) -> DocumentFindings:
    """The findings with edits that each keep to the line length of the file, as they are when applied alone."""
    units = found.document.units
    rewriters = [Rewriter(unit.text, None) for unit in units]
    findings = []
    for item in found.findings:
        edits = rewriters[item.unit].fitted(item.edits) if item.edits else ()
        elsewhere = {
            module: Rewriter(module.lines.text if module else units[item.unit].text, None).fitted(changes)
            for module, changes in item.elsewhere.items()
        }
        unchanged = edits == item.edits and elsewhere == item.elsewhere
        findings.append(item if unchanged else replace(item, edits=edits, elsewhere=elsewhere))
    return replace(found, findings=tuple(findings))


def with_edits(project: Project, found: DocumentFindings, fixes: Fixes) -> DocumentFindings:
    """The findings with the edits of these fixes, and, for those of them that the source cannot take, with the reason.

    Those that are hidden stay as they are: nobody asks for their edits. What is worked out already is not done again.
    """
    units = found.document.units
    rewriters = [
        ProgramRewriter(unit.text, known.program if known else None, known.start if known else 0, project.space)
        for unit, known in zip(units, found.programs, strict=True)
    ]
    findings, problems = [], list(found.problems)
    for item in found.findings:
        finding = item.finding
        if finding.fix is None or item.edits or item.elsewhere or not fixes.allow(finding.fix.safety):
            findings.append(item)
            continue
        edits: Mapping[Stretch | None, tuple[Edit, ...]] = {}
        why = ""
        try:
            edits = rewriters[item.unit].edits(finding.fix.repair)
        except Unfit as unfit:
            why = str(unfit)
        except Exception as error:  # noqa: BLE001 - the finding is worth showing without its fix
            what = f"the fix of {finding.code} ({finding.name})"
            origin = project.registry[finding.code].foreign_origin
            problems.append(internal_error(what, error, found.document.path, origin))
        if None in edits and not units[item.unit].accepts(edits[None]):
            why, edits = "it would change a magic of the notebook, or reach from one cell into another", {}
        findings.append(_with(item, edits) if any(edits.values()) else item.without_fix(why))
    return replace(found, findings=tuple(findings), problems=tuple(problems))


def _with(item: UnitFinding, edits: Mapping[Stretch | None, tuple[Edit, ...]]) -> UnitFinding:
    return replace(item, edits=edits[None]) if set(edits) == {None} else replace(item, elsewhere=edits)
