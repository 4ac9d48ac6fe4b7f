"""What the controller promises of its calls: evidence, bookkeeping, mix, state and errors.

Longer than 300 lines: its claims share one synthetic policy, and are read side by side.
"""

from __future__ import annotations

import copy
import json
import math
import random
from collections import Counter, deque
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from taskgen.controller import Controller, Knob, Placement

K = 8


def no_guess(difficulty: float) -> float:
    return 0.0


def knobs(count: int = 1, **fields: Any) -> list[Knob]:
    return [Knob(f"f{i}", 0, 64, no_guess)._replace(**fields) for i in range(count)]


def whole(controller: Controller, group: Placement, passed: int, clock: float) -> None:
    """Reports a whole group."""
    outcomes = [True] * passed + [False] * (K - passed)
    family, difficulty, guess = group.family, group.difficulty, group.guess
    controller.observe(family, difficulty, guess, outcomes, passed=0, failed=0, clock=clock)
    controller.close(family, difficulty, guess, passed=passed, failed=K - passed)


def drive(controller: Controller, rng: random.Random, start: int, count: int, late: deque[Placement]) -> list[Any]:
    """Places groups and reports them seven groups late, some outcome by outcome; returns what was placed."""
    placed = []
    for clock in range(start, start + count):
        late.append(controller.place((rng.random(), rng.random(), rng.random()), clock))
        placed.append(late[-1])
        if len(late) > 7:
            family, difficulty, guess, *_ = late.popleft()
            p = 1 / (1 + math.exp(1.386 * (math.log1p(difficulty) - 1.5)))
            passed = failed = 0
            for _ in range(K):
                outcome = rng.random() < p
                controller.observe(family, difficulty, guess, [outcome], passed=passed, failed=failed, clock=clock + 1)
                passed, failed = passed + outcome, failed + (not outcome)
            controller.close(family, difficulty, guess, passed=passed, failed=failed)
    return placed


def summaries(controller: Controller) -> list[float]:
    """The numbers that are known of the families."""
    return [
        number
        for estimate in controller.estimates()
        for number in (estimate.d50, estimate.low, estimate.high, estimate.pass_rate, estimate.correlation)
    ]


