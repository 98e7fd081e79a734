"""What goes wrong at an OpenAI-compatible endpoint: the SDK's error in, one of ours with the cure out."""

from dataclasses import dataclass
from typing import Any

from waypost.adapters.llm.sdk import sdk
from waypost.errors import BusyError, ModelError

__all__ = ["Asked", "fault", "told"]


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked where, as messages name it."""

    model: str
    base_url: str
    timeout: float
    """Seconds."""
    variables: str = "WAYPOST_LLM"
    """What the names of the variables begin with that say model and key."""


def fault(error: Exception, asked: Asked) -> ModelError:
    """Name what went wrong: a BusyError where asking again may help."""
    api, at = sdk(), asked.base_url
    match error:
        case api.RateLimitError() if "quota" in str(error).casefold():
            return ModelError(f"The account for {at} is out of credit: {told(error)}")
        case api.RateLimitError():
            return BusyError(f"{at} has too many questions at once", _after(error))
        case api.APITimeoutError():
            return BusyError(f"{at} gave no answer within {asked.timeout:g} s")
        case api.APIConnectionError():
            return BusyError(f"Cannot reach a model at {at}; is it running, and the address right?")
        case api.InternalServerError() if "not supported" in str(error):
            return ModelError(f"{asked.model} cannot do that: {told(error)}; for pictures, see --no-images")
        case api.InternalServerError():
            return BusyError(f"{at} failed: {told(error)}", _after(error))
        case api.AuthenticationError() | api.PermissionDeniedError():
            return ModelError(f"{at} does not accept the key; set {asked.variables}_KEY")
        case api.NotFoundError():
            return ModelError(
                f"{at} knows no model {asked.model!r}; set {asked.variables}_MODEL, or see its /models"
            )
    return ModelError(f"{at}: {told(error)}")


def told(error: Exception) -> str:
    """Return what an error says, on one line and not too long."""
    text = " ".join(str(error).split())
    return text if len(text) <= 300 else text[:299] + "…"


def _after(error: Any) -> float | None:
    """Return how long the server asks to wait; None where it does not, or names a date."""
    try:
        return max(0.0, float(error.response.headers.get("retry-after", "")))
    except (AttributeError, ValueError):
        return None
