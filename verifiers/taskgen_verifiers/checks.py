"""The closed list of checks. A new kind is a class in a file beside those below, and a name here."""

from taskgen_verifiers.algebra import Expression, Number
from taskgen_verifiers.several import Collection
from taskgen_verifiers.words import Assignment, Choice

__all__ = ["Assignment", "Choice", "Collection", "Expression", "Number"]
