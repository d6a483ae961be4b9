from django.apps import AppConfig, apps
from django.utils.translation import gettext_lazy as _


class PromotionsConfig(AppConfig):
    name = "casino.community.promotions"
    label = "promotions"
    verbose_name = _("Promotions")

    def ready(self) -> None:
        from casino.accounts import demo
        from casino.care import own_data
        from casino.community.promotions import demonstration
        from casino.community.promotions import own_data as own
        from casino.community.promotions.books import alarms, audit, earners, forfeiting, task_sums
        from casino.community.promotions.models import Promotion
        from casino.community.promotions.office import offers, publishing, summary
        from casino.office.alarms import conditions
        from casino.office.frame import journal_words, overview
        from games.records import registered_audits
        from wallets.money import cashier
        from wallets.staff import approvals

        own_data.PARTS.add("promotions", own.rows)
        own_data.also(own.forget)
        demo.LATER_STEPS.add("promotions", demonstration.begin)
        overview.LINES.add("promotions", summary.line)
        conditions.register(alarms.STOPPED)
        cashier.WITHDRAWALS.add("promotions", forfeiting.refuse_while_held)
        registered_audits.register("promotions", "audit nothing but promotions", audit.findings)
        approvals.register(publishing.PublishPromotion(), offers.OfferTicket())
        journal_words.register("promotion", Promotion)
        if apps.is_installed("casino.community.returning"):
            from casino.community.returning import rewards
            from casino.community.returning.models import TaskReward

            task_sums.TAKEN.append(TaskReward)
            task_sums.NAMES.append(rewards.names_of)
            rewards.SUMS.add("promotions", task_sums.SumsOfTasks())
        if apps.is_installed("casino.office.integrity"):
            from casino.office.integrity.models import Trace

            earners.TRACES.append(Trace)
