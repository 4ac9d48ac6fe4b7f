"""A task: one problem as plain, frozen data with an address. JSON in, JSON out; judged from its own row alone."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from hashlib import sha256
from typing import Any, Literal, get_args

from taskgen.notation import NOTATIONS, Notation
from taskgen_verifiers import STYLES, VERIFIER_VERSION, Check, Verdict, check_gold, judge
from taskgen_verifiers.check import one_of

SCHEMA = 1
Split = Literal["train", "eval"]
SPLITS: tuple[Split, ...] = get_args(Split)
GRID = 64
"""Difficulties are multiples of 1/64."""

LARGEST_SEED = 2**53
EVAL_SHARE = 0.1


def quantised(difficulty: float) -> float:
    """The difficulty on the grid of 1/64. ValueError where it is not a finite number of at least 0."""
    value = float(difficulty) + 0.0
    if not (math.isfinite(value) and value >= 0):
        raise ValueError(f"difficulty must be a finite number of at least 0, not {difficulty!r}")
    return round(value * GRID) / GRID


def address(family: str, version: int, difficulty: float, split: str, seed: int) -> str:
    """The text that seeds a task's generator: family@version/difficulty/split/seed."""
    return f"{family}@{version}/{difficulty!r}/{split}/{seed}"


def split_of(domain: str, identity: str) -> Split:
    """The one split that a problem can be drawn in: by its content alone, about 10 % are for evaluation.

    Sibling families that can pose the same problem share a domain, so the problem is on the same side in all of them.
    """
    digest = sha256(json.dumps([domain, identity]).encode()).digest()
    return "eval" if int.from_bytes(digest[:8], "big") < EVAL_SHARE * 2**64 else "train"


@dataclass(frozen=True)
class Task:
    """One problem with its answer and how any answer is verified.

    `question` + blank line + `instruction` = `prompt`. `work` is the counted number of elementary steps; `solution`
    words them where they were recorded. `guess` is the chance of a blind guess. Keys that a later version wrote are
    kept in `extra`. Making a task reads its gold answer: one that fails its own check raises GoldError here, never at
    reward time.
    """

    family: str
    area: str
    version: int
    difficulty: float
    seed: int
    split: Split
    style: str
    notation: Notation
    question: str
    instruction: str
    answer: str
    check: Check
    guess: float
    work: int
    identity: str
    domain: str
    solution: tuple[str, ...] = ()
    verifier_version: int = VERIFIER_VERSION
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        one_of("split", self.split, SPLITS)
        one_of("style", self.style, STYLES)
        one_of("notation", self.notation, NOTATIONS)
        # JSON tools write 8.0 as 8, and the address is text.
        object.__setattr__(self, "difficulty", float(self.difficulty) + 0.0)
        if quantised(self.difficulty) != self.difficulty:
            raise ValueError(f"a task's difficulty is a multiple of 1/{GRID}, not {self.difficulty!r}")
        check_seed(self.seed)
        check_gold(self.check, self.answer)

    @cached_property
    def id(self) -> str:
        """16 hex digits of the sha256 of the address; the same in every style and notation."""
        text = address(self.family, self.version, self.difficulty, self.split, self.seed)
        return sha256(text.encode()).hexdigest()[:16]

    @property
    def prompt(self) -> str:
        """What the policy reads: the question and how to answer it."""
        return f"{self.question}\n\n{self.instruction}"

    def judge(
        self, completion: str, *, reasoning: Literal["free", "opened"] = "free", key: str | None = None
    ) -> Verdict:
        """The verdict on any text, strictly by this task's style; see `taskgen_verifiers.judge`."""
        return judge(completion, self.check, self.answer, self.style, reasoning=reasoning, key=key)

    def messages(self, system: str | None = None, instruction: str | None = None) -> list[dict[str, str]]:
        """Chat messages; the instruction may be worded anew, as long as it asks for the marker of the task's style."""
        chat = [{"role": "system", "content": system}] if system is not None else []
        wording = self.instruction if instruction is None else instruction
        return [*chat, {"role": "user", "content": f"{self.question}\n\n{wording}" if wording else self.question}]

    def to_row(self) -> dict[str, Any]:
        """The task as plain data, the whole schema of row version 1."""
        row = {f.name: getattr(self, f.name) for f in fields(self)}
        row |= {"schema": SCHEMA, "id": self.id, "prompt": self.prompt, "check": self.check.to_dict()}
        row |= {"solution": list(self.solution), "extra": dict(self.extra)}
        return row

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> Task:
        """A task from its row. ValueError names an unknown schema, a missing key, or a prompt or id that disagrees."""
        if row.get("schema") != SCHEMA:
            raise ValueError(f"unknown task schema {row.get('schema')!r}; this version reads {SCHEMA}")
        names = {f.name for f in fields(cls)}
        values = {name: value for name, value in row.items() if name in names}
        extra = dict(values.pop("extra", None) or {}) | {k: v for k, v in row.items() if k not in names | _DERIVED}
        if missing := sorted(names - {"extra"} - values.keys()):
            raise ValueError(f"a task row lacks {', '.join(missing)}")
        values |= {"check": Check.from_dict(row["check"]), "solution": tuple(row["solution"]), "extra": extra}
        task = cls(**values)
        for name in sorted(_DERIVED & row.keys() - {"schema"}):
            if row[name] != getattr(task, name):
                raise ValueError(f"the task row's {name} {row[name]!r} disagrees with its content")
        return task

    def to_json(self) -> str:
        """The row as canonical JSON: sorted keys, no spaces, every character outside ASCII as it is."""
        return json.dumps(self.to_row(), sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)

    @classmethod
    def from_json(cls, text: str) -> Task:
        """The task of `to_json`; errors as in `from_row`."""
        return cls.from_row(json.loads(text))


_DERIVED = {"schema", "id", "prompt"}


def check_seed(seed: object) -> None:
    """ValueError unless the seed is an int in [0, 2^53)."""
    if not isinstance(seed, int) or isinstance(seed, bool) or not 0 <= seed < LARGEST_SEED:
        raise ValueError(f"a seed is an int from 0 to 2^53 - 1, not {seed!r}")
