"""JUnit's XML, as GitLab and Jenkins read it: a suite for each file, a failed case for each error and warning."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from itertools import chain
from xml.etree import ElementTree

from pipelint.display.terminal import one_line, visible
from pipelint.lint.diagnostic import Diagnostic, Problem
from pipelint.lint.results import Results
from pipelint.model.grades import Severity
from pipelint.report.findings import FormatOptions
from pipelint.report.findings._exchange import failure
from pipelint.report.summary import fix_place

MACHINE_READABLE = True

# XML has no way to say these at all; `visible` has taken the others.
_NOT_XML = re.compile("[\ufffe\uffff]")


def render(results: Results, options: FormatOptions) -> str:
    """Findings are failures, advice that fails no run is a case left out, files that could not be checked are errors.

    A clean run is a case that passed.
    """
    suites: defaultdict[str, list[ElementTree.Element]] = defaultdict(list)
    names: Counter[tuple[str, str]] = Counter()
    for problem in results.problems:
        suites[problem.path].append(_error(problem, names))
    for diagnostic in results.diagnostics:
        fails = diagnostic.severity is not Severity.ADVICE or results.advice_fails
        suites[diagnostic.span.path].append(_finding(diagnostic, "failure" if fails else "skipped", names))
    if not suites:
        suites["pipelint"].append(ElementTree.Element("testcase", classname="pipelint", name="no findings"))
    root = ElementTree.Element("testsuites", {"name": "pipelint", **_counts(chain.from_iterable(suites.values()))})
    for path, cases in sorted(suites.items()):
        skipped = {"skipped": str(sum(case.find("skipped") is not None for case in cases))}
        suite = ElementTree.SubElement(root, "testsuite", {"name": _attribute(path), **_counts(cases), **skipped})
        suite.extend(cases)
    ElementTree.indent(root)
    # In ASCII, so that it survives any encoding of the output.
    text = ElementTree.tostring(root, encoding="us-ascii", xml_declaration=False).decode("ascii")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def _finding(diagnostic: Diagnostic, outcome: str, names: Counter[tuple[str, str]]) -> ElementTree.Element:
    case = _case(diagnostic.span.path, f"{diagnostic.code} {diagnostic.name}", names)
    message = one_line(diagnostic.message)
    element = ElementTree.SubElement(
        case, outcome, type=diagnostic.severity.value, message=_attribute(f"{diagnostic.span}: {message}")
    )
    lines = [f"{diagnostic.span}: {message}", *diagnostic.source]
    for note in diagnostic.related:
        lines += [f"{note.span}: {note.message}", *([note.source] if note.source else [])]
    if diagnostic.fix:
        lines.append(f"{diagnostic.fix.safety.value} fix: {diagnostic.fix.title}{fix_place(diagnostic)}")
    lines += [diagnostic.url] if diagnostic.url else []
    element.text = "\n".join(map(_attribute, lines))
    return case


def _error(problem: Problem, names: Counter[tuple[str, str]]) -> ElementTree.Element:
    case = _case(problem.path, "could not be checked", names)
    element = ElementTree.SubElement(case, "error", type="error", message=_attribute(failure(problem)))
    element.text = _attribute(str(problem))
    return case


def _case(path: str, name: str, names: Counter[tuple[str, str]]) -> ElementTree.Element:
    """A case with a name of its own, without line numbers: GitLab tells new failures from old ones by it."""
    names[path, name] += 1
    number = names[path, name]
    shown = name if number == 1 else f"{name} ({number})"
    return ElementTree.Element("testcase", classname=_attribute(path), name=_attribute(shown))


def _counts(cases: Iterable[ElementTree.Element]) -> dict[str, str]:
    cases = list(cases)
    counts = Counter(child.tag for case in cases for child in case)
    return {"tests": str(len(cases)), "failures": str(counts["failure"]), "errors": str(counts["error"])}


def _attribute(text: str) -> str:
    return _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", visible(text))
