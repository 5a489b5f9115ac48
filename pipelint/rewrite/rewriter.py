"""Repairs to text edits: which function interprets which repair, and the check that what comes out is Python."""

from __future__ import annotations

import ast
from bisect import bisect_right
from functools import cached_property
from itertools import chain, pairwise
from typing import TYPE_CHECKING

from pipelint.knowledge.deprecated import RENAMED
from pipelint.knowledge.versions import LAST_OF_TENSORFLOW_1
from pipelint.model.edit import Edit, Edits
from pipelint.model.locations import Region
from pipelint.model.program import Program
from pipelint.model.repair import (
    AddArguments,
    Append,
    AssignBack,
    CallMethod,
    CodeRepair,
    CopyAfter,
    Decorate,
    Distribute,
    InsertAfter,
    JoinStages,
    MoveAfter,
    RemoveArgument,
    RemoveStage,
    RemoveStatements,
    RenameArgument,
    RenameAttributes,
    Repair,
    ReplaceApply,
    ReplaceCall,
    ReplaceCallee,
    ReplaceReferences,
    ReplaceText,
    SetArgument,
    SetOption,
    SliceItems,
    StageRepair,
    Together,
)
from pipelint.model.values import EXPERIMENTAL_AUTOTUNE
from pipelint.rewrite.line_length import LineLength
from pipelint.rewrite.spelling import Spelling
from pipelint.rewrite.syntax import TOO_DEEP, Syntax, Unfit, first_line
from pipelint.source.edits import apply
from pipelint.source.positions import Positions

if TYPE_CHECKING:
    from pipelint.rewrite.stages import Stages


