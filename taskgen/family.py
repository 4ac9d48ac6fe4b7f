"""Families: what an author writes (`Problem`, `@family`), and the one place that turns proposals into tasks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from inspect import getdoc
from typing import NamedTuple

from taskgen.notation import NOTATIONS, Notation, render
from taskgen.sampling import Draw
from taskgen.task import SPLITS, Split, Task, address, check_seed, quantised, split_of
from taskgen_verifiers import Check, instruction
from taskgen_verifiers.check import one_of

FEW = 8
"""Proposals of the right split among which the one nearest the budget is kept."""

MOST_PROPOSALS = 400
EVAL_CAPACITY = 200
"""Problems that a difficulty must offer before a tenth of them is set apart for evaluation."""


class Problem(NamedTuple):
    """What a family's author returns: one proposal.

    `question` has its mathematics marked by `notation` and carries no answering instruction. `answer` is one right
    answer in the form that is asked, `check` how any answer is verified. `work` counts the elementary steps of the
    method that the family's docstring names. `identity` is the canonical content: free of wording, notation, names,
    order, difficulty and version. `solution` words the steps, one for each unit of work, where they were recorded.
    """

    question: str
    answer: str
    check: Check
    work: int
    identity: str
    solution: tuple[str, ...] = ()


Propose = Callable[[Draw, int], Problem]


@dataclass(frozen=True)
class Family:
    """A kind of problem: a function from random source and difficulty to a proposal, and what it promises.

    `floor` and `ceiling` bound the difficulties it serves; `guess` is the chance level at a difficulty, `capacity` how
    many different problems there are at one (None: more than anybody draws); families of one `domain` can pose the same
    problem.
    """

    name: str
    area: str
    version: int
    floor: int
    ceiling: int
    domain: str
    guess: Callable[[float], float]
    capacity: Callable[[float], float] | None
    doc: str
    propose: Propose

    def task(
        self,
        difficulty: float,
        seed: int,
        split: Split = "train",
        style: str = "boxed",
        notation: Notation = "latex",
    ) -> Task:
        """The task at an address: the same bytes for the same arguments, in every process.

        Elementary steps are whole, so a task between two whole difficulties is drawn from either, such that the mean
        is kept. Proposals of the other split are dropped; of the first few left, the one whose work is nearest the
        budget is kept. ValueError names a value out of range, or the family's capacity where no proposal fits.
        """
        difficulty = quantised(difficulty)
        one_of("split", split, SPLITS)
        one_of("notation", notation, NOTATIONS)
        check_seed(seed)
        self._check_difficulty(difficulty, split)
        draw = Draw(address(self.name, self.version, difficulty, split, seed))
        whole = int(difficulty) + draw.chance(difficulty % 1)
        problem = self._select(draw, whole, split)
        return Task(
            family=self.name,
            area=self.area,
            version=self.version,
            difficulty=difficulty,
            seed=seed,
            split=split,
            style=style,
            notation=notation,
            question=render(problem.question, notation),
            instruction=instruction(problem.check, style),
            answer=problem.answer,
            check=problem.check,
            guess=self.guess(difficulty),
            work=problem.work,
            identity=problem.identity,
            domain=self.domain,
            solution=problem.solution,
        )

    def eval_floor(self) -> int | None:
        """The smallest difficulty with an eval split, where the capacity reaches 200; None where it never does."""
        return next((d for d in range(self.floor, self.ceiling + 1) if self._has_eval_split(d)), None)

    def floor_in(self, split: Split) -> int:
        """The smallest difficulty that the family serves in a split. ValueError where it has no eval split at all."""
        floor = self.floor if split == "train" else self.eval_floor()
        if floor is None:
            raise ValueError(f"{self.name} never has {EVAL_CAPACITY} problems, which an eval split needs")
        return floor

    def _has_eval_split(self, difficulty: float) -> bool:
        return self.capacity is None or self.capacity(difficulty) >= EVAL_CAPACITY

    def _check_difficulty(self, difficulty: float, split: Split) -> None:
        if not self.floor <= difficulty <= self.ceiling:
            raise ValueError(f"{self.name} serves difficulties from {self.floor} to {self.ceiling}, not {difficulty:g}")
        if split == "eval" and not self._has_eval_split(difficulty):
            raise ValueError(
                f"{self.name} has fewer than {EVAL_CAPACITY} problems at difficulty {difficulty:g}; "
                f"its eval split starts at {self.floor_in(split)}"
            )

    def _select(self, draw: Draw, difficulty: int, split: Split) -> Problem:
        """The proposal of the split nearest the budget among a few; the first exact one ends the search."""
        best, found = None, 0
        for _ in range(MOST_PROPOSALS):
            problem = self.propose(draw, difficulty)
            if split_of(self.domain, problem.identity) != split:
                continue
            found += 1
            if best is None or abs(problem.work - 1 - difficulty) < abs(best.work - 1 - difficulty):
                best = problem
            if best.work == 1 + difficulty or found == FEW:
                return best
        if best is None:
            known = "is not stated" if self.capacity is None else f"is {self.capacity(difficulty):g}"
            raise ValueError(
                f"{self.name} found no {split} problem at difficulty {difficulty} in {MOST_PROPOSALS} proposals; "
                f"its capacity there {known}"
            )
        return best


def family(
    *,
    area: str,
    version: int = 1,
    floor: int = 0,
    ceiling: int = 64,
    domain: str = "",
    guess: float | Callable[[float], float] = 0.0,
    capacity: Callable[[float], float] | None = None,
) -> Callable[[Propose], Family]:
    """Makes a family of a function (rng, difficulty) -> Problem; its name and docstring become the family's.

    `difficulty` arrives whole: `1 + difficulty` is the budget of elementary steps.
    """

    def decorate(propose: Propose) -> Family:
        name = propose.__name__
        doc = getdoc(propose)
        if not doc:
            raise ValueError(f"family {name} needs a docstring that names what is asked and the method counted")
        if not 0 <= floor <= ceiling:
            raise ValueError(f"family {name}: floor {floor} and ceiling {ceiling} are out of order")
        chance = guess if callable(guess) else lambda difficulty: guess
        return Family(name, area, version, floor, ceiling, domain or name, chance, capacity, doc, propose)

    return decorate