class TestEvidence:
    @pytest.mark.parametrize("order", [[1, 1, 1, 0, 0, 0, 0, 0], [0, 1, 0, 0, 1, 0, 1, 0]])
    @pytest.mark.parametrize("parts", [[8], [1] * 8, [3, 5]])
    def test_singles_parts_and_wholes_teach_the_same_in_any_order(self, order: list[int], parts: list[int]) -> None:
        one, other = Controller(knobs()), Controller(knobs())
        for controller in (one, other):
            controller.place((0.5, 0.5, 0.5), 0)
        one.observe(0, 4.0, 0.0, [True] * 3 + [False] * 5, passed=0, failed=0, clock=1)
        seen: list[int] = []
        for part in parts:
            new = order[len(seen) : len(seen) + part]
            passed = sum(seen)
            other.observe(0, 4.0, 0.0, [bool(x) for x in new], passed=passed, failed=len(seen) - passed, clock=1)
            seen += new
        assert summaries(other) == pytest.approx(summaries(one), rel=1e-5)

    def test_groups_are_scored_where_they_were_issued_whatever_came_between(self) -> None:
        one, other = Controller(knobs()), Controller(knobs())
        reports = [(1.0, 8), (9.0, 1), (30.0, 0), (4.0, 5)]
        for controller, ordered in ((one, reports), (other, reports[::-1])):
            for difficulty, passed in ordered:
                outcomes = [i < passed for i in range(K)]
                controller.observe(0, difficulty, 0.0, outcomes, passed=0, failed=0, clock=1)
        assert summaries(other) == pytest.approx(summaries(one), rel=1e-5)

    def test_time_never_runs_backwards(self) -> None:
        one, other = Controller(knobs()), Controller(knobs())
        for clocks, controller in (((50, 50), one), ((50, 3), other)):
            for clock in clocks:
                controller.observe(0, 4.0, 0.0, [True] * K, passed=0, failed=0, clock=clock)
        assert summaries(one) == summaries(other)

    def test_an_old_estimate_is_less_sure_than_a_new_one(self) -> None:
        def width(unseen: float) -> float:
            controller = Controller(knobs())
            for clock in range(20):
                whole(controller, controller.place((0.5, 0.5, 0.5), clock), 4, clock + 1)
            controller.place((0.5, 0.5, 0.5), 20 + unseen)
            (estimate,) = controller.estimates()
            return math.log1p(estimate.high) - math.log1p(estimate.low)

        assert width(0) < width(300) < width(3000)

    def test_no_outcomes_are_no_evidence(self) -> None:
        one, other = Controller(knobs()), Controller(knobs())
        one.observe(0, 4.0, 0.0, [], passed=0, failed=0, clock=0)
        assert summaries(one) == summaries(other)

    def test_outcomes_one_by_one_move_the_common_shift_as_groups_do(self) -> None:
        common = []
        for parts in ([1] * K, [K]):
            controller = Controller(knobs(12))
            for clock in range(20):
                family, difficulty, guess, *_ = controller.place((0.01, 0.5, 0.5), clock)
                outcomes = [i < 7 for i in range(K)]
                for n, part in enumerate(parts):
                    new, passed = outcomes[n * part :][:part], sum(outcomes[: n * part])
                    at = family, difficulty, guess
                    controller.observe(*at, new, passed=passed, failed=n * part - passed, clock=clock + 1)
                controller.close(family, difficulty, guess, passed=7, failed=1)
            common.append(controller.state_dict()["common"])
        assert common[0] == pytest.approx(common[1], rel=1e-3)
        assert common[0][0] > 0.01

    def test_what_is_told_of_a_family_is_what_its_next_group_goes_by(self) -> None:
        controller = Controller(knobs(12), spread=0)
        for clock in range(40):
            whole(controller, controller.place((0.01, 0.5, 0.5), clock), 7, clock + 1)
        told, ability = controller.estimates(), controller.ability()[0]
        assert math.log1p(told[11].d50) > math.log1p(Controller(knobs()).estimates()[0].d50) + 0.1
        for step in range(100):
            controller.place(((step + 0.5) / 100, 0.9, 0.5), 1)
        for before, after in zip(told[1:], controller.estimates()[1:], strict=True):
            assert math.log1p(after.d50) == pytest.approx(math.log1p(before.d50), abs=0.01)
        assert controller.ability()[0] == pytest.approx(ability, abs=0.01)

    def test_reading_changes_nothing(self) -> None:
        one, other = Controller(knobs(3)), Controller(knobs(3))
        left, right = random.Random(3), random.Random(3)
        late: tuple[deque[Placement], deque[Placement]] = (deque(), deque())
        for start in range(0, 60, 10):
            placed = drive(one, left, start, 10, late[0])
            one.estimates(), one.ability(), one.active, one.mixed_by_difficulty(), one.state_dict()
            assert placed == drive(other, right, start, 10, late[1])
        assert one.state_dict() == other.state_dict()


