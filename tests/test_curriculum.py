"""Draw and report: what a real trainer may do to a curriculum, and what must come of it.

Longer than 300 lines: its claims share two stand-in families and one player.
"""

from __future__ import annotations

import copy
import json
import logging
import multiprocessing
import os
import pickle
import random
import threading
import zlib
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from taskgen import TRUNCATED, Curriculum, Family, Problem, Ticket
from taskgen.family import family
from taskgen.ledger import HORIZON
from taskgen.sampling import Draw
from taskgen.stored import pack
from taskgen_verifiers import Number


@family(area="test", ceiling=64)
def counting(rng: Draw, difficulty: int) -> Problem:
    """Count. Method counted: one step a number."""
    number = rng.integer(0, 10**9)
    return Problem(f"Write ${number}$.", str(number), Number("integer"), 1 + difficulty, str(number))


@family(area="test", ceiling=64)
def other_counting(rng: Draw, difficulty: int) -> Problem:
    """Count otherwise. Method counted: one step a number."""
    number = rng.integer(0, 10**9)
    return Problem(f"Write ${number}$.", str(number), Number("integer"), 1 + difficulty, str(number))


def new(*families: Family, **arguments: Any) -> Curriculum:
    return Curriculum(families or (counting, other_counting), **arguments)


def belief(curriculum: Curriculum) -> list[tuple[Any, ...]]:
    return [(e.name, e.d50, e.low, e.high) for e in curriculum.estimates()]


def close_to(left: Curriculum, right: Curriculum) -> bool:
    return all(
        np.allclose(a[1:], b[1:], rtol=1e-4, atol=1e-4) for a, b in zip(belief(left), belief(right), strict=True)
    )


def play(curriculum: Curriculum, groups: int, seed: int = 0) -> list[str]:
    """Draws and reports as a policy of ability 6 would, four groups in flight; the ids of all tasks drawn."""
    rng, flying, drawn = random.Random(seed), [], []
    for _ in range(groups):
        (ticket,) = curriculum.draw()
        drawn.append(ticket.task.id)
        flying.append(ticket)
        if len(flying) > 4:
            done = flying.pop(rng.randrange(len(flying)))
            p = 0.5 ** ((1 + done.task.difficulty) / 7)
            curriculum.report(done, [int(rng.random() < p) for _ in range(8)])
    return drawn


RESULTS = [1, 0, 0, 1, 1, 0, 1, 0]


