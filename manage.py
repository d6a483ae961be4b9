"""Django's command line for the card room."""

import os
import sys

from django.core.management import execute_from_command_line

from casino.ops.server import data_dir


def main() -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "casino.settings")
    try:
        data_dir.move_in(data_dir.data_folder())
    except data_dir.CannotOpen as problem:
        sys.stderr.write(f"{problem}\n")
        return 1
    try:
        try:
            execute_from_command_line(sys.argv)
        finally:
            # Write pending batches now, while an error can still be reported.
            sys.stdout.flush()
    except BrokenPipeError:
        # The reader has seen enough. Leave nothing for the interpreter to flush at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
