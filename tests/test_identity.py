"""Identity is content: the same problem otherwise told is the same, and another problem is another."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from taskgen.families.algebra import _canonical, _content, _occurring
from taskgen.families.logic import _content as _puzzle
from taskgen.families.logic import _statement
from taskgen.sampling import Draw


@given(st.text(), st.integers(4, 14))
def test_a_puzzle_is_the_same_whoever_speaks_first(address: str, count: int) -> None:
    draw = Draw(address)
    truth = tuple(draw.chance(0.5) for _ in range(count))
    statements = [_statement(draw, speaker, truth) for speaker in range(count)]
    places = draw.shuffle(range(count))
    renamed = list(statements)
    for speaker, (form, people) in enumerate(statements):
        renamed[places[speaker]] = (form, tuple(draw.shuffle(places[person] for person in people)))
    assert _puzzle(renamed) == _puzzle(statements)
    form, people = statements[0]
    changed = [("knave" if form == "knight" else "knight", people[:1]), *statements[1:]]
    assert _puzzle(changed) != _puzzle(statements)


def test_a_sum_of_products_is_the_same_in_any_order_and_letters() -> None:
    first = [(2, ({(1, 0): 3, (0, 0): 1}, {(0, 1): 1, (0, 0): -4})), (-1, ({(1, 1): 5, (1, 0): 1},))]
    turned = [(-1, ({(1, 0): 1, (1, 1): 5},)), (2, ({(0, 0): -4, (0, 1): 1}, {(0, 0): 1, (1, 0): 3}))]
    orders = ((0, 1), (1, 0))
    assert min(_content(first, o) for o in orders) == min(_content(turned, o) for o in orders)
    swapped = [(k, tuple({e[::-1]: c for e, c in f.items()} for f in factors)) for k, factors in first]
    assert min(_content(first, o) for o in orders) == min(_content(swapped, o) for o in orders)


def test_letters_that_do_not_occur_do_not_count() -> None:
    products = [(2, ({(0, 1): 1, (0, 0): 3},))]
    assert _occurring("xy", products, {(0, 1): 2, (0, 0): 6}) == ("y", [(2, ({(1,): 1, (0,): 3},))], {(1,): 2, (0,): 6})


def test_an_equation_is_the_same_in_any_order_of_terms() -> None:
    side = ((2, "x"), (3, ((1, "x"), (-4, ""))), (5, ""))
    assert _canonical(side) == _canonical(tuple(reversed(side)))
    assert _canonical(side) != _canonical(side[:2])