class TestBookkeeping:
    def test_groups_leave_flight_by_close_and_release(self) -> None:
        controller = Controller(knobs())
        groups = [controller.place((0.5, 0.5, 0.5), clock) for clock in range(5)]
        whole(controller, groups[0], 4, 5)
        controller.release(0, 2)
        (estimate,) = controller.estimates()
        assert (estimate.issued, estimate.closed, estimate.in_flight) == (5, 1, 2)

    def test_more_groups_than_are_in_flight_cannot_leave_it(self) -> None:
        controller = Controller(knobs())
        controller.place((0.5, 0.5, 0.5), 0)
        with pytest.raises(ValueError, match="f0 has 1 groups in flight, so 2 cannot"):
            controller.release(0, 2)

    def test_released_groups_teach_nothing(self) -> None:
        controller = Controller(knobs())
        before = summaries(controller)
        controller.place((0.5, 0.5, 0.5), 0)
        controller.release(0)
        assert summaries(controller) == before

    def test_a_group_without_outcomes_is_released_not_closed(self) -> None:
        controller = Controller(knobs())
        group = controller.place((0.5, 0.5, 0.5), 0)
        with pytest.raises(ValueError, match="release"):
            controller.close(0, group.difficulty, 0.0, passed=0, failed=0)

    def test_every_closed_group_is_counted_once_by_its_difficulty(self) -> None:
        controller = Controller(knobs())
        for clock, (difficulty, passed) in enumerate([(0.0, 8), (0.25, 3), (2.0, 3), (2.0, 0), (63.0, 0), (700.0, 1)]):
            controller.place((0.5, 0.5, 0.5), clock)
            controller.close(0, difficulty, 0.0, passed=passed, failed=K - passed)
        (bins,) = controller.mixed_by_difficulty().values()
        assert [(b.all_right, b.all_wrong, b.mixed, b.groups) for b in bins] == [
            (1, 0, 1, 2),
            (0, 1, 1, 2),
            (0, 1, 0, 1),
            (0, 0, 1, 1),
        ]
        assert all(b.low <= d < b.high for b, d in zip(bins, (0.25, 2.0, 63.0, 700.0), strict=True))
        assert controller.estimates()[0].mixed == 3 / 6

    def test_the_mixed_share_is_unknown_before_the_first_group(self) -> None:
        assert math.isnan(Controller(knobs()).estimates()[0].mixed)

    @pytest.mark.parametrize("is_mixed", [True, False])
    def test_counts_tell_mixed_groups_from_unanimous_ones_of_the_same_mean(self, is_mixed: bool) -> None:
        controller = Controller(knobs())
        for clock in range(60):
            group = controller.place((0.5, 0.5, 0.5), clock)
            passed = 4 if is_mixed else K * (clock % 2)
            controller.observe(0, 6.0, 0.0, [i < passed for i in range(K)], passed=0, failed=0, clock=clock)
            controller.close(0, 6.0, group.guess, passed=passed, failed=K - passed)
        ((counts,),) = controller.mixed_by_difficulty().values()
        assert counts.promised > 0.85 * counts.groups
        assert counts.mixed == (counts.groups if is_mixed else 0)


