"""Write `docs/verbs.txt`, the list of all verbs that the record of changes may name."""

from docs.checks import verbs
from docs.checks.tree import TOP, Tree

if __name__ == "__main__":
    (TOP / verbs.LIST).write_text(verbs.list_of(Tree.read()))
