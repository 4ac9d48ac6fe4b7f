"""The closed list of checks, each in a file of its own; importing it makes them known to `Check.from_dict`."""

from taskgen_verifiers.assignment import Assignment
from taskgen_verifiers.choice import Choice
from taskgen_verifiers.collection import Collection
from taskgen_verifiers.expression import Expression
from taskgen_verifiers.number import Number

__all__ = ["Assignment", "Choice", "Collection", "Expression", "Number"]
