"""Carries a probe or a change into the processes that the tests start."""

from bench.mutation.reach import in_a_process

in_a_process()
