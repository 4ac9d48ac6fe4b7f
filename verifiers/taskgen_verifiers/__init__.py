"""Answer checking for anybody's tasks: any text in, a verdict out. Knows nothing of the rest of taskgen.

>>> judge(r"Let me see ... \\boxed{2x + 2}", Expression(("x",), form="expanded"), "2*x + 2").is_correct
True
"""

from taskgen_verifiers.answer import STYLES, instruction
from taskgen_verifiers.check import Check
from taskgen_verifiers.checks import Assignment, Choice, Collection, Expression, Number
from taskgen_verifiers.judge import VERIFIER_VERSION, check_gold, judge
from taskgen_verifiers.verdict import GoldError, Status, Verdict

__all__ = [
    "STYLES",
    "VERIFIER_VERSION",
    "Assignment",
    "Check",
    "Choice",
    "Collection",
    "Expression",
    "GoldError",
    "Number",
    "Status",
    "Verdict",
    "check_gold",
    "instruction",
    "judge",
]
