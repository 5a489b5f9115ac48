"""A pipeline over all its epochs: where a cache makes a difference, the first one costs what the others are spared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pipelint.dynamic.passes import passes_of
from pipelint.dynamic.profile import INPUT_BOUND, PipelineProfile, Profile


@dataclass(frozen=True)
class EpochProfiles:
    """What was measured of one pipeline: of its first epoch apart where that is another one."""

    later: PipelineProfile
    first: PipelineProfile | None = None

    @classmethod
    def of(cls, profile: Profile) -> EpochProfiles | None:
        """The training pipeline of a profile; None where it could not be measured."""
        if not profile.pipelines:
            return None
        leading = profile.pipelines[0]
        key = leading.consumer.kind, leading.consumer.region
        same = [each for each in profile.pipelines if (each.consumer.kind, each.consumer.region) == key]
        by_epoch = {each.measurement.epoch: each for each in same if each.measurement.batches_per_second}
        if "later" in by_epoch:
            return cls(by_epoch["later"], by_epoch.get("first"))
        return cls(leading) if leading.measurement.batches_per_second else None

    @property
    def passes(self) -> int:
        """How often a training goes through the data."""
        return passes_of(self.later.consumer)

    @property
    def kinds(self) -> Iterator[tuple[str, PipelineProfile]]:
        """The kinds of epochs with their profiles."""
        if self.first is not None:
            yield "first", self.first
        yield "later", self.later

    @property
    def holds_back(self) -> bool:
        """Whether a training waits for its input, over all its epochs."""
        if self.later.step is None:
            return True
        steps = {kind: profile.step for kind, profile in self.kinds}
        counts = self._counts
        spent = sum(counts[kind] * step.period_seconds for kind, step in steps.items() if step is not None)
        worked = sum(counts[kind] * step.seconds for kind, step in steps.items() if step is not None)
        return spent > 0 and 1 - worked / spent >= INPUT_BOUND

    @property
    def headroom(self) -> float:
        """How many times as fast the pipeline could be on this machine, as it is written."""
        gains = {}
        for kind, profile in self.kinds:
            limit, now = profile.limit_batches_per_second, profile.measurement.batches_per_second
            gains[kind] = max(1.0, limit / now) if limit and now else 1.0
        return self.combined(gains)

    def combined(self, gains: Mapping[str, float]) -> float:
        """How many times as fast a training's epochs come to be, by the gains of each kind of them."""
        rates = {kind: profile.measurement.batches_per_second or 1.0 for kind, profile in self.kinds}
        spent = {kind: self._counts[kind] / rate for kind, rate in rates.items()}
        return sum(spent.values()) / sum(seconds / gains.get(kind, 1.0) for kind, seconds in spent.items())

    def with_cache(self, gain: float) -> float:
        """What a new cache gives, which makes all epochs but the first so many times as fast."""
        return self.passes / (1 + (self.passes - 1) / gain)

    @property
    def _counts(self) -> dict[str, int]:
        return {"first": 1, "later": self.passes - 1} if self.first is not None else {"later": self.passes}
