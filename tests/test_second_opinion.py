"""An independent solver, which reads only the question, agrees with each family's answer."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import product

import pytest
import sympy
from sympy.parsing.sympy_parser import (
    convert_xor,
    implicit_multiplication_application,
    parse_expr,
    standard_transformations,
)

from taskgen.families import FAMILIES
from taskgen.task import Task

_RULES = (*standard_transformations, convert_xor, implicit_multiplication_application)


def read(text: str) -> sympy.Expr:
    return parse_expr(text, transformations=_RULES)


def solve_addition_chain(task: Task) -> str:
    return str(eval(re.search(r"\d[\d +-]*", task.question).group()))  # type: ignore[union-attr]


def solve_linear_equation(task: Task) -> str:
    left, right = re.search(r"([-+()\w ]+) = ([-+()\w ]+)", task.question.replace("Solve the equation", "")).groups()  # type: ignore[union-attr]
    left = re.sub(r"^(Solve|If) ", "", left.strip())
    right = re.sub(r" for \w$", "", right.strip())
    (solution,) = sympy.solve(sympy.Eq(read(left), read(right)))
    return str(solution)


def solve_expand_and_collect(task: Task) -> str:
    text = re.sub(r"^(Expand|Multiply out and simplify|Write) ", "", task.question.rstrip("."))
    return str(sympy.expand(read(re.sub(r" (and collect like terms|in expanded form)$", "", text)))).replace("**", "^")


SAYINGS: dict[str, Callable[..., bool]] = {
    r"(\w+) is a knave": lambda a: not a,
    r"(\w+) is a knight": lambda a: a,
    r"(\w+) and (\w+) are of the same kind": lambda a, b: a is b,
    r"(\w+) and (\w+) are of different kinds": lambda a, b: a is not b,
    r"(\w+) and (\w+) are both knights": lambda a, b: a and b,
    r"(\w+) and (\w+) are both knaves": lambda a, b: not a and not b,
    r"at least one of (\w+) and (\w+) is a knight": lambda a, b: a or b,
    r"(\w+) and (\w+) are not both knights": lambda a, b: not a or not b,
    r"exactly one of (\w+), (\w+) and (\w+) is a knight": lambda *kinds: kinds.count(True) == 1,
    r"exactly two of (\w+), (\w+) and (\w+) are knights": lambda *kinds: kinds.count(True) == 2,
}


def worlds(task: Task) -> Iterator[dict[str, bool]]:
    """Every assignment in which all speakers keep to their kind, by brute force."""
    people = re.findall(r"\w+", re.search(r"You meet ([^.]*)\.", task.question).group(1).replace(" and ", ", "))  # type: ignore[union-attr]
    speeches = []
    for speaker, saying in re.findall(r'(\w+) says: "(.*?)\."', task.question):
        rule, said = next(
            (rule, m) for form, rule in SAYINGS.items() if (m := re.fullmatch(form, saying, re.IGNORECASE))
        )
        speeches.append((speaker, rule, said.groups()))
    for kinds in product((True, False), repeat=len(people)):
        world = dict(zip(people, kinds, strict=True))
        if all(world[speaker] == rule(*(world[name] for name in names)) for speaker, rule, names in speeches):
            yield world


def solve_knights_and_knaves(task: Task) -> str:
    (world,) = worlds(task)
    return ", ".join(f"{name}: {'knight' if kind else 'knave'}" for name, kind in world.items())


SOLVERS = {
    "addition_chain": solve_addition_chain,
    "linear_equation": solve_linear_equation,
    "expand_and_collect": solve_expand_and_collect,
    "knights_and_knaves": solve_knights_and_knaves,
}


def test_every_family_has_a_second_solver() -> None:
    assert SOLVERS.keys() == FAMILIES.keys()


@pytest.mark.parametrize("name", FAMILIES)
def test_a_second_solver_agrees(name: str) -> None:
    family = FAMILIES[name]
    for seed in range(200):
        task = family.task(family.floor + seed % 12, seed, style="line", notation="plain")
        answer = SOLVERS[name](task)
        assert task.judge(f"Answer: {answer}").is_correct, (answer, task.to_json())


@pytest.mark.parametrize("name", FAMILIES)
def test_a_second_solver_agrees_on_large_tasks(name: str) -> None:
    for seed in range(20):
        task = FAMILIES[name].task(32, seed, style="line", notation="plain")
        answer = SOLVERS[name](task)
        assert task.judge(f"Answer: {answer}").is_correct, (answer, task.to_json())
