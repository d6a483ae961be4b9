# `make run` and `make test` set everything up on a machine that has Python 3.11, make and a package index.
.DEFAULT_GOAL := help
PYTHON ?= $(shell for name in python3.11 python3.12 python3.13 python3; do \
	$$name -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$name && break; done)
BIN := .venv/bin
READY := .venv/ready

.PHONY: help run test lint unit postgres chromium release-checks screenshots bench bench-house mutation schema messages clean

help:
	@echo "make run             set up and open the house, with demo players"
	@echo "make test            set up and run every check and every test"
	@echo "make lint            style, types and the directions of imports"
	@echo "make unit            the tests alone, on SQLite"
	@echo "make postgres        the tests that touch the database, on PostgreSQL"
	@echo "make bench           speed and memory of the rules and of the ledger, as ratios"
	@echo "make bench-house     what an open house costs: start, idle time, memory, live updates, pages"
	@echo "make mutation        break the rules in small ways and list what no test notices: PART=settlement, or hours"
	@echo "make release-checks  pages as axe sees them, faults of lines and tabs: on a quiet machine"
	@echo "make screenshots     every page and game as pictures, into SHOTS=.run/screenshots (twenty minutes)"
	@echo "make schema          write the JSON Schema of the hand record anew"
	@echo "make messages        collect what is to be translated; needs GNU gettext"
	@echo "make clean           remove what the other commands made, but not the data in .run/"

# What is wanted is installed with a dot for each package, so that one sees that it goes on.
define install
	@{ $(BIN)/python -m pip install --disable-pip-version-check --progress-bar off -r $(1) 2> .venv/errors; \
		echo $$? > .venv/code; } | awk '/^Collecting/ { printf "."; fflush() } END { print "" }'
	@test "$$(cat .venv/code)" = 0 || { tail -5 .venv/errors; \
		echo "The packages of $(1) could not be installed: is a package index reachable?"; exit 1; }
	@touch $@
endef

$(READY): requirements.txt
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed and none was found; name one: make $(or $(MAKECMDGOALS),run) PYTHON=/path/to/python3.11"; exit 1; }
	@test -x $(BIN)/python || { echo "making .venv with $$($(PYTHON) --version)"; $(PYTHON) -m venv .venv; } \
		|| { rm -rf .venv; echo "Python's venv module is missing; on Debian: apt-get install python3-venv"; exit 1; }
	@echo "installing what the house needs; this takes a minute, the first time only"
	$(call install,requirements.txt)

$(READY)-tests: $(READY) tests/requirements.txt
	@echo "installing what the tests need"
	$(call install,tests/requirements.txt)

run: $(READY)
	@exec $(BIN)/python -m casino.supervisor

lint: $(READY)-tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# Hands are played in a real browser: the Chromium of this machine.
chromium: $(READY)-tests
	@$(BIN)/python -m tests.chromium

# Tests of many hands run without the measure of coverage, which would double their time.
#
# The browser's tests have processes of their own, as they leave an event loop running in them, and
# each process has a house of its own: they mostly wait. What fails is tried twice more, and the
# report names it: docs/testing.md says why.
unit: chromium
	$(BIN)/pytest -n auto -m "not long" --cov --cov-report= --cov-fail-under=0 --ignore=tests/browser
	$(BIN)/pytest -n auto -m long --ignore=tests/browser
	@! $(BIN)/python -m tests.chromium --which > /dev/null \
		|| $(BIN)/pytest -n 3 --dist loadfile --reruns 2 -rR --timeout 240 tests/browser

# Whatever touches the database is tested once more on PostgreSQL: DATABASE_URL, or a private cluster.
# What pages look like and say is the same there, and houses of their own keep to SQLite.
DATABASE_TESTS := -m database $(wildcard tests/wallets tests/games tests/casino) \
	--ignore-glob='*_page*.py' --ignore-glob='*/test_languages.py' --ignore-glob='*/test_colours.py'
postgres: $(READY)-tests
	$(BIN)/python -m tests.cluster --optional \
		$(BIN)/pytest -n auto $(DATABASE_TESTS)

# Every page and table through axe, at two sizes and in both themes; lost lines, double clicks, two
# tabs. They need a quiet machine, and minutes.
release-checks: chromium
	$(BIN)/pytest --timeout 240 tests/browser/check_access.py tests/browser/check_faults.py

SHOTS ?= .run/screenshots
screenshots: chromium
	$(BIN)/python -m tests.screenshots $(SHOTS)

test: lint
	$(MAKE) --no-print-directory unit
	$(MAKE) --no-print-directory postgres
	$(BIN)/coverage report
	@$(BIN)/python -m tests.cluster --which
	@$(BIN)/python -m tests.chromium --which || true

bench: $(READY)-tests
	$(BIN)/python -m bench.rules
	$(BIN)/python -m bench.doudizhu
	$(BIN)/python -m bench.baccarat
	$(BIN)/python -m bench.roads
	$(BIN)/python -m tests.cluster --durable $(BIN)/python -m bench.ledger
	$(BIN)/python -m bench.casino_holdem
	$(BIN)/python -m bench.blackjack
	$(BIN)/python -m bench.russian_poker

bench-house: $(READY)-tests
	$(BIN)/python -m bench.house
	$(BIN)/python -m bench.boards
	$(BIN)/python -m bench.screens
	$(BIN)/python -m bench.shifts

mutation: $(READY)-tests
	$(BIN)/python -m bench.mutation $(PART)

schema: $(READY)-tests
	$(BIN)/python -m games.rules schema > docs/hand-record.schema.json

messages: $(READY)
	$(BIN)/python -m casino.extraction

clean:
	rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .coverage .hypothesis
