"""The columns of record in the ledger's own tables."""

from wallets import models
from wallets.models import record_models, staff_models
from wallets.of_record.declarations import declare

_NUMBER = "a number, whose order alone counts"


def register() -> None:
    declare(
        models.Currency,
        record="code name exponent kind",
        by="command:found currency.add currency.change tournament.announce "
        "house:tournament.announce_due player:evening.open player:evening.rematch",
    )
    declare(models.Account, derived={"ledger": "id kind owner currency_id balance"})
    declare(models.Book, derived={"ledger": "name position head"})
    declare(
        models.Transaction,
        derived={
            "ledger": "id key kind book_id position reference reason actor time digest previous "
            "hash"
        },
    )
    declare(
        models.Entry,
        derived={"ledger": "transaction_id account_id amount balance_after"},
        free={_NUMBER: "id"},
    )
    declare(models.Closing, record="id time books previous hash", by="house:books.close")
    declare(
        models.ClosingHead,
        derived={"closings": "closing_id book_id position head"},
        free={_NUMBER: "id"},
    )
    declare(
        record_models.ClosingDigest,
        derived={"closings": "closing_id table rows total digest"},
        free={
            _NUMBER: "id",
            "from where the next closing goes on, whose digest would be another": "position",
        },
    )
    declare(
        record_models.RecordedChange,
        derived={
            "record": "id at table row what before after verb act entry_id seal position hash"
        },
    )
    declare(
        staff_models.JournalEntry,
        record="id position hash",
        derived={
            "journal": "at actor actor_name origin verb subject before after reason cause act "
            "changes previous"
        },
        by="house:journal.write",
    )
    declare(
        staff_models.Proposal,
        record="id key verb subject arguments state maker maker_name reason made_at expires_at "
        "status checker checker_name decision decided_at",
        digested="decided_lines",
        by="proposal.propose proposal.approve proposal.reject proposal.expire proposal.withdraw",
    )
    declare(
        staff_models.HouseLimit,
        record="name value",
        by="limit.change",
    )
    declare(
        models.Jackpot,
        record="id name kind pool_id seed reserve share_bp lowest highest active",
        by="jackpot.open jackpot.change jackpot.drain",
    )
    declare(
        models.Trigger,
        record="id jackpot_id number published opened reference committed_at opened_at",
        digested="sealed",
        by="house:jackpot.commit house:jackpot.open_trigger house:secrets.reseal",
    )