class TestReports:
    def test_single_outcomes_teach_what_a_group_teaches(self) -> None:
        whole, single = new(seed=1), new(seed=1)
        for _ in range(12):
            a, b = whole.draw()[0], single.draw()[0]
            whole.report(a, RESULTS)
            for key, outcome in enumerate(RESULTS):
                single.report(b, [outcome], keys=[key])
        assert close_to(whole, single)
        assert whole.metrics()["taskgen/frac_mixed"] == single.metrics()["taskgen/frac_mixed"] == 1

    def test_the_order_of_outcomes_and_of_tickets_does_not_matter(self) -> None:
        left, right = new(seed=2), new(seed=2)
        pairs = list(zip(left.draw(16), right.draw(16), strict=True))
        results = [[int(random.Random(i).random() < 0.4) for i in range(8 * n, 8 * n + 8)] for n in range(16)]
        for (ticket, _), outcomes in zip(pairs, results, strict=True):
            left.report(ticket, outcomes)
        for (_, ticket), outcomes in reversed(list(zip(pairs, results, strict=True))):
            right.report(ticket, outcomes[::-1])
        # The shift that families share is estimated along the way, so orders agree within a tenth of x, not to the bit.
        for (_, a, *_), (_, b, *_) in zip(belief(left), belief(right), strict=True):
            assert abs(np.log1p(a) - np.log1p(b)) < 0.1

    def test_a_repeated_report_changes_nothing(self) -> None:
        once, twice = new(seed=3), new(seed=3)
        for ticket, again in zip(once.draw(8), twice.draw(8), strict=True):
            once.report(ticket, RESULTS)
            twice.report(again, RESULTS)
            twice.report(again, RESULTS)
            twice.report(again, RESULTS[:2], keys=["x", "y"])
        assert belief(once) == belief(twice)
        assert twice.metrics()["taskgen/ignored"] == 16

    def test_a_repeated_key_changes_nothing(self) -> None:
        once, twice = new(seed=3), new(seed=3)
        for ticket, again in zip(once.draw(8), twice.draw(8), strict=True):
            once.report(ticket, RESULTS, keys=range(8))
            twice.report(again, RESULTS[:5], keys=range(5))
            twice.report(again, RESULTS[:3], keys=range(3))
            twice.report(again, RESULTS, keys=range(8))
        assert close_to(once, twice)

    def test_partial_groups_teach_what_they_hold(self) -> None:
        partial, whole = new(seed=4), new(seed=4)
        for a, b in zip(partial.draw(4), whole.draw(4), strict=True):
            partial.report(a, RESULTS[:3], keys="abc")
            whole.report(b, [*RESULTS[:3], None, None, None, None, None])
        assert belief(partial) == belief(whole)
        assert partial.metrics()["taskgen/open"] == 4
        assert whole.metrics()["taskgen/open"] == 0

    def test_an_infrastructure_error_is_no_evidence(self) -> None:
        failed, quiet = new(seed=5), new(seed=5)
        failed.report(failed.draw()[0], [None] * 8)
        quiet.cancel(quiet.draw()[0])
        assert belief(failed) == belief(quiet)
        assert failed.metrics()["taskgen/unscorable"] == 1

    def test_truncation_steers_like_failure_and_is_told_apart(self) -> None:
        truncated, wrong = new(seed=6), new(seed=6)
        truncated.report(truncated.draw()[0], [1, TRUNCATED, TRUNCATED, "truncated", 0, 0, 0, 0])
        wrong.report(wrong.draw()[0], [1, 0, 0, 0, 0, 0, 0, 0])
        assert belief(truncated) == belief(wrong)
        assert truncated.metrics()["taskgen/truncated"] == 3 / 8
        assert wrong.metrics()["taskgen/truncated"] == 0

    def test_every_way_to_name_a_ticket_works(self) -> None:
        curriculum = new(seed=7)
        first, second, third, fourth = curriculum.draw(4)
        curriculum.report(first, RESULTS)
        curriculum.report(second.id, RESULTS)
        curriculum.report(third.number, RESULTS)
        curriculum.report(Ticket.from_json(fourth.to_json()).to_json(), RESULTS)
        assert curriculum.metrics()["taskgen/open"] == 0
        assert curriculum.metrics()["taskgen/ignored"] == 0

    @pytest.mark.parametrize("good", [True, 1, 1.0, np.float32(1), np.bool_(True), np.int64(1), "passed"])
    def test_every_kind_of_one_is_a_pass(self, good: object) -> None:
        curriculum = new(seed=8)
        curriculum.report(curriculum.draw()[0], [good] * 8)
        assert curriculum.metrics()["taskgen/frac_all_correct"] == 1

    def test_verdicts_are_outcomes(self) -> None:
        curriculum = new(seed=8)
        (ticket,) = curriculum.draw()
        texts = [f"\\boxed{{{ticket.task.answer}}}", "\\boxed{7}", "I give up."]
        curriculum.report(ticket, [ticket.task.judge(text) for text in texts], keys=texts)
        curriculum.report(ticket, [None] * 5, keys=range(5))
        metrics = curriculum.metrics()
        assert metrics["taskgen/unreadable"] == 1 / 8
        assert metrics["taskgen/pass_rate"] == pytest.approx(1 / 3)

    @pytest.mark.parametrize("bad", [0.5, 2, -1, "yes", float("nan"), [1]])
    def test_a_shaped_reward_is_refused_and_nothing_is_lost(self, bad: object) -> None:
        curriculum = new(seed=9)
        (ticket,) = curriculum.draw()
        with pytest.raises(ValueError, match="an outcome is 1, 0"):
            curriculum.report(ticket, [1, 0, bad, 1, 1, 1, 1, 1])
        curriculum.report(ticket, RESULTS)
        assert curriculum.metrics()["taskgen/frac_mixed"] == 1

    @pytest.mark.parametrize(
        ("outcomes", "keys", "message"),
        [
            ([1, 0], None, "2 outcomes for a group of 8 need keys"),
            ([1] * 9, None, "9 outcomes for a group of 8 need keys"),
            ([1, 0], ["a"], "2 outcomes came with 1 keys"),
        ],
    )
    def test_what_cannot_be_counted_once_is_refused(self, outcomes: Any, keys: Any, message: str) -> None:
        curriculum = new(seed=10)
        with pytest.raises(ValueError, match=message):
            curriculum.report(curriculum.draw()[0], outcomes, keys=keys)

    @pytest.mark.parametrize("bad", [None, 1.5, ["b"], ("b", 1)])
    def test_a_key_that_cannot_be_stored_is_refused_and_nothing_is_lost(self, bad: Any) -> None:
        curriculum = new(seed=10)
        (ticket,) = curriculum.draw()
        with pytest.raises(ValueError, match="a key is"):
            curriculum.report(ticket, [1, 0], keys=["a", bad])
        curriculum.report(ticket, RESULTS, keys="abcdefgh")
        assert curriculum.metrics()["taskgen/open"] == 0

    def test_numpys_integers_are_integers(self) -> None:
        curriculum = new(seed=10, group_size=np.int64(8))
        (ticket,) = curriculum.draw(policy_step=np.int64(3))
        curriculum.report(np.int64(ticket.number), RESULTS[:4], keys=np.arange(4))
        curriculum.report(ticket, RESULTS, keys=range(8), policy_step=np.int64(4))
        assert json.dumps(curriculum.state_dict())
        assert curriculum.metrics()["taskgen/frac_mixed"] == 1

    def test_a_whole_group_after_keyed_outcomes_needs_keys(self) -> None:
        curriculum = new(seed=10)
        (ticket,) = curriculum.draw()
        curriculum.report(ticket, [1], keys=["a"])
        with pytest.raises(ValueError, match="after keyed ones"):
            curriculum.report(ticket, RESULTS)

    def test_what_exceeds_the_group_is_left_out(self) -> None:
        curriculum = new(seed=11)
        (ticket,) = curriculum.draw()
        curriculum.report(ticket, [1] * 6, keys=range(6))
        curriculum.report(ticket, [1, 1, 0, 0], keys=range(6, 10))
        assert curriculum.metrics()["taskgen/frac_all_correct"] == 1

    @pytest.mark.parametrize("bad", ["", "7", "abc:x", 1.5, None, True])
    def test_what_is_no_ticket_is_named(self, bad: Any) -> None:
        with pytest.raises(ValueError, match="not a ticket"):
            new().report(bad, RESULTS)

    def test_tickets_of_another_run_are_ignored_with_a_sentence(self, caplog: pytest.LogCaptureFixture) -> None:
        curriculum, stranger = new(seed=1), new(seed=2)
        curriculum.draw(3)
        before = belief(curriculum)
        with caplog.at_level(logging.WARNING, "taskgen"):
            for ticket in stranger.draw(3):
                curriculum.report(ticket, RESULTS)
        assert belief(curriculum) == before
        assert curriculum.metrics()["taskgen/ignored"] == 3
        assert len(caplog.records) == 1

    def test_a_report_for_a_task_that_this_run_did_not_draw_under_that_number_is_ignored(self) -> None:
        before_crash = new(seed=1)
        state = before_crash.state_dict()
        play(before_crash, 30)
        late = before_crash.draw()[0]
        resumed = new(seed=1)
        resumed.load_state_dict(state)
        play(resumed, 40, seed=5)
        before = belief(resumed)
        ignored = resumed.metrics()["taskgen/ignored"]
        for name in (late, late.id, late.to_json()):
            resumed.report(name, RESULTS)
        assert resumed.metrics()["taskgen/ignored"] == ignored + 3
        assert belief(resumed) == before

    def test_a_cancelled_ticket_is_closed_and_keeps_what_came(self) -> None:
        cancelled, kept = new(seed=12), new(seed=12)
        a, b = cancelled.draw()[0], kept.draw()[0]
        for curriculum, ticket in ((cancelled, a), (kept, b)):
            curriculum.report(ticket, [1, 1, 0], keys="abc")
        cancelled.cancel(a)
        cancelled.report(a, [0], keys="d")
        assert belief(cancelled) == belief(kept)
        assert cancelled.metrics()["taskgen/cancelled"] == 1
        assert cancelled.metrics()["taskgen/open"] == 0


