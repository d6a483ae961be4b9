"""Run every check, print the findings, and end with 1 if there are any."""

import gc
import sys

from docs.checks import CHECKS
from docs.checks.tree import Tree


def main() -> int:
    # Syntax trees are many objects that all stay; collecting them doubles the time.
    gc.disable()
    tree = Tree.read()
    findings = [finding for check in CHECKS for finding in check(tree)]
    for path, line, sentence in sorted(findings):
        sys.stdout.write(f"{path}:{line}: {sentence}\n")
    sys.stdout.write(f"{len(CHECKS)} checks of {len(tree)} files: {len(findings)} findings\n")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
