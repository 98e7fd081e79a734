"""Facts inside one task: made with evidence, corrected, struck with what hangs on them, recalled, resumed."""

import dataclasses

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from waypost.anchors import AnchorConfig, AnchorMemory, Draft
from waypost.model import (
    Anchor,
    AnchorId,
    AnchorKind,
    AnchorStatus,
    Episode,
    Link,
    Proof,
    Relation,
    StopReason,
    Task,
)
from waypost.model.codec import decode, encode


def _fact(
    name: str, value: str, step: int = 0, page: str = "Home", *links: Link, doubted: bool = False
) -> Draft:
    proof = Proof(step, f"{name} {value}", page=page)
    return Draft(AnchorKind.DEPENDENCY, f"{name}: {value}", proof, name, value, links, doubted)


def _goal(words: str) -> Draft:
    return Draft(AnchorKind.SUBGOAL, words, Proof(0))


def _contents(memory: AnchorMemory, wanted: str) -> list[str]:
    return [a.content for a in memory.recall(wanted)]


def test_a_later_look_that_differs_supersedes_the_earlier_one() -> None:
    memory = AnchorMemory()
    old = memory.add(_fact("Total", "12", 1))
    new = memory.add(_fact("Total", "15", 7))
    assert [a.id for a in memory.valid()] == [new.id]
    was = memory.anchors[0]
    assert (was.id, was.status, was.why) == (old.id, AnchorStatus.SUPERSEDED, "a2 says '15'")


def test_the_same_name_on_another_page_is_another_thing() -> None:
    memory = AnchorMemory()
    memory.add(_fact("Total", "12", 1, "Basket"))
    memory.add(_fact("Total", "99", 2, "Orders"))
    assert len(memory.valid()) == 2


def test_two_things_of_one_name_on_one_page_are_both_kept_and_doubted() -> None:
    memory = AnchorMemory()
    memory.add(_fact("07:00", "Work, Weekdays", 1, doubted=True))
    memory.add(_fact("07:00", "Work, Weekend", 1, doubted=True))
    assert [a.doubted for a in memory.valid()] == [True, True]


def test_what_is_known_is_not_noted_twice() -> None:
    memory = AnchorMemory()
    assert memory.add(_fact("Total", "12", 1)) == memory.add(_fact("Total", "12", 5))


def test_a_struck_anchor_takes_its_dependents_along() -> None:
    memory = AnchorMemory()
    price = memory.add(_fact("Price", "12"))
    total = memory.add(_fact("Total", "24", 1, "Home", Link(Relation.RESULT_OF, price.id)))
    paid = memory.add(_fact("Paid", "24", 2, "Home", Link(Relation.PREREQUISITE, total.id)))
    error = memory.add(_fact("Error", "no net", 3, "Home", Link(Relation.BLOCKS, price.id)))
    assert memory.strike(price.id, "it was another shop") == (price.id, total.id, paid.id)
    assert [a.id for a in memory.valid()] == [error.id]
    assert "hung on a2" in memory.anchors[2].why


def test_what_hangs_on_a_superseded_value_is_struck() -> None:
    memory = AnchorMemory()
    price = memory.add(_fact("Price", "12"))
    memory.add(_fact("Total", "24", 1, "Home", Link(Relation.RESULT_OF, price.id)))
    memory.add(_fact("Price", "15", 2))
    assert _contents(memory, "total") == ["Price: 15"]


def test_a_circle_of_links_is_struck_once() -> None:
    ring = [
        Anchor(
            AnchorId(f"a{n}"),
            AnchorKind.DEPENDENCY,
            f"{n}",
            Proof(n),
            links=(Link(Relation.ENABLES, AnchorId(f"a{n % 3 + 1}")),),
        )
        for n in (1, 2, 3)
    ]
    memory = AnchorMemory(ring)
    assert sorted(memory.strike(AnchorId("a1"), "wrong")) == ["a1", "a2", "a3"]


def test_a_sub_goal_is_never_done_without_a_look_that_shows_it() -> None:
    memory = AnchorMemory()
    goal, following = memory.add(_goal("find the price")), memory.add(_goal("write it to Ann"))
    assert not memory.complete(goal.id, None)
    assert not memory.complete(goal.id, Proof(3))
    assert memory.subgoal == goal
    assert memory.complete(goal.id, Proof(3, "Price 12"))
    assert memory.subgoal == following


