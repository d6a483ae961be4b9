"""Carries a change of `bench.mutation` into the processes that the tests start."""

from bench.mutation import inherit

inherit()
