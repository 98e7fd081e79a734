"""Conditions under test: what a task is tried with, on a fresh device so that none leaks into the next."""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from waypost.actors import Lexical
from waypost.bench import Arm
from waypost.exploration import StartRecipe
from waypost.guidance import silent
from waypost.model import Episode, Task
from waypost.navigate import NavigateConfig, navigate, not_on_map
from waypost.parts.acting import Acting, GuideMode, How, acted
from waypost.parts.face import Map
from waypost.parts.started import Started
from waypost.protocols import Device

__all__ = ["OpenDevice", "RecipeOf", "acting_arm", "mapped", "unmapped"]

OpenDevice: TypeAlias = Callable[[Task], Device]
"""Opens a device in the task's start state; the arm closes it."""
RecipeOf: TypeAlias = Callable[[Task], StartRecipe | None]
"""What brings the app to a task's start state; None where a launch does."""


def unmapped(
    fresh: OpenDevice,
    *,
    recipe: RecipeOf = lambda task: None,
    seed: int = 0,
    limit: int = 40,
    pictures: bool = False,
) -> Arm:
    """No memory: the offline actor that matches words on what it sees."""

    def arm(task: Task) -> Episode:
        device = fresh(task)
        try:
            driven = _started(device, recipe(task))
            config = NavigateConfig(last_pixels=pictures)
            actor = Lexical(seed=seed)
            return navigate(replace(task, app=""), driven, actor, silent, limit=limit, config=config)
        finally:
            device.close()

    return arm


def mapped(
    memory: Callable[[Task], Map],
    fresh: OpenDevice,
    *,
    recipe: RecipeOf = lambda task: None,
    limit: int = 40,
    pictures: bool = False,
) -> Arm:
    """A map: find the page, plan the way, follow it with every landing verified."""

    def arm(task: Task) -> Episode:
        known = memory(task)
        answer = known.find(task.instruction)
        if answer.record is None:
            return not_on_map(task)
        device = fresh(task)
        try:
            driven = _started(device, recipe(task))
            found = known.follow(replace(task, app=""), answer, driven, limit=limit, pictures=pictures)
            assert found.episode is not None
            return found.episode
        finally:
            device.close()

    return arm


def acting_arm(
    acting: Acting,
    fresh: OpenDevice,
    *,
    memory: Callable[[Task], Map] | None = None,
    mode: GuideMode = "closed",
    recipe: RecipeOf = lambda task: None,
    limit: int = 40,
) -> Arm:
    """Any actor, with a map that tells it the way as `mode` says, or with none."""

    def unaided(task: Task) -> Episode:
        device = fresh(task)
        try:
            config = NavigateConfig(pixels=acting.pixels, last_pixels=True)
            started = _started(device, recipe(task))
            return navigate(
                replace(task, app=""), started, acting.actor(limit), silent, limit=limit, config=config
            )
        finally:
            device.close()

    def aided(task: Task) -> Episode:
        assert memory is not None
        known = memory(task)
        answer = known.find(task.instruction)
        if answer.record is None:
            return not_on_map(task)
        device = fresh(task)
        try:
            started = _started(device, recipe(task))
            how = How(limit, mode=mode, last_pixels=True)
            found = acted(known, replace(task, app=""), answer, started, acting, how)
            assert found.episode is not None
            return found.episode
        finally:
            device.close()

    return unaided if memory is None else aided


def _started(device: Device, recipe: StartRecipe | None) -> Device:
    return Started(device, recipe) if recipe else device