def test_a_revised_anchor_keeps_its_links_and_is_not_doubted_any_more() -> None:
    memory = AnchorMemory()
    code = memory.add(_fact("Code", "12…", doubted=True))
    memory.revise(code.id, value="1234", proof=Proof(1, "Code 1234", page="Home"))
    (now,) = memory.valid()
    assert (now.id, now.content, now.doubted) == (code.id, "Code: 1234", False)
    # The same text, cut short once more, is no news.
    memory.add(_fact("Code", "12…", 5, doubted=True))
    assert len(memory.valid()) == 1


def test_what_bears_on_the_wish_comes_first_and_old_facts_before_fresh_noise() -> None:
    memory = AnchorMemory()
    memory.add(_fact("Ferry code", "B-17", 1, "Tickets"))
    for n in range(30):
        memory.add(_fact(f"Row {n}", "noise", n + 2, "List"))
    assert _contents(memory, "write the ferry code to Ann")[0] == "Ferry code: B-17"


def test_over_capacity_the_facts_of_what_is_done_become_one_and_keep_their_values() -> None:
    memory = AnchorMemory(config=AnchorConfig(capacity=6))
    goal = memory.add(_goal("look around"))
    for n in range(4):
        memory.add(_fact(f"Name {n}", f"value {n}", n))
    memory.complete(goal.id, Proof(4, "all seen"))
    memory.add(_goal("go on"))
    memory.add(_fact("Fresh", "new", 9))
    assert len(memory.valid()) <= 6
    (earlier,) = [a for a in memory.valid() if a.content.startswith("Earlier:")]
    assert "Name 2: value 2" in earlier.content
    assert {a.status for a in memory.anchors if a.name.startswith("Name")} == {AnchorStatus.FOLDED}


def test_links_to_nothing_are_refused() -> None:
    with pytest.raises(ValueError, match="no anchor 'a9'"):
        AnchorMemory().add(_fact("Total", "1", 0, "Home", Link(Relation.ENABLES, AnchorId("a9"))))
    with pytest.raises(ValueError, match="no valid anchor"):
        AnchorMemory().strike(AnchorId("a1"), "gone")


def test_an_interrupted_task_is_resumed_from_its_episode() -> None:
    memory = AnchorMemory()
    goal = memory.add(_goal("find the price"))
    memory.add(_fact("Price", "12", 1))
    memory.add(_fact("Price", "15", 2))
    episode = Episode(Task("t", "", "x"), (), None, StopReason.DEVICE_LOST, anchors=memory.anchors)
    kept = decode(Episode, encode(episode))
    again = AnchorMemory(kept.anchors)
    assert again.anchors == memory.anchors
    assert again.subgoal == goal
    assert again.add(_fact("New", "1", 3)).id == "a4"


@settings(parent=settings.get_profile("fuzz"))
@given(
    st.lists(
        st.tuples(st.sampled_from("abcd"), st.sampled_from("xyz"), st.booleans(), st.integers(0, 9)),
        max_size=60,
    )
)
def test_whatever_is_noted_no_two_valid_anchors_contradict_and_nothing_is_lost(
    steps: list[tuple[str, str, bool, int]],
) -> None:
    memory = AnchorMemory(config=AnchorConfig(capacity=10))
    for n, (name, value, linked, which) in enumerate(steps):
        valid = memory.valid()
        links = (Link(Relation.RESULT_OF, valid[which % len(valid)].id),) if linked and valid else ()
        memory.add(_fact(name, value, n, "Home", *links))
        assert len(memory.valid()) <= 10
        if which == 0:
            memory.strike(memory.valid()[0].id, "drawn")
        names = [a.name for a in memory.valid() if a.name]
        assert len(names) == len(set(names))
        alive = {a.id for a in memory.valid()}
        for anchor in memory.valid():
            # What hangs on something lives as long as it does, unless a summary took it in.
            bases = [a for k in anchor.links for a in memory.anchors if a.id == k.to and a.id not in alive]
            assert all(b.status is AnchorStatus.FOLDED for b in bases)
    assert [a.id for a in memory.anchors] == [f"a{n + 1}" for n in range(len(memory.anchors))]
    assert decode(tuple[Anchor, ...], encode(memory.anchors)) == memory.anchors
    assert all(dataclasses.is_dataclass(a) for a in memory.anchors)
