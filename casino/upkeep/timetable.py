"""The periodic jobs that beat starts; what is due at the tables is the sweeper's."""

from typing import Final

from celery.schedules import crontab

TIMETABLE: Final[dict[str, object]] = {
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
    # Each hand of the day before against cards, moves, ledger and chain; findings are errors.
    "audit-day": {"task": "games.tasks.audit_day", "schedule": crontab(hour=5, minute=20)},
    "check-code": {"task": "casino.upkeep.tasks.check_code", "schedule": crontab(hour=6, minute=5)},
    # While entries or changes wait (`wanted.py`), and each minute for what no row announces: an
    # anchor whose time has come, and rows whose record is written late.
    "link-chain": {"task": "games.tasks.link_chain", "schedule": 10.0},
    "anchor-chain": {"task": "games.tasks.link_chain", "schedule": 60.0},
    "link-record": {"task": "wallets.tasks.link_record", "schedule": 10.0},
    "write-late-record": {"task": "wallets.tasks.link_record", "schedule": 60.0},
    "index-cards": {"task": "games.tasks.index_cards", "schedule": 60.0},
    "note-worker": {
        "task": "casino.upkeep.tasks.note_worker",
        "schedule": 10.0,
        # A heartbeat that waited for a worker says nothing once one comes, so it expires.
        "options": {"expires": 10.0},
    },
    "close-days": {"task": "games.tasks.close_days", "schedule": crontab(minute=15)},
    "close-deserted": {"task": "games.tasks.close_deserted", "schedule": 60.0},
    "forget-answers": {"task": "games.api.tasks.forget_answers", "schedule": crontab(minute=25)},
    "forget-chat": {"task": "games.chat.tasks.forget_chat", "schedule": crontab(hour=5, minute=5)},
    "forget-tokens": {"task": "casino.players.tasks.forget_tokens", "schedule": crontab(minute=35)},
    "forget-sessions": {
        "task": "casino.players.tasks.forget_sessions",
        "schedule": crontab(minute=40),
    },
    "forget-devices": {
        "task": "casino.players.tasks.forget_devices",
        "schedule": crontab(hour=5, minute=35),
    },
    "close-idle-guests": {
        "task": "casino.player_file.tasks.close_idle_guests",
        "schedule": crontab(hour=5, minute=40),
    },
    "end-freezes": {"task": "casino.players.tasks.end_freezes", "schedule": 60.0},
    "carry-out-exclusions": {
        "task": "casino.care.tasks.carry_out_exclusions",
        "schedule": 60.0,
    },
    # Finished hands since the last scan, a bounded number each time.
    "scan-hands": {"task": "casino.integrity.tasks.scan_hands", "schedule": 60.0},
    "forget-traces": {
        "task": "casino.integrity.tasks.forget_traces",
        "schedule": crontab(hour=5, minute=50),
    },
    # Finished hands for play money, in the order in which they ended.
    "count-hands": {"task": "casino.returning.tasks.count_hands", "schedule": 15.0},
    "forget-counted-hands": {
        "task": "casino.returning.tasks.forget_hands",
        "schedule": crontab(hour=5, minute=55),
    },
    # Where anybody has asked to be called.
    "call-players": {
        "task": "casino.push.tasks.call_players",
        "schedule": 5.0,
        # The next one looks anew.
        "options": {"expires": 5.0},
    },
    "forget-calls": {"task": "casino.push.tasks.forget_calls", "schedule": crontab(minute=45)},
    "reckon-main-bets": {
        "task": "games.profiles.tasks.reckon_main_bets",
        "schedule": crontab(minute=25),
    },
    "follow-profiles": {"task": "games.profiles.tasks.follow_profiles", "schedule": 60.0},
    "expire-proposals": {"task": "wallets.tasks.expire_proposals", "schedule": 60.0},
    # The sweepers do the same: either is enough.
    "look-for-alarms": {"task": "casino.alarms.tasks.look", "schedule": 15.0},
    "fill-jackpots": {"task": "wallets.tasks.fill_jackpots", "schedule": 60.0},
}