class Rewriter:
    """Works out the edits of repairs to one program."""

    def __init__(self, text: str, program: Program | None, start: int = 0) -> None:
        """A rewriter of the text that begins at this offset of the program."""
        self._syntax = Syntax(Positions(text), start)
        self._program = program
        self._start = start

    def edits(self, repair: Repair) -> Edits:
        """The text edits of a repair, sorted and free of overlaps; raises Unfit where the source cannot take it."""
        if isinstance(repair, ReplaceText):
            return tuple(sorted(repair.edits))
        try:
            edits = tuple(sorted(set(self._edits(repair))))
        except RecursionError as error:
            raise Unfit(TOO_DEEP) from error
        if not self._leave_python(edits):
            raise Unfit("the statement cannot be written that way where it stands")
        return edits

    def fitted(self, edits: Edits) -> Edits:
        """Edits of one repair or of several, with lines that they would make too long for the file broken."""
        return self._line_length.fitted(edits)

    @cached_property
    def _line_length(self) -> LineLength:
        return LineLength(self._syntax)

    def _edits(self, repair: CodeRepair) -> Edits:
        # libcst takes a fifth of a second to import, and most files need no edit.
        from pipelint.rewrite import calls, decorators, references

        syntax, spelling = self._syntax, self._spelling
        match repair:
            case SetArgument(stage=stage, name=name, value=value):
                return calls.set_argument(syntax, spelling, stage, name, value)
            case SliceItems(stage=stage):
                return calls.slice_items(syntax, stage)
            case AddArguments(call=call, arguments=new):
                return calls.add_arguments(syntax, spelling, call, new)
            case ReplaceCallee(call=call, symbol=symbol, keeps_methods=keeps_methods):
                return calls.replace_callee(syntax, spelling, call, symbol, keeps_methods=keeps_methods)
            case ReplaceCall(call=call, symbol=symbol, arguments=arguments, keeps_methods=keeps_methods):
                return calls.replace_call(syntax, spelling, call, symbol, arguments, keeps_methods=keeps_methods)
            case CallMethod(place=place, method=method, value=value):
                return calls.call_method(syntax, spelling, place, method, value)
            case RemoveStatements(calls=removed):
                return tuple(chain.from_iterable(calls.remove_statement(syntax, call) for call in removed))
            case RemoveArgument(call=call, name=name):
                return calls.remove_argument(syntax, call, name)
            case RenameArgument(calls=called, old=old, new=new):
                return tuple(chain.from_iterable(calls.rename_argument(syntax, call, old, new) for call in called))
            case ReplaceReferences(references=named, symbol=symbol):
                replaced = (references.replace(syntax, spelling, reference, symbol) for reference in named)
                # Two may ask for the same import.
                return tuple(dict.fromkeys(chain.from_iterable(replaced)))
            case RenameAttributes(references=named, name=name):
                renamed = (references.rename_attribute(syntax, reference, name) for reference in named)
                return tuple(chain.from_iterable(renamed))
            case Decorate(function=function, symbol=symbol):
                return decorators.decorate(syntax, spelling, function, symbol)
            case Together(repairs=repairs):
                return tuple(chain.from_iterable(self._edits(part) for part in repairs))
            case _:
                return self._of_stages(repair)

    def _of_stages(self, repair: StageRepair) -> Edits:
        """The edits of a repair that changes which stages there are, and in which order."""
        stages = self._stages
        match repair:
            case Append(dataset=dataset, op=op, value=value):
                return stages.append(dataset, op, value)
            case InsertAfter(stage=stage, calls=new):
                return stages.insert_after(stage, new)
            case Distribute(stage=stage, policy=policy, address=address):
                return stages.distribute(stage, policy, address)
            case SetOption(dataset=dataset, name=name, value=value):
                return stages.set_option(dataset, name, value)
            case MoveAfter(stage=stage, others=others, replacing=replacing, led_by=led_by):
                return stages.move_after(stage, others, dict(replacing), led_by)
            case CopyAfter(stage=stage, other=other):
                return stages.copy_after(stage, other)
            case RemoveStage(stage=stage):
                return stages.remove(stage)
            case JoinStages(before=before, stage=stage, method=method):
                return stages.join(before, stage, method)
            case AssignBack(stage=stage):
                return stages.assign_back(stage)
            case ReplaceApply(replaced=transformations):
                unapplied = (stages.unapply(transformation, methods) for transformation, methods in transformations)
                return tuple(chain.from_iterable(unapplied))

    @cached_property
    def _stages(self) -> Stages:
        from pipelint.rewrite.stages import Stages  # as above

        assert self._program is not None
        return Stages(self._syntax, self._spelling, self._program.datasets)

    @cached_property
    def _spelling(self) -> Spelling:
        assert self._program is not None
        place = Region(self._start, self._start)
        oldest = self._program.written_for_at(place)
        if any(module.legacy for module in self._program.modules):
            oldest = min(oldest, LAST_OF_TENSORFLOW_1)
        since = RENAMED[EXPERIMENTAL_AUTOTUNE.name].since
        if self._program.uses_old_autotune and not self._program.shows(since, place):
            oldest = min(oldest, (since[0], since[1] - 1))
        return Spelling(self._syntax, oldest, self._program.module_at(place).passed_on)

    def _leave_python(self, edits: Edits) -> bool:
        """Whether what the edits make of the statements that they touch is Python."""
        text, starts = self._syntax.text, self._starts
        touched: dict[int, list[Edit]] = {}
        for edit in edits:
            touched.setdefault(bisect_right(starts, edit.region.start) - 1, []).append(edit)
        for index, inside in touched.items():
            start, end = starts[index], starts[index + 1]
            moved = [edit.moved(-start) for edit in inside]
            try:
                ast.parse(apply(text[start:end], moved))
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                return False
        return True

    @cached_property
    def _starts(self) -> list[int]:
        """Where top-level statements begin, if they share no line with the one before, and where the text ends."""
        positions, body = self._syntax.positions, self._syntax.tree.body
        apart = (node for before, node in pairwise(body) if first_line(node) > (before.end_lineno or 0))
        return [0, *(positions.start(first_line(node)) for node in apart), len(self._syntax.text) + 1]
