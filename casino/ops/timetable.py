"""The periodic jobs that beat starts; the sweeper does the due work at tables.

Optional apps have timetables of their own.
"""

from typing import Any, Final

from celery.schedules import crontab

from casino.ops.environment import GAMING_DAY_HOUR

TIMETABLE: Final[dict[str, dict[str, Any]]] = {
    # Daily the postings since the last closing, on Sundays all of them; then close what matches.
    # Hourly the same postings and all balances, without closing.
    "reconcile": {"task": "wallets.tasks.reconcile", "schedule": crontab(hour=4, minute=10)},
    "reconcile-everything": {
        "task": "wallets.tasks.reconcile",
        "schedule": crontab(hour=4, minute=40, day_of_week=0),
        "kwargs": {"everything": True},
    },
    "reconcile-hourly": {
        "task": "wallets.tasks.reconcile",
        "schedule": crontab(minute=50),
        "kwargs": {"closing": False},
    },
    # Each hand of the day before, once it is closed, against cards, moves, ledger and chain;
    # findings are errors.
    "audit-day": {
        "task": "games.tasks.audit_day",
        "schedule": crontab(hour=GAMING_DAY_HOUR, minute=40),
    },
    "check-code": {"task": "casino.ops.tasks.check_code", "schedule": crontab(hour=6, minute=5)},
    # While entries or changes wait (`job_conditions.py`), and each minute for what no row
    # announces: an anchor whose time has come, and rows whose record is written late.
    "link-chain": {"task": "games.tasks.link_chain", "schedule": 10.0},
    "anchor-chain": {"task": "games.tasks.link_chain", "schedule": 60.0},
    "link-record": {"task": "wallets.tasks.link_record", "schedule": 10.0},
    "write-late-record": {"task": "wallets.tasks.link_record", "schedule": 60.0},
    "index-cards": {"task": "games.tasks.index_cards", "schedule": 60.0},
    "note-worker": {
        "task": "casino.ops.tasks.note_worker",
        "schedule": 10.0,
        # A heartbeat that waited for a worker says nothing, so it expires.
        "options": {"expires": 10.0},
    },
    "close-days": {"task": "games.tasks.close_days", "schedule": crontab(minute=15)},
    "close-deserted": {"task": "games.tasks.close_deserted", "schedule": 60.0},
    "forget-answers": {"task": "games.web.tasks.forget_answers", "schedule": crontab(minute=25)},
    "forget-chat": {"task": "games.chat.tasks.forget_chat", "schedule": crontab(hour=5, minute=5)},
    "forget-tokens": {
        "task": "casino.accounts.tasks.forget_tokens",
        "schedule": crontab(minute=35),
    },
    "forget-sessions": {
        "task": "casino.accounts.tasks.forget_sessions",
        "schedule": crontab(minute=40),
    },
    "forget-devices": {
        "task": "casino.accounts.tasks.forget_devices",
        "schedule": crontab(hour=5, minute=35),
    },
    "forget-company-accounts": {
        "task": "casino.accounts.tasks.forget_company_accounts",
        "schedule": crontab(hour=5, minute=45),
    },
    "close-idle-guests": {
        "task": "casino.office.players.tasks.close_idle_guests",
        "schedule": crontab(hour=5, minute=40),
    },
    "check-rights": {"task": "casino.office.alarms.tasks.check_rights", "schedule": 600.0},
    "end-freezes": {"task": "casino.accounts.tasks.end_freezes", "schedule": 60.0},
    "carry-out-exclusions": {
        "task": "casino.care.tasks.carry_out_exclusions",
        "schedule": 60.0,
    },
    "reckon-main-bets": {
        "task": "games.profiles.tasks.reckon_main_bets",
        "schedule": crontab(minute=25),
    },
    "follow-profiles": {"task": "games.profiles.tasks.follow_profiles", "schedule": 60.0},
    "expire-proposals": {"task": "wallets.tasks.expire_proposals", "schedule": 60.0},
    # The sweepers do the same every five seconds: this is for a house whose sweepers are down.
    "look-for-alarms": {"task": "casino.office.alarms.tasks.look", "schedule": 60.0},
    "fill-jackpots": {"task": "wallets.tasks.fill_jackpots", "schedule": 60.0},
}