class TestMix:
    def counts(self, controller: Controller, draws: int = 4000) -> Counter[int]:
        rng = random.Random(11)
        families = []
        for _ in range(draws):
            families.append(controller.place((rng.random(), 0.5, 0.5), 0).family)
            controller.release(families[-1])
        return Counter(families)

    @pytest.mark.parametrize("adapt_mix", [True, False])
    def test_shares_are_respected_among_equal_families(self, adapt_mix: bool) -> None:
        shares = (1.0, 2.0, 5.0)
        families = [Knob(f"f{i}", 0, 64, no_guess, share=share) for i, share in enumerate(shares)]
        counts = self.counts(Controller(families, adapt_mix=adapt_mix))
        for i, share in enumerate(shares):
            p = share / sum(shares)
            assert abs(counts[i] - 4000 * p) < 4 * math.sqrt(4000 * p * (1 - p))

    def test_a_family_with_few_problems_has_a_smaller_share(self) -> None:
        families = [
            Knob("many", 0, 64, no_guess, lambda difficulty: 5000.0),
            Knob("few", 0, 64, no_guess, lambda difficulty: 64.0),
        ]
        few = self.counts(Controller(families))[1]
        p = (64 / 1024) / (1 + 64 / 1024)
        assert abs(few - 4000 * p) < 4 * math.sqrt(4000 * p * (1 - p))

    def test_capacity_is_asked_where_the_family_is_placed(self) -> None:
        asked: list[float] = []

        def capacity(difficulty: float) -> float:
            asked.append(difficulty)
            return 1.0

        controller = Controller(knobs(floor=1, ceiling=3, capacity=capacity))
        for clock in range(10):
            whole(controller, controller.place((0.5, 0.5, 0.5), clock), K * (clock < 5), clock + 1)
        assert len(asked) >= 10
        assert min(asked) >= 1
        assert max(asked) <= 3

    def test_a_draw_looks_only_at_the_families_that_have_changed(self) -> None:
        calls: Counter[str] = Counter()

        def counting(name: str) -> Callable[[float], float]:
            def function(difficulty: float) -> float:
                calls[name] += 1
                return 0.25

            return function

        families = [Knob(f"f{i}", 0, 64, counting("guess"), counting("capacity")) for i in range(1000)]
        controller, rng = Controller(families), random.Random(2)
        controller.place((0.5, 0.5, 0.5), 0)
        calls.clear()
        for clock in range(100):
            whole(controller, controller.place((rng.random(), 0.5, 0.5), clock), 4, clock + 1)
        assert calls["capacity"] <= 200
        assert calls["guess"] <= 1000

    def test_a_family_is_not_given_up_before_three_groups_are_complete(self) -> None:
        controller, rng = Controller(knobs(1)), random.Random(9)
        groups = [controller.place((rng.random(), rng.random(), rng.random()), clock) for clock in range(12)]
        for group in groups:
            controller.observe(0, group.difficulty, 0.0, [False] * K, passed=0, failed=0, clock=12)
        for difficulty in (0.0, 64.0):
            controller.observe(0, difficulty, 0.0, [False] * K, passed=0, failed=0, clock=12)
        statuses = []
        for group in groups[:3]:
            statuses.append(controller.estimates()[0].status)
            controller.close(0, group.difficulty, 0.0, passed=0, failed=K)
        assert statuses == ["active"] * 3
        assert controller.estimates()[0].status == "retired"

    def test_revisits_leave_the_others_their_shares(self) -> None:
        controller = Controller(knobs(4), revisit=0.4)
        for clock in range(24):
            family, difficulty, guess, *_ = controller.place((0.99, 0.99 * (clock % 2), 0.5), clock)
            if controller.active < 4:
                break
            whole(controller, Placement(family, difficulty, guess, 0, 0, ""), 0, clock + 1)
        counts = self.counts(controller)
        retired = 3
        assert abs(counts[retired] - 1600) < 4 * math.sqrt(4000 * 0.24)
        assert all(abs(counts[family] - 800) < 4 * math.sqrt(4000 * 0.16) for family in range(3))

    def test_a_fixed_mix_keeps_dead_families_at_their_share(self) -> None:
        controller, rng = Controller(knobs(2), adapt_mix=False), random.Random(4)
        families = []
        for clock in range(400):
            group = controller.place((rng.random(), rng.random(), rng.random()), clock)
            families.append(group.family)
            whole(controller, group, 4 if group.family else 0, clock + 1)
        assert abs(families.count(0) - 200) < 40
        assert [estimate.status for estimate in controller.estimates()] == ["active", "active"]
        assert "dead" in controller.estimates()[0].flags


