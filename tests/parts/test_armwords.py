"""What an arm is called says what it is; what makes no sense is refused before anything is run."""

import pytest

from waypost.bench.comparison import markdown
from waypost.bench.store import Key, Memory, Run
from waypost.bench.summary import summary
from waypost.errors import UsageError
from waypost.guidance.formats import FORMATS
from waypost.model import Episode, StopReason, Target, Task, Verdict
from waypost.parts.armwords import arm_words, unfit
from waypost.parts.conditions import Condition
from waypost.parts.planning import PLANNERS, planner_called


@pytest.mark.parametrize("form", FORMATS)
def test_every_form_of_memory_can_be_named(form: str) -> None:
    words = arm_words(f"frontier+{form}")
    assert (words.memory, words.form) == ("frontier", form)
    assert Condition(f"frontier+{form}", "lexical", mode="open").who == "lexical"
    assert unfit(f"frontier+{form}", "follower")


@pytest.mark.parametrize("planner", [p for p in PLANNERS if p not in ("fast_downward", "lmcut", "lazy")])
def test_every_planner_can_be_named(planner: str) -> None:
    words = arm_words(f"manual+destination+{planner}")
    assert words.given
    assert words.planner == planner
    assert hasattr(planner_called(words.planner), "plan")
    assert not unfit(f"manual+{planner}", "follower")


def test_open_and_closed_loop_can_be_named_and_outweigh_the_option() -> None:
    assert arm_words("frontier+open").mode == "open"
    assert arm_words("frontier+closed").mode == "closed"
    assert arm_words("frontier").mode is None
    assert Condition("frontier", "lexical", mode="open").who == "lexical/open"
    assert Condition("frontier+edit", "lexical", mode="open").who == "lexical"


@pytest.mark.parametrize(
    ("arm", "why"),
    [
        ("frontier+kgrag", "none of them"),
        ("frontier+", "none of them"),
        ("frontier+open+closed", "in one way"),
        ("frontier+open+kg_rag", "in one way"),
        ("frontier+shortest+tree", "one planner"),
        ("none+kg_rag", "without a map"),
        ("none+destination", "without a map"),
        ("frontier+kg_rag+destination", "no page"),
        ("frontier+handbook+shortest", "no page"),
    ],
)
def test_what_makes_no_sense_is_refused_with_a_reason(arm: str, why: str) -> None:
    with pytest.raises(UsageError, match=why):
        arm_words(arm)


def _run(arm: str, task: str, *, reached: bool, tokens: int) -> Run:
    asked = Task(task, "clock", "say", Target(page="p"))
    episode = Episode(asked, (), None, StopReason.ARRIVED, claimed=reached)
    return Run(
        Key("pocket", task, arm, "lexical"),
        episode,
        memory=Memory(covered=True),
        told_tokens=tokens,
        told_looks=2 if tokens else 0,
        verdicts=(Verdict(reached, "", "truth"),),
    )


def test_the_table_counts_what_was_told_and_says_what_the_actor_is_blind_to() -> None:
    runs = [
        *(_run("none", t, reached=False, tokens=0) for t in "abc"),
        *(_run("manual", t, reached=True, tokens=20) for t in "abc"),
        *(_run("manual+auto_droid", t, reached=t == "a", tokens=400) for t in "abc"),
    ]
    found = summary(runs)
    told = {c.arm: c.as_json()["told"] for c in found.cells()}
    assert told["none"] is None
    # A form that chooses no page is not blamed for choosing a wrong one.
    assert not any(c.as_json()["structure"] for c in found.cells())
    assert told["manual+auto_droid"] == {"looks": 6, "pieces": 1200, "per_look": 200.0, "per_episode": 400.0}
    text = markdown(found)
    part = text[text.index("## What was told") :].split("\n\n")[1]
    assert FORMATS["auto_droid"].offline in part
    assert "| none" not in part
    assert f"left out: {FORMATS['auto_droid'].left_out}" in text
    # A form is held against the plain arm of the same map.
    assert ("manual", "manual+auto_droid") in {(p["first"], p["second"]) for p in found.pairs()}
