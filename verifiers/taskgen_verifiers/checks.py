"""The closed list of checks."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, NamedTuple

from taskgen_verifiers import form
from taskgen_verifiers.check import Check, kind, one_of
from taskgen_verifiers.equal import Points, same_function
from taskgen_verifiers.parse import parse
from taskgen_verifiers.size import exact, measure
from taskgen_verifiers.text import closing_brace, peeled, split_top
from taskgen_verifiers.tree import Node, integer, key, names
from taskgen_verifiers.verdict import Refused

_NUMBER_FORMS = {
    "integer": ("an integer", lambda node: form.is_numeral(node)),
    "evaluated": ("a number, fully evaluated", form.is_evaluated),
    "lowest_terms": ("an integer or a fraction in lowest terms", form.is_in_lowest_terms),
    "decimal": ("a decimal number", form.is_decimal),
}

_PLAIN_INTEGER = re.compile(r"-?[0-9]{1,300}", re.ASCII)
_HEDGE = re.compile(r"\bor\b|\band\b|\\text\s*\{\s*(?:or|and)\s*\}|\\(?:lor|vee|pm|mp)(?![A-Za-z])|±", re.IGNORECASE)


class Value(NamedTuple):
    """A number as it was written, and its exact value."""

    node: Node
    value: Fraction


@kind("number")
@dataclass(frozen=True)
class Number(Check):
    """One rational number, compared exactly. The form is that of the answer as written:

    "integer": one numeral, such as 12, 1,234 or 3e2; "evaluated": a numeral, a fraction of integers or a mixed number;
    "lowest_terms": an integer or a reduced fraction; "decimal": digits, with a point or without. A name may stand in
    front, `x = 3`; in a chain of equalities all members must be equal, and the last is the answer.
    """

    form: str = "evaluated"

    def __post_init__(self) -> None:
        one_of("form of number", self.form, tuple(_NUMBER_FORMS))

    @property
    def wanted(self) -> str:
        return f"Give the answer as {_NUMBER_FORMS[self.form][0]}."

    def read(self, text: str, grouped: bool = True) -> Value:
        if _PLAIN_INTEGER.fullmatch(text):
            value = int(text)
            return Value(integer(value), Fraction(value))
        if _HEDGE.search(text):
            raise Refused("ambiguous")
        if len(split_top(text, ",;")) > 1 and not _is_grouped(text):
            raise Refused("ambiguous")
        members = parse(text, grouped=grouped, labels=True)
        values = []
        for node in members[1:] if len(members) > 1 and names(members[0]) else members:
            measure(node)
            values.append(exact(node))
        if any(value != values[-1] for value in values):
            # 2 + 2 = 5 states nothing, even where 5 is right.
            raise Refused("ambiguous")
        return Value(members[-1], values[-1])

    def compare(self, candidate: Value, gold: Value, points: Points) -> str:
        if not _NUMBER_FORMS[self.form][1](candidate.node):
            return "wrong_form"
        return "correct" if candidate.value == gold.value else "wrong"


def _is_grouped(text: str) -> bool:
    """Whether every comma in the text could group digits, as in 1,234 or 1{,}234."""
    return bool(re.search(r"[0-9](?:,|\{,\}|,\\!|\\!,)[0-9]{3}", text)) and not re.search(
        r",(?!\\?!?\}?[0-9]{3})|;", text
    )


_EXPRESSION_FORMS = {
    "any": "Give the answer as an expression in {}.",
    "expanded": "Give the answer in {} as an expanded polynomial, like terms collected.",
    "factored": "Give the answer in {}, completely factored.",
    "simplified": "Give the answer in {} as a fraction in lowest terms, or as a polynomial.",
}


@kind("expression")
@dataclass(frozen=True)
class Expression(Check):
    """A rational function of the variables, equal to the gold as a function, in the asked form.

    `domain` states where the variables range (empty: over the rationals). `echo` is the problem's own expression: handed
    back, up to the order of terms and factors, it does not pay. For "factored" and "simplified" the gold is in that form.
    """

    variables: tuple[str, ...]
    domain: str = ""
    form: str = "any"
    echo: str = ""

    def __post_init__(self) -> None:
        one_of("form of expression", self.form, tuple(_EXPRESSION_FORMS))
        if not self.variables or len(set(self.variables)) < len(self.variables):
            raise ValueError(f"an expression has different variables, at least one, not {self.variables!r}")

    @property
    def wanted(self) -> str:
        *before, last = self.variables
        return _EXPRESSION_FORMS[self.form].format(f"{', '.join(before)} and {last}" if before else last)

    def read(self, text: str) -> list[Node]:
        if _HEDGE.search(text) or len(split_top(text, ",;")) > 1:
            raise Refused("ambiguous")
        members = parse(text, self.variables, labels=True)
        label = len(members) > 1 and not names(members[0]) <= set(self.variables)
        members = members[1:] if label else members
        for node in members:
            measure(node)
        return members

    def compare(self, candidate: list[Node], gold: list[Node], points: Points) -> str:
        answer, right = candidate[-1], gold[-1]
        if any(not same_function(member, answer, self.variables, points) for member in candidate[:-1]):
            return "ambiguous"
        if self.echo and key(answer) == key(parse(self.echo, self.variables)[0]):
            return "echo"
        if not self._is_in_form(answer, right, points):
            return "wrong_form"
        return "correct" if same_function(answer, right, self.variables, points) else "wrong"

    def _is_in_form(self, answer: Node, gold: Node, points: Points) -> bool:
        match self.form:
            case "expanded":
                return form.is_expanded(answer)
            case "factored":
                return form.is_factored_like(answer, gold, self.variables, points)
            case "simplified":
                return form.is_simplified_like(answer, gold)
        return True


_OPTION = re.compile(r"(?:option|choice|answer)?\s*[(\[]?(.+?)[)\].:]?", re.IGNORECASE | re.DOTALL)


@kind("choice")
@dataclass(frozen=True)
class Choice(Check):
    """One of a closed list of options, whole and case-folded: "B", "(b)", "option B"; never a letter within prose."""

    options: tuple[str, ...]

    def __post_init__(self) -> None:
        if len({option.casefold() for option in self.options}) < max(2, len(self.options)):
            raise ValueError(f"a choice has at least two options, all different, not {self.options!r}")

    @property
    def wanted(self) -> str:
        *before, last = self.options
        return f"Give the answer as one of {', '.join(before)} or {last}."

    def read(self, text: str) -> str:
        by_name = {option.casefold(): option for option in self.options}
        stripped = _OPTION.fullmatch(text)
        for word in (text, stripped.group(1) if stripped else ""):
            if word.strip().casefold() in by_name:
                return by_name[word.strip().casefold()]
        parts = [
            part.strip(" ()[].").casefold() for part in re.split(r",|;|/|\bor\b|\band\b", text, flags=re.IGNORECASE)
        ]
        raise Refused("ambiguous" if len(parts) > 1 and all(part in by_name for part in parts) else "unparsable")

    def compare(self, candidate: str, gold: str, points: Points) -> str:
        return "correct" if candidate == gold else "wrong"


_PAIR = re.compile(
    r"(.+?)\s*(?::|=|->|→|\\to\b|\\rightarrow\b|\bis\b(?:\s+an?\b|\s+the\b)?)\s*(.+)", re.IGNORECASE | re.DOTALL
)
_TEXT_COMMAND = re.compile(r"\\(?:text|mathrm|textbf|mathbf)\s*\{([^{}]*)\}")


@kind("assignment")
@dataclass(frozen=True)
class Assignment(Check):
    """A value for every name: `Ann: knight, Ben: knave`, `Ann = knight; ...`, `Ann is a knight and ...`, or JSON.

    `values` are the allowed words, or the check of each value. Every name is needed; one that is given two values makes
    the answer ambiguous.
    """

    many: ClassVar[bool] = True
    names: tuple[str, ...]
    values: tuple[str, ...] | Check

    def __post_init__(self) -> None:
        if not self.names or len({name.casefold() for name in self.names}) < len(self.names):
            raise ValueError(f"an assignment has different names, at least one, not {self.names!r}")
        if not self.values:
            raise ValueError("an assignment needs the values that are allowed")

    @property
    def wanted(self) -> str:
        if isinstance(self.values, Check):
            return f"Give the answer as {', '.join(f'{name} = ...' for name in self.names)}."
        words = " or ".join(self.values)
        return f"Answer with one pair for each of {', '.join(self.names)}, such as {self.names[0]}: ({words}), separated by commas."

    def read(self, text: str) -> dict[str, Any]:
        text = _TEXT_COMMAND.sub(r"\1", text).replace('"', "").strip()
        if text.startswith("{") and closing_brace(text, 0) == len(text) - 1:
            text = text[1:-1]
        by_name = {name.casefold(): name for name in self.names}
        found: dict[str, Any] = {}
        for part in re.split(r"[,;\n]|\\\\|\band\b", text):
            if not (part := peeled(part)):
                continue
            pair = _PAIR.fullmatch(part)
            name = by_name.get(pair.group(1).strip(" *_'").casefold()) if pair else None
            if pair is None or name is None:
                raise Refused("unparsable")
            value = self._value(pair.group(2).strip(" *_'"))
            if found.setdefault(name, value) != value:
                raise Refused("ambiguous")
        if not found:
            raise Refused("unparsable")
        return found

    def _value(self, text: str) -> Any:
        if isinstance(self.values, Check):
            return self.values.read(text)
        word = next((word for word in self.values if word.casefold() == text.casefold()), None)
        if word is None:
            raise Refused("unparsable")
        return word

    def compare(self, candidate: dict[str, Any], gold: dict[str, Any], points: Points) -> str:
        if candidate.keys() != set(self.names):
            return "wrong_form"
        if not isinstance(self.values, Check):
            return "correct" if candidate == gold else "wrong"
        reasons = [self.values.compare(candidate[name], gold[name], points) for name in self.names]
        return next((reason for reason in reasons if reason != "correct"), "correct")


MOST_MEMBERS = 64
_BRACKETS = {
    "(": ")",
    "[": "]",
    "{": "}",
    r"\{": r"\}",
    r"\left\{": r"\right\}",
    r"\left(": r"\right)",
    r"\left[": r"\right]",
}
_EMPTY = {"", r"\emptyset", r"\varnothing", "∅", r"\left\{\right\}"}


@kind("collection")
@dataclass(frozen=True)
class Collection(Check):
    """Several answers of one kind: a set, or a list where `ordered`, with repetitions where `repeated`.

    Written with commas or semicolons, bare or in one pair of brackets; a comma never groups digits in it.
    """

    many: ClassVar[bool] = True
    of: Check
    ordered: bool = False
    repeated: bool = False

    @property
    def wanted(self) -> str:
        order = "in order" if self.ordered else "in any order"
        return f"Give all answers {order}, separated by commas. {self.of.wanted.replace('the answer', 'each')}"

    def read(self, text: str) -> list[Any]:
        text = self._unbracketed(text.strip())
        if text in _EMPTY:
            return []
        parts = split_top(_TEXT_COMMAND.sub(r"\1", text).replace(" and ", ","), ",;")
        if len(parts) > MOST_MEMBERS:
            raise Refused("over_limit")
        parts = [peeled(part) for part in parts]
        if "" in parts:
            raise Refused("unparsable")
        return [
            self.of.read(part, grouped=False) if isinstance(self.of, Number) else self.of.read(part) for part in parts
        ]

    def _unbracketed(self, text: str) -> str:
        for opening, closing in _BRACKETS.items():
            inner = text[len(opening) : -len(closing)]
            if text.startswith(opening) and text.endswith(closing) and len(text) > len(opening):
                # (1), (2) starts and ends with brackets that do not belong together.
                depth = 0
                for character in inner:
                    depth += (character in "([{") - (character in ")]}")
                    if depth < 0:
                        return text
                return inner
        return text

    def compare(self, candidate: list[Any], gold: list[Any], points: Points) -> str:
        if not self.ordered:
            return self._compare_unordered(candidate, gold, points)
        if len(candidate) != len(gold):
            return "wrong"
        reasons = [self.of.compare(mine, right, points) for mine, right in zip(candidate, gold, strict=True)]
        return next((reason for reason in reasons if reason != "correct"), "correct")

    def _compare_unordered(self, candidate: list[Any], gold: list[Any], points: Points) -> str:
        """Each candidate must be a gold; without repetition each gold must be met, with it exactly as often."""
        left = list(gold)
        met = []
        for mine in candidate:
            reasons = [self.of.compare(mine, right, points) for right in left]
            if "correct" not in reasons:
                seen = not self.repeated and any(self.of.compare(mine, right, points) == "correct" for right in met)
                if not seen:
                    return next((reason for reason in reasons if reason != "wrong"), "wrong")
                continue
            met.append(left.pop(reasons.index("correct")))
        return "wrong" if left else "correct"
