"""The desk's pages of the back office."""

from casino.office.desk.pages import (  # noqa: F401
    desk_pages,
    pay_pages,
    receipt_pages,
    shift_file,
    till_pages,
)