class TestHorizon:
    def test_old_open_tickets_count_as_lost(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("taskgen.ledger.HORIZON", 50)
        curriculum = new(seed=1)
        tickets = curriculum.draw(80)
        assert curriculum.metrics()["taskgen/open"] == 50
        assert curriculum.metrics()["taskgen/lost"] == 30
        before = belief(curriculum)
        curriculum.report(tickets[29], RESULTS)
        assert belief(curriculum) == before
        curriculum.report(tickets[30], RESULTS)
        assert curriculum.metrics()["taskgen/ignored"] == 1
        assert sum(estimate.in_flight for estimate in curriculum.estimates()) == 49

    def test_the_horizon_is_as_documented(self) -> None:
        assert HORIZON == 65_536

    def test_state_size_is_flat_however_much_is_lost(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("taskgen.ledger.HORIZON", 200)
        curriculum, sizes = new(counting, seed=1), []
        for _ in range(4):
            for ticket in curriculum.draw(400)[::2]:
                curriculum.report(ticket, RESULTS)
            sizes.append(len(json.dumps(curriculum.state_dict())))
        assert max(sizes) < 1.1 * min(sizes)

    @pytest.mark.slow
    def test_state_size_is_flat_after_a_million_draws(self) -> None:
        curriculum, sizes = new(counting, seed=1), []
        for _ in range(10):
            for _ in range(1000):
                for ticket in curriculum.draw(100)[:50]:
                    curriculum.report(ticket, RESULTS)
            sizes.append(len(json.dumps(curriculum.state_dict())))
        assert curriculum.metrics()["taskgen/drawn"] == 10**6
        assert max(sizes[1:]) < 1.1 * min(sizes[1:])
        assert max(sizes) < 6_000_000


class TestOrder:
    def test_many_draws_equal_single_draws(self) -> None:
        many, single = new(seed=3), new(seed=3)
        play(many, 30)
        play(single, 30)
        assert many.draw(64) == [single.draw()[0] for _ in range(64)]

    def test_the_same_calls_give_the_same_bits(self) -> None:
        left, right = new(seed=4), new(seed=4)
        assert play(left, 120) == play(right, 120)
        assert json.dumps(left.state_dict()) == json.dumps(right.state_dict())
        assert play(new(seed=5), 120) != play(new(seed=4), 120)

    @settings(max_examples=8)
    @given(st.integers(0, 60), st.integers(0, 3))
    def test_a_resumed_run_goes_on_bit_for_bit(self, groups: int, seed: int) -> None:
        whole = new(seed=seed, probe=0.1, group_size=8)
        play(whole, groups, seed)
        state = json.loads(json.dumps(whole.state_dict()))
        open_before = whole.draw(3)
        resumed = new(seed=seed, probe=0.1, group_size=8)
        resumed.load_state_dict(state)
        assert resumed.draw(3) == open_before
        for curriculum in (whole, resumed):
            curriculum.report(open_before[0], RESULTS[:4], keys="abcd")
        assert play(whole, 40, 9) == play(resumed, 40, 9)
        assert json.dumps(whole.state_dict()) == json.dumps(resumed.state_dict())

    def test_a_resumed_run_of_many_families_chooses_the_same_ones(self) -> None:
        many = [Family(**{**vars(counting), "name": f"counting_{i}"}) for i in range(12)]
        whole = new(*many, seed=1)
        play(whole, 150)
        whole.draw(50)
        resumed = new(*many, seed=1)
        resumed.load_state_dict(json.loads(json.dumps(whole.state_dict())))
        assert whole.draw(1500) == resumed.draw(1500)

    def test_a_ticket_reports_after_a_restart(self) -> None:
        before = new(seed=6)
        (ticket,) = before.draw()
        before.report(ticket, RESULTS[:3], keys=[0, 1, 2])
        after = new(seed=6)
        after.load_state_dict(json.loads(json.dumps(before.state_dict())))
        after.report(ticket, RESULTS, keys=range(8))
        before.report(ticket, RESULTS, keys=range(8))
        assert belief(before) == belief(after)
        assert after.metrics()["taskgen/frac_mixed"] == 1

    def test_states_of_other_runs_and_versions_are_refused_and_change_nothing(self) -> None:
        curriculum = new(seed=7)
        state = new(seed=8).state_dict()
        before = json.dumps(curriculum.state_dict())
        with pytest.raises(ValueError, match="other arguments"):
            curriculum.load_state_dict(state)
        with pytest.raises(ValueError, match="state version 99"):
            curriculum.load_state_dict({**state, "version": 99})
        torn = new(seed=7)
        play(torn, 20)
        with pytest.raises(zlib.error):
            curriculum.load_state_dict({**torn.state_dict(), "ledger": pack(b"x" * 99)[:-8] + "AAAAAAA="})
        assert json.dumps(curriculum.state_dict()) == before

    def test_policy_steps_time_the_drift_and_staleness(self) -> None:
        curriculum = new(seed=9)
        first = curriculum.draw(8, policy_step=0)
        curriculum.draw(8, policy_step=2)
        for ticket in first:
            curriculum.report(ticket, RESULTS, policy_step=3)
        assert curriculum.metrics()["taskgen/staleness"] == 3


class TestProcesses:
    def test_threads_draw_every_number_once(self) -> None:
        curriculum, seen = new(seed=1), []

        def work() -> None:
            for _ in range(40):
                for ticket in curriculum.draw(2):
                    seen.append(ticket.number)
                    curriculum.report(ticket, RESULTS)

        threads = [threading.Thread(target=work) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(seen) == list(range(480))
        metrics = curriculum.metrics()
        assert (metrics["taskgen/open"], metrics["taskgen/ignored"], metrics["taskgen/drawn"]) == (0, 0, 480)

    @pytest.mark.parametrize("carry", [pickle.dumps, copy.copy, copy.deepcopy])
    def test_a_curriculum_does_not_travel(self, carry: Any) -> None:
        with pytest.raises(TypeError, match=r"Ray actor or a service"):
            carry(new())

    @pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this platform")
    @pytest.mark.filterwarnings("ignore::DeprecationWarning")
    def test_use_after_a_fork_says_what_to_do(self) -> None:
        curriculum = new()
        context = multiprocessing.get_context("fork")
        answers = context.SimpleQueue()

        def child() -> None:
            try:
                curriculum.draw()
            except RuntimeError as error:
                answers.put(str(error))

        process = context.Process(target=child)
        process.start()
        process.join(60)
        assert process.exitcode == 0
        assert not answers.empty()
        assert "used after a fork" in answers.get()


class TestFamilies:
    def test_shares_are_kept_where_the_mix_does_not_adapt(self) -> None:
        curriculum = new(seed=2, adapt_mix=False, shares={"counting": 3.0})
        counts = Counter(ticket.task.family for ticket in curriculum.draw(2000))
        # 1,500 expected; five standard deviations are 97.
        assert abs(counts["counting"] - 1500) < 97

    def test_probes_are_eval_tasks_that_teach_nothing(self) -> None:
        curriculum = new(seed=3, probe=0.2)
        tickets = curriculum.draw(500)
        before = belief(curriculum)
        probes = [ticket for ticket in tickets if ticket.probe]
        assert 50 < len(probes) < 150
        assert all(ticket.task.split == "eval" for ticket in probes)
        assert all(ticket.task.split == "train" for ticket in tickets if not ticket.probe)
        assert len({ticket.task.id for ticket in probes}) <= 24
        for ticket in probes:
            curriculum.report(ticket, [1] * 8)
        assert belief(curriculum) == before
        assert curriculum.metrics()["taskgen/probe_pass_rate"] == 1
        assert curriculum.metrics()["taskgen/pass_rate"] == 0

    def test_no_probes_unless_asked(self) -> None:
        assert not any(ticket.probe for ticket in new(seed=3).draw(200))

    def test_it_is_never_empty_handed(self, caplog: pytest.LogCaptureFixture) -> None:
        curriculum = new(counting, seed=4)
        with caplog.at_level(logging.WARNING, "taskgen"):
            for _ in range(120):
                for ticket in curriculum.draw(2):
                    curriculum.report(ticket, [0] * 8)
        metrics = curriculum.metrics()
        assert metrics["taskgen/nothing_learnable"] == 1
        assert metrics["taskgen/families_active"] == 0
        assert curriculum.draw()[0].task.difficulty == 0
        assert sum("learnable" in record.message for record in caplog.records) == 1

    def test_a_format_fault_is_flagged_and_never_retired(self) -> None:
        curriculum = new(seed=5)
        for _ in range(150):
            (ticket,) = curriculum.draw()
            bad = ticket.task.family == "counting"
            curriculum.report(ticket, ["unreadable"] * 8 if bad else RESULTS)
        fault, fine = curriculum.estimates()
        assert "format" in fault.flags
        assert fault.status != "retired"
        assert "format" not in fine.flags

    @pytest.mark.parametrize(("size", "noise"), [(1, 0), (8, 5)])
    def test_a_format_fault_is_seen_in_small_and_in_torn_groups(self, size: int, noise: int) -> None:
        curriculum = new(seed=5, group_size=size)
        for _ in range(200):
            (ticket,) = curriculum.draw()
            bad = ["unreadable"] * (size - noise) + [None] * noise
            curriculum.report(ticket, bad if ticket.task.family == "counting" else (RESULTS * 2)[:size])
        fault, _ = curriculum.estimates()
        assert "format" in fault.flags
        assert fault.status == "held"

    def test_probes_keep_to_the_limit_and_do_not_end_the_run(self) -> None:
        @family(area="test")
        def broken_eval(rng: Draw, difficulty: int) -> Problem:
            """Breaks. Method counted: none."""
            if difficulty > 4:
                raise IndexError("a slip of the author's")
            return counting.propose(rng, difficulty)

        limited = new(counting, seed=1, probe=0.3, max_difficulty=5).draw(100)
        assert max(ticket.task.difficulty for ticket in limited) <= 5
        assert len(new(counting, broken_eval, seed=1, probe=0.3).draw(100)) == 100

    def test_a_family_without_an_eval_split_is_named(self) -> None:
        small = Family(**{**vars(counting), "name": "small", "capacity": lambda difficulty: 50.0})
        with pytest.raises(ValueError, match="small never has 200 problems"):
            new(small, split="eval")
        with pytest.raises(ValueError, match="small never has 200 problems"):
            small.task(8, 0, "eval")
        assert any(ticket.probe for ticket in new(small, counting, probe=0.3).draw(30))

    def test_a_family_that_cannot_serve_does_not_end_the_run(self, caplog: pytest.LogCaptureFixture) -> None:
        @family(area="test")
        def broken_above_four(rng: Draw, difficulty: int) -> Problem:
            """Breaks. Method counted: none."""
            if difficulty > 4:
                raise ValueError("there are no such numbers")
            return counting.propose(rng, difficulty)

        curriculum = new(broken_above_four, counting, seed=6)
        with caplog.at_level(logging.WARNING, "taskgen"):
            tickets = curriculum.draw(200)
        assert len(tickets) == 200
        assert curriculum.metrics()["taskgen/skipped"] > 0
        assert sum("skipped" in record.message for record in caplog.records) == 1

    def test_an_eval_curriculum_draws_eval_tasks(self) -> None:
        tickets = Curriculum("addition_chain", split="eval", seed=1).draw(30)
        assert all(ticket.task.split == "eval" for ticket in tickets)

    def test_max_difficulty_holds(self) -> None:
        curriculum = new(counting, seed=1, max_difficulty=5)
        for _ in range(60):
            (ticket,) = curriculum.draw()
            assert ticket.task.difficulty <= 5
            curriculum.report(ticket, [1] * 8)

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ({"families": "additon_chain"}, "nearest is addition_chain"),
            ({"families": []}, "no family was chosen"),
            ({"families": [counting, counting, Family(**{**vars(counting), "version": 2})]}, "two families are called"),
            ({"shares": {"nobody": 1.0}}, "'nobody'"),
            ({"shares": {"counting": -1.0}}, "not -1.0"),
            ({"probe": 0.9}, "not 0.9"),
            ({"target": 1.5}, "1.5"),
            ({"group_size": 0}, "0"),
            ({"split": "test"}, "unknown split 'test'"),
            ({"style": "xml"}, "unknown style 'xml'"),
            ({"seed": -1}, "not -1"),
            ({"max_difficulty": -2}, "-2"),
            ({"max_difficulty": float("nan")}, "nan"),
        ],
    )
    def test_bad_arguments_are_named(self, arguments: dict[str, Any], message: str) -> None:
        with pytest.raises(ValueError, match=message):
            Curriculum(**{"families": [counting], **arguments})


class TestSteering:
    def test_it_finds_a_policys_difficulty_and_reports_it_as_ability(self) -> None:
        curriculum = new(counting, seed=1)
        play(curriculum, 300)
        (estimate,) = curriculum.estimates()
        # play() answers as a policy that passes half of the time at difficulty 6.
        assert estimate.low < 6 < estimate.high
        metrics = curriculum.metrics(per_family=True)
        assert abs(metrics["taskgen/ability"] - np.log1p(6)) < 0.25
        assert abs(metrics["taskgen/pass_rate"] - 0.5) < 0.08
        assert metrics["taskgen/frac_mixed"] > 0.85
        assert abs(metrics["taskgen/frac_mixed"] - metrics["taskgen/frac_mixed_promised"]) < 0.1
        assert metrics["taskgen/counting/difficulty"] == estimate.d50

    def test_unanimous_groups_at_one_half_are_told_from_mixed_ones(self) -> None:
        curriculum, rng = new(counting, seed=2), random.Random(1)
        for _ in range(300):
            (ticket,) = curriculum.draw()
            curriculum.report(ticket, [int(rng.random() < 0.5)] * 8)
        metrics = curriculum.metrics()
        assert abs(metrics["taskgen/pass_rate"] - 0.5) < 0.2
        assert metrics["taskgen/frac_mixed_promised"] > 0.9
        assert metrics["taskgen/frac_mixed"] == 0
        assert metrics["taskgen/frac_all_correct"] + metrics["taskgen/frac_all_wrong"] == pytest.approx(1)

    def test_metrics_are_flat_numbers_under_one_prefix(self) -> None:
        curriculum = new(seed=3)
        play(curriculum, 20)
        metrics = curriculum.metrics(per_family=True)
        assert all(name.startswith("taskgen/") for name in metrics)
        assert all(type(value) is float for value in metrics.values())
