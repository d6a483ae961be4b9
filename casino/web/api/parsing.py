"""Parse request bodies with the same strict decoder as hand records."""

from typing import IO, Any, Final

import msgspec
from rest_framework.parsers import BaseParser

from games.rules.reading import read_json

DECODER: Final = msgspec.json.Decoder(Any)


class Json(BaseParser):
    """JSON of bounded size and depth; anything else is refused with a sentence."""

    media_type = "application/json"

    def parse(
        self, stream: IO[bytes], media_type: object = None, parser_context: object = None
    ) -> object:
        return read_json(stream.read(), DECODER)
