"""Run every check, print the findings, and end with 1 if there are any.

What only a release must not have is named, and counts with `--release`.
"""

import gc
import sys

from docs.checks import CHECKS, CHECKS_OF_A_RELEASE, findings_of
from docs.checks.tree import Tree


def main() -> int:
    # Syntax trees are many objects that all stay; collecting them doubles the time.
    gc.disable()
    tree = Tree.read()
    # Several checks may lack one file.
    findings = {finding for check in CHECKS for finding in findings_of(check, tree)}
    later = {finding for check in CHECKS_OF_A_RELEASE for finding in findings_of(check, tree)}
    if "--release" in sys.argv:
        findings |= later
    else:
        for path, _line, sentence in later:
            sys.stdout.write(f"before a release: {path}: {sentence}\n")
    for path, line, sentence in sorted(findings):
        sys.stdout.write(f"{path}:{line}: {sentence}\n")
    sys.stdout.write(f"{len(CHECKS)} checks of {len(tree)} files: {len(findings)} findings\n")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
