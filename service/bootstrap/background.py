"""Work that becomes due as time passes."""

from service.bootstrap.matches import Matches
from service.bootstrap.storage import Storage
from service.matches.plans import PlanService
from service.matches.scheduler import Scheduler
from service.notifications.delivery.evening_reminders import EveningReminders
from service.notifications.delivery.subscriptions import Subscriptions
from service.settings import Settings


def build_plans(*, storage: Storage, matches: Matches) -> PlanService:
    """Build the service of plans, whose commands the scheduler plays."""
    return PlanService(
        store=storage.store,
        actions=matches.automatic,
        matches=storage.matches,
        read_models=storage.read_models,
    )


def build_scheduler(
    settings: Settings,
    *,
    storage: Storage,
    matches: Matches,
    plans: PlanService,
    subscriptions: Subscriptions,
) -> Scheduler:
    """Build the scheduler of clocks, plans and evening reminders."""
    evening_reminders = EveningReminders(
        channels=subscriptions.channels,
        read_models=storage.read_models,
        matches=storage.matches,
        notify=subscriptions.queue,
    )
    return Scheduler(
        actions=matches.automatic,
        vacations=matches.vacations,
        plans=plans,
        matches=storage.matches,
        read_models=storage.read_models,
        notify=subscriptions.queue,
        remind_early=evening_reminders.queue_reminders,
        prune_receipts=matches.writer.prune_receipts,
        receipt_days=settings.receipt_days,
    )