class TestState:
    def test_a_resumed_run_goes_on_bit_for_bit(self) -> None:
        rng, late = random.Random(5), deque[Placement]()
        controller = Controller(knobs(12))
        drive(controller, rng, 0, 300, late)
        resumed = Controller(knobs(12))
        resumed.load_state_dict(json.loads(json.dumps(controller.state_dict())))
        other_rng, other_late = random.Random(), late.copy()
        other_rng.setstate(rng.getstate())
        assert drive(controller, rng, 300, 400, late) == drive(resumed, other_rng, 300, 400, other_late)
        assert controller.state_dict() == resumed.state_dict()
        assert summaries(controller) == summaries(resumed)
        assert controller.mixed_by_difficulty() == resumed.mixed_by_difficulty()

    def test_a_family_that_was_only_placed_is_weighed_as_after_a_resume(self) -> None:
        # Its belief was carried over a long time, which moves its worth although nothing was reported.
        controller = Controller(knobs(3))
        drive(controller, random.Random(5), 0, 60, deque())
        controller.place((0.01, 0.5, 0.5), 30_000)
        resumed = Controller(knobs(3))
        resumed.load_state_dict(controller.state_dict())
        for step in range(2000):
            uniforms = ((step + 0.5) / 2000, 0.9, 0.5)
            assert controller.place(uniforms, 0) == resumed.place(uniforms, 0)

    def test_a_state_does_not_change_with_the_run_that_it_was_taken_from(self) -> None:
        controller = Controller(knobs(2))
        state = controller.state_dict()
        kept = copy.deepcopy(state)
        drive(controller, random.Random(1), 0, 40, deque())
        assert state == kept
        controller.load_state_dict(state)
        assert controller.state_dict() == kept

    @pytest.mark.parametrize(
        ("change", "words"),
        [
            ({"version": 9}, "version 9"),
            ({"common": [0.5, 0.0, 0]}, "checksum"),
            ({"checksum": "0"}, "checksum"),
        ],
    )
    def test_a_damaged_state_is_refused_and_changes_nothing(self, change: dict[str, Any], words: str) -> None:
        controller = Controller(knobs(2))
        drive(controller, random.Random(1), 0, 40, deque())
        before = controller.state_dict()
        with pytest.raises(ValueError, match=words):
            controller.load_state_dict(Controller(knobs(2)).state_dict() | change)
        assert controller.state_dict() == before

    @pytest.mark.parametrize(
        ("names", "words"),
        [(("a", "c"), r"\['b'\] are missing here, \['c'\] there"), (("b", "a"), "another order")],
    )
    def test_a_state_of_other_families_is_refused_by_name(self, names: tuple[str, str], words: str) -> None:
        def controller(*names: str) -> Controller:
            return Controller([Knob(name, 0, 64, no_guess) for name in names])

        with pytest.raises(ValueError, match=words):
            controller(*names).load_state_dict(controller("a", "b").state_dict())

    def test_the_state_of_a_thousand_families_is_under_six_megabytes(self) -> None:
        controller, rng = Controller(knobs(1000)), random.Random(6)
        for clock in range(1000):
            controller.place(((clock + 0.5) / 1000, rng.random(), rng.random()), clock)
        for family in range(1000):
            passed = rng.randrange(K + 1)
            outcomes = [i < passed for i in range(K)]
            controller.observe(family, 5.0, 0.0, outcomes, passed=0, failed=0, clock=1000 + family)
        assert len(json.dumps(controller.state_dict())) < 6_000_000


class TestErrors:
    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            ({"target": 1.0}, r"target .* not 1\.0"),
            ({"spread": 0.5}, r"spread .* not 0\.5"),
            ({"group_size": 1}, "not 1"),
            ({"revisit": 1.0}, r"revisit .* not 1\.0"),
            ({"knobs": []}, "at least one family"),
            ({"knobs": knobs() * 2}, "f0 has several"),
            ({"knobs": knobs(floor=-1)}, "f0 .* -1"),
            ({"knobs": knobs(floor=5, ceiling=4)}, "f0 .* from 5 to 4"),
            ({"knobs": knobs(floor=0.01, ceiling=0.014)}, "grid"),
            ({"knobs": knobs(share=0)}, "share of f0 .* not 0"),
        ],
    )
    def test_a_bad_argument_is_named(self, arguments: dict[str, Any], words: str) -> None:
        with pytest.raises(ValueError, match=words):
            Controller(**({"knobs": knobs()} | arguments))

    @pytest.mark.parametrize("chance", [-0.1, 0.99])
    def test_an_impossible_chance_level_is_named(self, chance: float) -> None:
        with pytest.raises(ValueError, match="f0 has a chance level"):
            Controller(knobs(guess=lambda difficulty: chance)).place((0.5, 0.5, 0.5), 0)


