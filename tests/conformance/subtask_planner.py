"""What every planner of subtasks must do. Subclass, and provide the fixture `planner`."""

from collections.abc import Mapping

from waypost.model import Considered, NodeId, Subtask
from waypost.protocols import SubtaskPlanner

__all__ = ["APPS", "SubtaskPlannerSuite", "fits"]

APPS = {"mail": "org.heron.mail", "shop": "org.pebble.shop"}
_WORDS = {"mail": ("write", "letter", "code"), "shop": ("basket", "pay", "parcel")}
PAGES = tuple(
    Considered(NodeId(f"n{n}"), name, f"{name} page", ("Home", name))
    for n, name in enumerate(("A", "B", "C"))
)


def fits(clause: str) -> Mapping[str, float]:
    """Fit by a few words, as a memory would."""
    said = clause.casefold().split()
    return {app: float(sum(w in said for w in words)) for app, words in _WORDS.items()}


class SubtaskPlannerSuite:
    def test_every_part_names_an_installed_app_or_none_and_says_something(
        self, planner: SubtaskPlanner
    ) -> None:
        parts = planner.coarse("Read the code in the letter, then fill the basket", APPS, fits)
        assert parts
        assert all(p.app in {"", *APPS} for p in parts)
        assert all(p.what.strip() for p in parts)

    def test_nothing_is_needed_that_no_part_before_has_learnt(self, planner: SubtaskPlanner) -> None:
        parts = planner.coarse("Copy the code from the letter and enter it for the basket", APPS, fits)
        learnt: set[str] = set()
        for part in parts:
            assert set(part.needs) <= learnt
            learnt |= set(part.learns)

    def test_a_page_that_was_not_offered_is_never_chosen(self, planner: SubtaskPlanner) -> None:
        for pages in (PAGES, PAGES[:1], ()):
            for sure in (True, False):
                chosen, words = planner.fine(Subtask("write a letter", "mail"), pages, sure)
                assert -1 <= chosen < len(pages)
                assert words or chosen < 0

    def test_no_installed_app_means_no_app(self, planner: SubtaskPlanner) -> None:
        assert all(p.app == "" for p in planner.coarse("write a letter", {}, lambda clause: {}))

    def test_it_says_who_it_is(self, planner: SubtaskPlanner) -> None:
        assert planner.id
