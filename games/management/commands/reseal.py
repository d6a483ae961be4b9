"""`manage.py reseal`: encrypt all secrets under the newest key, so that old keys can go."""

import sys
from collections.abc import Callable

from django.utils.translation import gettext_lazy as _

from wallets.of_record.verbs import verb
from wallets.staff import journal
from wallets.staff.staff_command import RUN, StaffCommand
from wallets.storage.sealed_columns import keys_needed, left, newest_key, reseal


@verb("house:secrets.reseal", alone=True)
def seal_anew(progress: Callable[[int], object]) -> int:
    """Chunk after chunk in a transaction of its own: the entry of the journal counts them all."""
    return reseal(progress)


class Command(StaffCommand):
    verb = journal.register(
        "command:reseal", _("Encrypted all secrets under the newest key"), permission=RUN
    )
    help = "Seals every secret under the first of SEALING_KEYS; exits with 1 where some are left."

    def handle(self, *_arguments: object, **options: object) -> None:
        total = left()
        with self.acting(options) as who:
            try:
                done = seal_anew(lambda done: self._bar(done, total))
            except KeyboardInterrupt:
                self.stderr.write(f"\nstopped with {left()} left; run it again to go on")
                sys.exit(130)
            finally:
                after = {"left": left(), "key": newest_key()}
                self.note(who, options, before={"left": total}, after=after)
        rest = keys_needed()
        self.stdout.write(f"{done} sealed anew under the key {newest_key()}, {rest.total()} left")
        for name, count in sorted(rest.items()):
            which = f"the key {name}" if name else "a key without a name"
            self.stdout.write(
                self.style.ERROR(f"{count} sealed with {which}, which is not in SEALING_KEYS")
            )
        if rest:
            sys.exit(1)
        self.stdout.write(self.style.SUCCESS("the other keys can be taken out of SEALING_KEYS"))

    def _bar(self, done: int, total: int) -> None:
        if self.stderr.isatty():
            filled = "#" * (40 * done // max(total, 1))
            end = "\n" if done >= total else ""
            self.stderr.write(f"\r[{filled:<40}] {done:,} of {total:,}", ending=end)
