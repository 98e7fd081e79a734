"""Later builds of pocket's apps: what is different is laid over the first build, and runs."""

import pytest

from waypost.adapters.pocket import PocketDevice, apps, load, truth
from waypost.adapters.pocket.load import builds, overlaid
from waypost.errors import UsageError


def test_two_apps_ship_a_second_build_and_it_is_no_app_of_its_own() -> None:
    assert builds() == ("mail@2", "settings@2")
    assert not set(builds()) & set(apps())


@pytest.mark.parametrize("build", builds())
def test_a_build_is_the_same_app_of_another_version(build: str) -> None:
    first, later = load(build.partition("@")[0]), load(build)
    assert (first.app, first.package) == (later.app, later.package)
    assert first.version != later.version
    assert len(set(truth.pages(first)) & set(truth.pages(later))) >= 0.9 * len(truth.pages(first))
    # All that is not taken away can be reached without a hazard, as in the first build.
    unreached = set(truth.pages(later)) - truth.reachable_without_hazards(later)
    assert unreached <= set(truth.pages(first)) - truth.reachable_without_hazards(first)


def test_a_phone_runs_the_build_that_it_is_named_for() -> None:
    phone = PocketDevice("mail@2")
    assert (phone.name, phone.app) == ("pocket:mail@2", "mail")
    assert phone.app_version("com.pocket.mail") == "5.0"
    assert PocketDevice("mail").app_version("com.pocket.mail") == "4.2"
    assert PocketDevice().app_version("com.pocket") == ""
    assert "filters" in phone.session().spec.pages
    phone.restart("com.pocket.mail")
    assert phone.where().startswith(("mail/", "side:"))


def test_a_build_that_is_not_there_is_refused_with_those_that_are() -> None:
    with pytest.raises(UsageError, match="no build 'mail@9'; it has mail@2"):
        load("mail@9")
    with pytest.raises(UsageError, match="no app 'post'"):
        PocketDevice("post@2")


def test_maps_are_laid_over_key_by_key_and_nothing_takes_away() -> None:
    under = {"pages": {"a": {"title": "A", "body": [1, 2]}, "b": {}}, "start": "a"}
    over = {"pages": {"a": {"title": "Z"}, "b": None, "c": {"body": None, "title": "C"}}}
    assert overlaid(under, over) == {
        "pages": {"a": {"title": "Z", "body": [1, 2]}, "c": {"title": "C"}},
        "start": "a",
    }
    assert under["pages"] == {"a": {"title": "A", "body": [1, 2]}, "b": {}}
