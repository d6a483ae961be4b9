"""Reading JSON at the door: typed, bounded, and refused with a path and a sentence."""

from typing import TypeVar

import msgspec

from games.rules.errors import Unreadable

# A hand with the proof of an eight-deck shoe is a tenth of this.
JSON_BYTES_MAX = 1 << 20

T = TypeVar("T")


def read_json(text: bytes | str, decoder: msgspec.json.Decoder[T]) -> T:
    """The value of the text; raises `Unreadable` and no other error."""
    try:
        data = text.encode() if isinstance(text, str) else text
        if len(data) > JSON_BYTES_MAX:
            raise Unreadable(
                "too_long", "The text is longer than {limit} bytes.", limit=JSON_BYTES_MAX
            )
        return decoder.decode(data)
    except msgspec.ValidationError as error:
        raise wrong_shape(error) from None
    except msgspec.DecodeError as error:
        raise Unreadable("not_json", "{reason}.", reason=str(error)).at("$") from None
    except UnicodeError:
        raise Unreadable("not_json", "The text is not UTF-8.").at("$") from None
    except RecursionError:
        raise Unreadable("too_deep", "The text is nested too deeply.").at("$") from None


def wrong_shape(error: msgspec.ValidationError) -> Unreadable:
    """The decoder's error, with the path that it names."""
    reason, _, path = str(error).rpartition(" - at `$")
    if not reason:
        return Unreadable("wrong_shape", "{reason}.", reason=path).at("$")
    return Unreadable("wrong_shape", "{reason}.", reason=reason).at("$" + path.rstrip("`"))
