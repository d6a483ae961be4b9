"""The columns of record in the ledger's own tables."""

from wallets import models
from wallets.models import record_models, staff_models
from wallets.of_record.declarations import declare


def register() -> None:
    declare(
        models.Currency,
        record="code name exponent kind",
        by="wallets casino.ops.founding casino.community.evenings "
        "casino.office.demonstration.seeding games.tables.demo "
        "tournaments",
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
    declare(models.Entry, derived={"ledger": "id transaction_id account_id amount balance_after"})
    declare(models.Closing, record="id time books previous hash", by="wallets.audit.closings")
    declare(models.ClosingHead, derived={"closings": "id closing_id book_id position head"})
    declare(
        record_models.ClosingDigest,
        derived={"closings": "id table rows digest", "record": "closing_id position total"},
    )
    declare(
        record_models.RecordedChange,
        derived={"record": "id at table row what before after verb position hash"},
    )
    declare(
        staff_models.JournalEntry,
        record="id position hash",
        derived={
            "journal": "at actor actor_name origin verb subject before after reason cause previous"
        },
        by="wallets.staff.journal",
    )
    declare(
        staff_models.Proposal,
        record="id key verb subject arguments state maker maker_name reason made_at expires_at "
        "status checker checker_name decision decided_at",
        digested="decided_lines",
        by="wallets.staff.approvals",
    )
    declare(
        staff_models.HouseLimit,
        record="name value",
        by="wallets.money.limits wallets.staff.staff_verbs",
    )
    declare(
        models.Jackpot,
        record="id name kind pool_id seed reserve share_bp lowest highest active",
        by="wallets.money.jackpots casino.office.demonstration.seeding",
    )
    declare(
        models.Trigger,
        record="id jackpot_id number published opened reference committed_at opened_at",
        digested="sealed",
        by="wallets.money.jackpots wallets.storage.resealing games.tables "
        "casino.office.demonstration.seeding",
    )
