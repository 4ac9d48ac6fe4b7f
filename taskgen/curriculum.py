"""The curriculum: tasks and controller behind `draw` and `report`. Any trainer uses it; environments only borrow it."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from math import inf
from operator import index
from typing import Any, NoReturn

from taskgen.controller import Controller
from taskgen.course import Estimate, MixedBin
from taskgen.families import select
from taskgen.family import Family
from taskgen.guard import Guard
from taskgen.knobs import knobs
from taskgen.ledger import Entry, Ledger
from taskgen.notation import NOTATIONS, Notation
from taskgen.probes import ProbeSet
from taskgen.record import Record
from taskgen.task import SPLITS, Split, Task, check_seed
from taskgen.ticket import Outcome, Ticket, read_outcomes, read_ticket
from taskgen_verifiers import STYLES
from taskgen_verifiers.check import one_of

_log = logging.getLogger("taskgen")

_STATE_VERSION = 1
_MOST_SKIPPED = 100
"""Tickets in a row for which no task could be made, before `draw` gives up."""


class Curriculum:
    """Draws tasks where the policy passes about `target` of the time, and learns where that is from what is reported.

    `families` are names, globs, areas or Family objects; `shares` their target shares of the draws (relative, 1 unless
    given). Tasks are placed uniformly over the difficulties whose predicted pass rate is within `spread` of the target.
    `adapt_mix=False` keeps the mix at the shares and steers difficulty only; `max_difficulty` lowers every ceiling. A
    share `probe` of the draws are eval tasks at fixed difficulties: to be answered, never to be trained on. A task is a
    function of `seed`, its ticket's number, family and difficulty. Thread-safe; not process-safe.

    >>> curriculum = Curriculum("addition_chain", seed=3)
    >>> ticket = curriculum.draw()[0]
    >>> curriculum.report(ticket, [1, 0, 0, 1, 1, 0, 1, 0])
    >>> curriculum.metrics()["taskgen/frac_mixed"]
    1.0
    """

    def __init__(
        self,
        families: str | Family | Iterable[str | Family] = "all",
        *,
        target: float = 0.5,
        spread: float = 0.3,
        group_size: int = 8,
        seed: int = 0,
        split: Split = "train",
        style: str = "boxed",
        notation: Notation = "latex",
        shares: Mapping[str, float] | None = None,
        adapt_mix: bool = True,
        max_difficulty: float = inf,
        probe: float = 0.0,
    ) -> None:
        check_seed(seed)
        one_of("split", split, SPLITS)
        one_of("style", style, STYLES)
        one_of("notation", notation, NOTATIONS)
        group_size = index(group_size)
        if group_size < 1:
            raise ValueError(f"a group has at least one rollout, not {group_size!r}")
        if not 0 <= probe <= 0.5:
            raise ValueError(f"probe is a share of the draws from 0 to 0.5, not {probe!r}")
        self.target, self.probe, self.group_size = target, probe, group_size
        self._families = select(families)
        self._seed, self._split = seed, split
        self._wording: dict[str, Any] = {"style": style, "notation": notation}
        controls = knobs(self._families, split, shares or {}, max_difficulty)
        # A single rollout teaches by its variance p(1 - p), which is what disagreement is for a group of two.
        size = max(group_size, 2)
        self._controller = Controller(controls, target=target, spread=spread, group_size=size, adapt_mix=adapt_mix)
        settings = [seed, split, style, notation, group_size, probe, [[f.name, f.version] for f in self._families]]
        self.run = sha256(json.dumps(settings).encode()).hexdigest()[:8]
        self._ledger = Ledger()
        self._record = Record(len(self._families))
        self._probes = ProbeSet(self._families if probe else [], max_difficulty)
        self._counts = dict.fromkeys(("drawn", "lost", "cancelled", "ignored", "skipped"), 0)
        self._policy_step, self._step_start = -1, 0
        self._warned: set[str] = set()
        self._guard = Guard("a Curriculum")

    def draw(self, n: int = 1, *, policy_step: int | None = None) -> list[Ticket]:
        """The next `n` tickets, as by `n` single draws. With `policy_step` the policy drifts by its updates."""
        if n < 0:
            raise ValueError(f"cannot draw {n} tickets")
        step = None if policy_step is None else index(policy_step)
        with self._guard:
            return [self._draw(step) for _ in range(n)]

    def report(
        self,
        ticket: Ticket | str | int,
        outcomes: Iterable[Any],
        *,
        keys: Sequence[str | int] | None = None,
        policy_step: int | None = None,
    ) -> None:
        """What became of a ticket's rollouts: 1, 0, a Verdict, TRUNCATED or None each, in any order, at any time.

        A whole group needs no keys; fewer outcomes need `keys` (trajectory ids), and a repeated key changes nothing.
        Reports on closed, lost or foreign tickets are counted as ignored. ValueError for any other outcome.
        """
        read = read_outcomes(outcomes)
        with self._guard:
            if (found := self._find(ticket)) is None:
                return
            number, entry = found
            passed, failed = entry.passed, entry.failed
            news = entry.accept(read, keys, self.group_size)
            evidence = [outcome is Outcome.PASSED for outcome in news if outcome is not Outcome.UNSCORABLE]
            if evidence and not entry.probe:
                self._controller.observe(
                    entry.family,
                    entry.difficulty,
                    entry.guess,
                    evidence,
                    passed=passed,
                    failed=failed,
                    clock=self._clock(),
                )
            if entry.returned == self.group_size:
                self._close(number, entry, policy_step)

    def cancel(self, ticket: Ticket | str | int) -> None:
        """Closes a ticket whose group the trainer dropped: what was reported stays, nothing more is expected."""
        with self._guard:
            if (found := self._find(ticket)) is not None:
                self._ledger.remove(found[0])
                self._give_up(found[1], "cancelled")

    def metrics(self, per_family: bool = False) -> dict[str, float]:
        """The run in figures, flat, under `taskgen/`; shares are over the last few hundred closed groups.

        `ability` (mean log1p of the difficulty at a pass rate of one half, with its 90 % interval) shows progress;
        `frac_mixed` beside `frac_mixed_promised` shows whether groups are as mixed as their mean promises. With
        `per_family`, also `taskgen/<name>/<figure>`.
        """
        with self._guard:
            ability, low, high = self._controller.ability()
            figures: dict[str, float] = {
                "ability": ability,
                "ability_low": low,
                "ability_high": high,
                "target": self.target,
                **self._record.figures(),
                "probe_pass_rate": self._probes.pass_rate,
                "families_active": self._controller.active,
                "nothing_learnable": self._controller.nothing_learnable,
                "open": len(self._ledger),
                **self._counts,
            }
            if per_family:
                figures |= self._record.family_figures(self._controller.estimates())
            return {f"taskgen/{name}": float(value) for name, value in figures.items()}

    def estimates(self) -> list[Estimate]:
        """What is known of each family: the difficulty at a pass rate of one half, its interval, status and flags."""
        with self._guard:
            return [
                estimate._replace(flags=(*estimate.flags, "format")) if self._record.is_faulty(number) else estimate
                for number, estimate in enumerate(self._controller.estimates())
            ]

    def mixed_by_difficulty(self) -> dict[str, list[MixedBin]]:
        """Closed groups by family and difficulty: how many were mixed, beside how many their pass rates promised."""
        with self._guard:
            return self._controller.mixed_by_difficulty()

    def state_dict(self) -> dict[str, Any]:
        """Everything the run needs to go on bit for bit, as JSON data."""
        with self._guard:
            return {
                "version": _STATE_VERSION,
                "run": self.run,
                "counts": dict(self._counts),
                "policy_step": [self._policy_step, self._step_start],
                "ledger": self._ledger.state_dict(),
                "record": self._record.state_dict(),
                "probes": self._probes.state_dict(),
                "controller": self._controller.state_dict(),
            }

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Goes on from a `state_dict`.

        ValueError, and nothing changes, where it is of another version, or of a run with other families, seed, split,
        wording, group size or probe. Target, spread, shares and limits may be others than before.
        """
        with self._guard:
            if state.get("version") != _STATE_VERSION:
                raise ValueError(f"unknown curriculum state version {state.get('version')!r}; this is {_STATE_VERSION}")
            if state["run"] != self.run:
                raise ValueError(f"the state is of run {state['run']}, with other arguments than this run {self.run}")
            ledger, record = Ledger(), Record(len(self._families))
            ledger.load_state_dict(state["ledger"])
            record.load_state_dict(state["record"])
            self._controller.load_state_dict(state["controller"])
            self._ledger, self._record = ledger, record
            self._probes.load_state_dict(state["probes"])
            self._counts = dict(state["counts"])
            self._policy_step, self._step_start = state["policy_step"]

    def __reduce__(self) -> NoReturn:
        self._guard.refuse_to_travel()

    def _draw(self, policy_step: int | None) -> Ticket:
        for _ in range(_MOST_SKIPPED):
            number = self._counts["drawn"]
            self._counts["drawn"] += 1
            if policy_step is not None and policy_step > self._policy_step:
                self._policy_step, self._step_start = policy_step, number
            if (made := self._make(number, policy_step)) is not None:
                return self._issue(number, *made)
        raise ValueError(f"no task could be made for {_MOST_SKIPPED} tickets in a row; the log names the families")

    def _make(self, number: int, policy_step: int | None) -> tuple[Task, Entry] | None:
        """The task of a number; None where its family fails, which a long run must survive. The number is spent."""
        *uniforms, probing, seed = _randomness(self._seed, number)
        placement = None
        try:
            if probing < self.probe:
                task = self._probes.ask(self._wording)
                return task, Entry(task.id, task.difficulty, task.guess, policy_step, probe=True)
            placement = self._controller.place((uniforms[0], uniforms[1], uniforms[2]), self._clock())
            family, difficulty = placement.family, placement.difficulty
            task = self._families[family].task(difficulty, int(seed * 2**53), self._split, **self._wording)
        except Exception as error:
            if placement is not None:
                self._controller.release(placement.family)
            self._counts["skipped"] += 1
            what = "probe" if placement is None else self._families[placement.family].name
            self._warn(what, f"a ticket was skipped ({what}): {error!r}")
            return None
        return task, Entry(task.id, difficulty, placement.guess, policy_step, family, placement.pass_rate)

    def _issue(self, number: int, task: Task, entry: Entry) -> Ticket:
        for lost in self._ledger.add(number, entry):
            self._give_up(lost, "lost")
        if self._controller.nothing_learnable:
            self._warn("", "no family is learnable now; the least bad is drawn at the end of its range")
        return Ticket(number, self.run, self.group_size, task, entry.probe)

    def _find(self, ticket: Ticket | str | int) -> tuple[int, Entry] | None:
        """The open ticket that is meant; where there is none, the report on it is counted as ignored."""
        number, run, task_id = read_ticket(ticket)
        entry = self._ledger.find(number, task_id) if run in (None, self.run) else None
        if entry is not None:
            return number, entry
        self._counts["ignored"] += 1
        if run not in (None, self.run):
            self._warn("run", f"reports on tickets of run {run} are ignored; this is run {self.run}")
        return None

    def _close(self, number: int, entry: Entry, policy_step: int | None) -> None:
        self._ledger.remove(number)
        if entry.probe:
            self._probes.add(entry)
            return
        if entry.passed + entry.failed:
            self._controller.close(
                entry.family, entry.difficulty, entry.guess, passed=entry.passed, failed=entry.failed
            )
        else:
            self._controller.release(entry.family)
        self._record.add(entry, self._counts["drawn"] - 1 - number, policy_step)
        self._controller.hold(entry.family, not self._record.may_retire(entry.family))

    def _give_up(self, entry: Entry, fate: str) -> None:
        self._counts[fate] += 1
        if not entry.probe:
            self._controller.release(entry.family)

    def _clock(self) -> float:
        """The policy's time in draws: those issued, or those issued before the present policy step."""
        return float(self._counts["drawn"] if self._policy_step < 0 else self._step_start)

    def _warn(self, about: str, sentence: str) -> None:
        """Logs a sentence, once for each thing that it is about."""
        if about not in self._warned:
            self._warned.add(about)
            _log.warning(sentence)


def _randomness(seed: int, number: int) -> list[float]:
    """Five numbers, uniform on [0, 1), for the ticket of that number."""
    digest = sha256(f"{seed}/{number}".encode()).digest() + sha256(f"{number}/{seed}".encode()).digest()
    return [(int.from_bytes(digest[8 * i : 8 * i + 8], "big") >> 11) / 2**53 for i in range(5)]
