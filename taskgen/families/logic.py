"""Logic puzzles."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256
from itertools import product

from taskgen.family import Problem, family
from taskgen.sampling import Draw
from taskgen.steps import Act, Constraint, Deduction
from taskgen_verifiers import Assignment

_NAMES = tuple(
    "Ada Ben Clara Dan Ella Finn Gina Hugo Iris Jack Kira Liam Mia Noah Olga Paul Quinn Rosa Sam Tara Uma Vera Will "  # noqa: SIM905 - sixty quoted names hide the names
    "Xena Yuri Zoe Amir Bela Chen Dora Emil Faye Gus Hana Ivan Jana Karl Lena Milo Nina Omar Petra Rolf Sara Tom Ulla "
    "Vito Wanda Yara Zack Anton Berta Carl Diana Erik Flora Georg Heidi Igor Julia".split()
)
_KINDS = ("knave", "knight")

Statement = tuple[str, tuple[int, ...]]
"""A form of sentence and the people it is about."""

_FORMS: dict[str, tuple[int, Callable[..., bool], str]] = {
    "knave": (1, lambda a: not a, "{0} is a knave"),
    "knight": (1, lambda a: a, "{0} is a knight"),
    "same": (2, lambda a, b: a == b, "{0} and {1} are of the same kind"),
    "different": (2, lambda a, b: a != b, "{0} and {1} are of different kinds"),
    "both": (2, lambda a, b: a and b, "{0} and {1} are both knights"),
    "neither": (2, lambda a, b: not (a or b), "{0} and {1} are both knaves"),
    "either": (2, lambda a, b: a or b, "at least one of {0} and {1} is a knight"),
    "not both": (2, lambda a, b: not (a and b), "{0} and {1} are not both knights"),
    "one": (3, lambda a, b, c: a + b + c == 1, "exactly one of {0}, {1} and {2} is a knight"),
    "two": (3, lambda a, b, c: a + b + c == 2, "exactly two of {0}, {1} and {2} are knights"),
}
"""Of each form: how many people it is about, when it is true (a knight counts as true), and how it is said.

The order of the people makes no difference in any of them; `_content` relies on that.
"""

_FORM_NAMES = tuple(_FORMS)
_TABLES = {
    form: [row for row in product((False, True), repeat=1 + count) if row[0] == rule(*row[1:])]
    for form, (count, rule, _) in _FORMS.items()
}
"""Of each form: the rows of truth values, the speaker's first, in which speaker and statement agree."""


def _people(difficulty: float) -> int:
    """How many people about 1 + difficulty steps are for."""
    return max(4, round(2.2 + 0.33 * difficulty))


@family(area="logic", floor=8, guess=lambda difficulty: 2.0 ** -_people(difficulty))
def knights_and_knaves(rng: Draw, difficulty: int) -> Problem:
    """Tell who is a knight, who always tells the truth, and who a knave, who always lies; there is one solution.

    Method counted: read the statements in order, again and again, for what they force; when nothing is forced, suppose
    that the first person still open is a knight. Each supposition, forced kind and contradiction is a step. The budget
    is spent on people, who speak of one to three others.
    """
    names = rng.shuffle(_NAMES)[: _people(difficulty)]
    truth = tuple(rng.chance(0.5) for _ in names)
    statements = [_statement(rng, speaker, truth) for speaker in range(len(names))]
    while True:
        search = _deduction(statements)
        found = search.solutions()
        first, steps = next(found), len(search.acts)
        other = first if first != truth else next(found, None)
        if other is None:
            break
        speaker, statements[speaker] = _refutation(rng, truth, other)
    kinds = ", ".join(f"{name}: {_KINDS[kind]}" for name, kind in zip(names, truth, strict=True))
    return Problem(
        question=_tell(rng, names, statements),
        answer=kinds,
        check=Assignment(tuple(names), _KINDS),
        work=steps,
        identity=_content(statements),
        solution=tuple(_word(act, names) for act in search.acts[:steps]),
    )


def _says(statement: Statement, truth: Sequence[bool]) -> bool:
    form, people = statement
    return _FORMS[form][1](*(truth[person] for person in people))


def _statement(rng: Draw, speaker: int, truth: Sequence[bool]) -> Statement:
    """Something that this speaker can say of others: true from a knight, false from a knave."""
    others = [person for person in range(len(truth)) if person != speaker]
    while True:
        form = rng.choice(_FORM_NAMES)
        statement = (form, tuple(rng.shuffle(others)[: _FORMS[form][0]]))
        if _says(statement, truth) == truth[speaker]:
            return statement


def _refutation(rng: Draw, truth: Sequence[bool], other: Sequence[bool]) -> tuple[int, Statement]:
    """A speaker and a statement that fits the truth and does not fit the other assignment."""
    while True:
        speaker = rng.integer(0, len(truth) - 1)
        statement = _statement(rng, speaker, truth)
        if _says(statement, other) != other[speaker]:
            return speaker, statement


def _deduction(statements: list[Statement]) -> Deduction:
    """The search for everybody's kind: each speaker is a knight just if the statement is true."""
    constraints: list[Constraint] = []
    for speaker, (form, people) in enumerate(statements):
        constraints.append(((speaker, *people), _TABLES[form]))
    return Deduction(len(statements), constraints)


def _word(act: Act, names: list[str]) -> str:
    if act.kind == "refute":
        return f"That contradicts what {names[act.number]} says."
    return f"{'Suppose' if act.kind == 'assume' else 'So'} {names[act.number]} is a {_KINDS[act.value]}."


def _tell(rng: Draw, names: list[str], statements: list[Statement]) -> str:
    """The puzzle in words."""
    speeches = []
    for name, (form, people) in zip(names, statements, strict=True):
        said = _FORMS[form][2].format(*(names[person] for person in people))
        speeches.append(f'{name} says: "{said[0].upper()}{said[1:]}."')
    place = rng.choice(("On an island", "In a far-off town", "In an old castle"))
    asked = rng.choice(("Who is what?", "Say of each person whether they are a knight or a knave."))
    return (
        f"{place}, everybody is either a knight, who always tells the truth, or a knave, who always lies. "
        f"You meet {', '.join(names[:-1])} and {names[-1]}. {' '.join(speeches)} {asked}"
    )


_ROUNDS = 3


def _content(statements: list[Statement]) -> str:
    """A fingerprint that renaming and reordering people does not change: colour refinement of who speaks of whom.

    In each round a person looks like the statement made, the colours of those it is about, and who speaks of them how;
    equal looks are one colour, numbered in the order of the looks.
    """
    colours, rounds = [0] * len(statements), []
    for _ in range(_ROUNDS):
        heard: list[list[tuple[str, int]]] = [[] for _ in statements]
        for speaker, (form, people) in enumerate(statements):
            for person in people:
                heard[person].append((form, colours[speaker]))
        looks = [
            (colours[speaker], form, tuple(sorted(colours[person] for person in people)), tuple(sorted(heard[speaker])))
            for speaker, (form, people) in enumerate(statements)
        ]
        rounds.append(sorted(looks))
        numbers = {look: number for number, look in enumerate(sorted(set(looks)))}
        colours = [numbers[look] for look in looks]
    return f"{len(statements)} {sha256(repr(rounds).encode()).hexdigest()[:16]}"
