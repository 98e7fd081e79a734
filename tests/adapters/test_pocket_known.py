import pytest

from waypost.adapters.pocket import PocketDevice, apps
from waypost.adapters.pocket.known import app_truth, gate_recipe, start_recipe
from waypost.exploration import StartRecipe
from waypost.parts.started import Started

GATED = [app for app in apps() if start_recipe(app)]


def test_some_apps_keep_pages_behind_a_login() -> None:
    assert GATED
    assert all(gate_recipe(app) for app in GATED)


@pytest.mark.parametrize("app", GATED)
def test_a_start_recipe_leads_past_the_login_and_back_to_the_start(app: str) -> None:
    fresh = PocketDevice(app)
    fresh.restart()
    phone = PocketDevice(app)
    started = Started(phone, StartRecipe.parse(start_recipe(app), {}))
    started.restart()
    assert phone.session().vars["signed_in"]
    assert phone.where() == min(app_truth(app).shortest, key=app_truth(app).shortest.__getitem__)
    assert phone.hazards_done == []


@pytest.mark.parametrize("app", apps())
def test_the_truth_of_an_app_starts_somewhere_and_reaches_most_of_it(app: str) -> None:
    truth = app_truth(app)
    assert min(truth.shortest.values()) <= 1  # a prompt may lie over the first page
    assert truth.reachable <= truth.pages
    assert len(truth.reachable) >= 0.9 * len(truth.pages)
