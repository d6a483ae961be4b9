"""Reading JSON at the door: typed, bounded, and refused with a path and a sentence."""

from typing import TypeVar

import msgspec

from games.rules.errors import Unreadable

# A hand with the proof of an eight-deck shoe is a tenth of this.
JSON_BYTES_MAX = 1 << 20

T = TypeVar("T")


def read_json(text: bytes | str, decoder: msgspec.json.Decoder[T]) -> T:
    """What the text says, or `Unreadable`; never any other error."""
    data = text.encode("utf-8", "surrogateescape") if isinstance(text, str) else text
    if len(data) > JSON_BYTES_MAX:
        raise Unreadable("too_long", "The text is longer than {limit} bytes.", limit=JSON_BYTES_MAX)
    try:
        return decoder.decode(data)
    except msgspec.ValidationError as error:
        reason, _, path = str(error).partition(" - at ")
        raise Unreadable("wrong_shape", "{reason}.", reason=reason).at(
            path.strip("`") or "$"
        ) from None
    except msgspec.DecodeError as error:
        raise Unreadable("not_json", "{reason}.", reason=str(error)).at("$") from None
    except RecursionError:
        raise Unreadable("too_deep", "The text is nested too deeply.").at("$") from None
