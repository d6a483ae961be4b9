from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AlarmsConfig(AppConfig):
    name = "casino.office.alarms"
    verbose_name = _("Alarms")

    def ready(self) -> None:
        from casino.accounts import rights_check
        from casino.office.alarms import condition_checks, conditions, delivering, house_conditions
        from casino.ops import due_work, released_code
        from casino.ops.metrics.collecting import QUESTIONS
        from games.records import registered_audits
        from games.shoes import anchors
        from wallets.audit.findings import checked

        summary = "audit nothing but the rights of staff"
        registered_audits.register("rights", summary, rights_check.findings)
        summary = "audit nothing but the migrations"
        registered_audits.register("migrations", summary, released_code.findings)
        conditions.register(*house_conditions.FOR_FLOOR, *house_conditions.FOR_TECHNICIANS)
        QUESTIONS.add("checks", condition_checks.nightly_checks)
        QUESTIONS.add("alarms", condition_checks.open_alarms)
        due_work.register_thread(condition_checks.start)
        checked.connect(
            condition_checks.store_result, dispatch_uid="casino.office.alarms.check_results"
        )
        anchors.made.connect(
            delivering.enqueue_anchor, dispatch_uid="casino.office.alarms.delivering"
        )
