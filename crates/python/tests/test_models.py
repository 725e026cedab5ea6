"""Models against definitions written down here."""

import random

import pytest
from wirewright import OrderedList, Scheduler, internet_checksum


def test_the_list_against_its_definition():
    draw = random.Random(1)
    ordered, known, now = OrderedList(capacity=32), [], 0
    for step in range(5000):
        now += draw.randrange(3)
        kind = draw.randrange(4)
        if kind < 2:
            element = (draw.randrange(32), draw.randrange(8), now + draw.randrange(20))
            if any(element[0] == other[0] for other in known):
                with pytest.raises(KeyError, match="duplicate"):
                    ordered.enqueue(*element)
            else:
                ordered.enqueue(*element)
                known.append(element)
            continue
        low, high = sorted((draw.randrange(32), draw.randrange(32))) if kind == 3 else (0, 31)
        eligible = [other for other in known if other[2] <= now and low <= other[0] <= high]
        # min() takes the first of equal ranks, which came first.
        expected = min(eligible, key=lambda other: other[1], default=None)
        assert (ordered.dequeue_range(now, low, high) if kind == 3 else ordered.dequeue(now)) == expected
        if expected:
            known.remove(expected)
        assert len(ordered) == len(known)
    assert sorted(ordered.elements()) == sorted(known)
    with pytest.raises(ValueError, match="range"):
        OrderedList().enqueue(0, 1 << 16, 0)
    with pytest.raises(ValueError):
        OrderedList(capacity=0)


def test_a_scheduler_shares_by_weight():
    scheduler = Scheduler(
        """
        rate = "1 Gb/s"
        [root]
        policy = "wf2q+"
        [[root.children]]
        name = "three"
        weight = 3
        [[root.children]]
        name = "one"
        weight = 1
        """
    )
    assert scheduler.flows == ["three", "one"]
    for number in range(100):
        for flow in range(2):
            assert scheduler.enqueue(flow, number, 1000, 0)
    assert not scheduler.enqueue(2, 0, 1000, 0)
    # 1,000 bytes take 8 us.
    flows = [scheduler.dequeue(8_000_000 * turn)[0] for turn in range(80)]
    assert flows.count(0) == 60
    with pytest.raises(ValueError, match="1:5"):
        Scheduler("rate")


def test_the_checksum_of_a_known_header():
    header = bytes.fromhex("4500003c1c46400040060000ac100a63ac100a0c")
    assert internet_checksum(header) == 0xB1E6