class TestPlacement:
    @pytest.mark.parametrize(("floor", "ceiling"), [(0.0, 64.0), (2.01, 2.99), (8.0, 8.0), (16.0, 512.0)])
    def test_difficulties_are_on_the_grid_and_in_the_range(self, floor: float, ceiling: float) -> None:
        controller, rng = Controller(knobs(floor=floor, ceiling=ceiling)), random.Random(7)
        for clock in range(60):
            group = controller.place((rng.random(), rng.random(), rng.random()), clock)
            assert floor <= group.difficulty <= ceiling
            assert (group.difficulty * 64).is_integer()
            whole(controller, group, rng.randrange(9), clock + 1)

    def test_the_chance_level_is_that_of_the_difficulty_to_one_part_in_1024(self) -> None:
        controller, rng = Controller(knobs(guess=lambda difficulty: 1 / (3 + difficulty))), random.Random(7)
        for clock in range(30):
            group = controller.place((rng.random(), rng.random(), rng.random()), clock)
            assert group.guess == round(1024 / (3 + group.difficulty)) / 1024

    def settled(self, passed: Callable[[float], float], **arguments: Any) -> Controller:
        controller, rng = Controller(knobs(), **arguments), random.Random(8)
        for clock in range(80):
            group = controller.place((rng.random(), rng.random(), rng.random()), clock)
            p = passed(math.log1p(group.difficulty))
            whole(controller, group, sum(rng.random() < p for _ in range(K)), clock + 1)
        return controller

    def test_the_position_sweeps_the_pass_rates_around_the_target(self) -> None:
        controller = self.settled(lambda x: 1 / (1 + math.exp(1.386 * (x - 2.5))))
        rates = []
        for position in (0.0, 0.5, 1 - 1e-9):
            rates.append(controller.place((0.5, 0.9, position), 80).pass_rate)
            controller.release(0)
        assert rates == pytest.approx([0.8, 0.5, 0.2], abs=0.03)

    def test_where_the_pass_rate_rises_the_position_sweeps_the_other_way(self) -> None:
        controller = self.settled(lambda x: 1 / (1 + math.exp(1.386 * (2.5 - x))), target=0.3, spread=0.2)
        rates = []
        for position in (0.0, 1 - 1e-9):
            rates.append(controller.place((0.5, 0.5, position), 80).pass_rate)
            controller.release(0)
        assert rates == pytest.approx([0.1, 0.5], abs=0.03)

    @pytest.mark.parametrize("target", [0.3, 0.5, 0.8])
    def test_without_a_spread_the_target_is_met_as_a_point(self, target: float) -> None:
        controller = self.settled(lambda x: 1 / (1 + math.exp(1.386 * (x - 2.5))), target=target, spread=0)
        places = set()
        for position in (0.0, 0.5, 0.99):
            places.add(controller.place((0.5, 0.9, position), 80))
            controller.release(0)
        (place,) = places
        assert place.pass_rate == pytest.approx(target, abs=0.02)

    def test_unsure_groups_in_flight_are_spread_even_without_a_spread(self) -> None:
        controller = Controller(knobs(), spread=0)
        places = [controller.place((0.5, 0.9, 0.5), 0).difficulty for _ in range(16)]
        assert len(set(places)) == 16
        assert np.ptp(np.log1p(places)) > 1

    def test_predictions_are_probabilities_that_fit_the_start(self) -> None:
        group = Controller(knobs(), spread=0).place((0.5, 0.9, 0.5), 0)
        assert group.difficulty == pytest.approx(6, abs=0.5)
        assert group.pass_rate == pytest.approx(0.5, abs=0.05)
        assert 0.4 < group.useful_share < 0.9
