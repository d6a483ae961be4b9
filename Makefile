# `make run` and `make test` set everything up on a machine that has Python 3.11, make and a package index.
.DEFAULT_GOAL := help
PYTHON ?= $(shell for name in python3.11 python3.12 python3.13 python3; do \
	$$name -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$name && break; done)
BIN := .venv/bin
READY := .venv/ready

# Where Python may keep nothing that it has compiled, every process compiles all it imports once more,
# and each one of the tests rewrites every test: that takes longer than to read what was kept.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help run audit attack containers test test-all quick coverage lock lint browsers chromium release release-checks screenshots gallery compare strips pictures soak format bench bench-play bench-house bench-tournament bench-office bench-timing manifests load faults scale world shuffles mutation schema messages security image clean bench-bots

help:
	@echo "make run             set up and open the house, with demo players"
	@echo "make audit           replay every hand of the house in .run/ and hold it against its books"
	@echo "make quick           what to run before each commit: style, imports, a sample of cheap tests"
	@echo "make test            set up and check everything, with a sample of the tests: five minutes; SEED=7"
	@echo "make test-all        everything, for a release: hours; STAGES=sqlite, or lint, postgresql, browser, rare"
	@echo "make coverage        the tests with their branch coverage, which is held at 95 %"
	@echo "make browsers        install Firefox and WebKit beside Chromium: tests then drive these, too"
	@echo "make lint            style, types, texts and the directions of imports"
	@echo "make format          lay out scripts and styles as make lint wants them"
	@echo "make attack          attack a house of its own, as cheats, staff and owners would: ONLY=leaks, ONLY=broker, or all"
	@echo "make bench           speed and memory of the rules and of the ledger, as ratios"
	@echo "make bench-play      how quickly a move is made, with few hands stored and with many, and beside a simulation: HANDS=20000, or a million"
	@echo "make bench-house     what an open house costs: start, idle time, memory, live updates, pages"
	@echo "make bench-timing    whether hidden cards change how long a table takes to answer: GAME=baccarat, or all"
	@echo "make bench-bots      our Dou Dizhu bots against RLCard's rule agent: BOTS='best thinker' DEALS=500"
	@echo "make bench-tournament tournaments of 30, 300 and 3,000 bots on PostgreSQL: FIELDS=30, or hours"
	@echo "make bench-office    the back office over houses of several sizes: SIZES='10000 100000'; DAYS=30"
	@echo "make load            a crowd, half with pages, half with programs: PLAYERS=60 TABLES=15 SECONDS=60 WEB=2 RAMP=20 PAGES=0.5 JSON=file"
	@echo "make faults          the same while processes, Valkey and PostgreSQL fail: MINUTES=15 SEED=1"
	@echo "make scale           three web processes and workers, a replica, two Redis: a rolling deploy and a failover; SECONDS=20"
	@echo "make containers      compose.yaml run by podman, from an empty machine to an upgrade; SECONDS=60"
	@echo "make shuffles        a million deals: whether each card comes everywhere equally often; DEALS=1000000"
	@echo "make mutation        change the product in small ways and list what no test notices: NUMBER=444 SEED=1"
	@echo "make world           a house of all games in one process, through faults drawn from a seed: HOURS=61 SEED=1"
	@echo "make release-checks  pages as axe sees them, faults of lines and tabs: on a quiet machine"
	@echo "make screenshots     every page and game as pictures, into SHOTS=.run/screenshots (twenty minutes)"
	@echo "make pictures        the pictures in README, from a demonstration that it opens (some minutes)"
	@echo "make soak            the journeys in a browser ten times beside four busy loops; notes its result"
	@echo "make gallery         such pictures beside those of an older version, BEFORE=folder, into docs/pictures"
	@echo "make strips          what moves at a table in six frames each, ONLY=deal, into docs/pictures/strips"
	@echo "make compare         pages beside their drawings, DRAWINGS=folder ONLY=lobby, into docs/pictures/compare"
	@echo "make security        known mistakes in the code (bandit), known faults in the pinned packages (pip-audit)"
	@echo "make manifests       check the manifests for Kubernetes by the schemas of its resources"
	@echo "make image           build the image card-room with docker, podman or buildah: BASE=python:3.13-slim"
	@echo "make schema          write the JSON Schema of the hand record again"
	@echo "make messages        collect what is to be translated; needs GNU gettext"
	@echo "make lock            pin all packages and their hashes again, after a change of requirements.txt"
	@echo "make release         the files of a release, of this commit, into dist/: archive, hashes, SBOM, notes"
	@echo "make clean           remove what the other commands made, but not the data in .run/"

# uv installs in a quarter of the time that pip takes. One that is on the PATH is used; otherwise pip
# brings the one of installer.lock. It does not read pip's settings: where it finds no index, pip
# installs everything, with a dot for each package, so that the progress is visible.
# A lock file names every package that is needed, so neither is to look for others: where a newer
# release exists, it would refuse it for want of a hash. Python compiles what the house uses when it
# is first used; compiling all of it took a third of the time.
UV := $(or $(shell command -v uv 2> /dev/null),.venv/uv/bin/uv)
PIP := $(BIN)/python -m pip install --no-deps --require-hashes --no-compile --disable-pip-version-check --progress-bar off
define install
	@test -x $(UV) || $(PIP) --quiet --target .venv/uv -r installer.lock 2> .venv/errors || true
	@$(UV) pip install --no-deps --require-hashes --quiet --python $(BIN)/python -r $(1) 2> .venv/errors || { \
		{ $(PIP) -r $(1) 2> .venv/errors; echo $$? > .venv/code; } | awk '/^Collecting/ { printf "."; fflush() } \
			/^Installing/ { printf " unpacking"; fflush() } END { print "" }'; \
		test "$$(cat .venv/code)" = 0 || { tail -5 .venv/errors; \
			echo "The packages of $(1) could not be installed: is a package index reachable?"; exit 1; }; }
	@touch $@
endef

$(READY): requirements.lock
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed and none was found; name one: make $(or $(MAKECMDGOALS),run) PYTHON=/path/to/python3.11"; exit 1; }
	@test -x $(BIN)/python || { echo "making .venv with $$($(PYTHON) --version)"; $(PYTHON) -m venv .venv; } \
		|| { rm -rf .venv; echo "Python's venv module is missing; on Debian: apt-get install python3-venv"; exit 1; }
	@echo "installing what the house needs, the first time only"
	$(call install,requirements.lock)

$(READY)-tests: $(READY) tests/requirements.lock
	@echo "installing what the tests need"
	$(call install,tests/requirements.lock)

# The packages that are named in requirements.txt, and all that those need, for every Python and every
# system at once, each with the hashes of its files.
LOCK := --universal --python-version 3.11 --generate-hashes --no-annotate --quiet --custom-compile-command "make lock"
lock: $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade --target .venv/lock uv==0.13.9
	echo uv==0.13.9 | .venv/lock/bin/uv pip compile $(LOCK) --output-file installer.lock -
	.venv/lock/bin/uv pip compile $(LOCK) --output-file requirements.lock requirements.txt
	.venv/lock/bin/uv pip compile $(LOCK) --constraint requirements.lock \
		--output-file extras.lock extras.txt
	.venv/lock/bin/uv pip compile $(LOCK) --constraint extras.lock \
		--output-file tests/requirements.lock tests/requirements.txt
	.venv/lock/bin/uv pip compile $(LOCK) --constraint requirements.lock \
		--output-file bench/requirements.lock bench/requirements.txt

run: $(READY)
	@exec $(BIN)/python -m casino.ops.server.supervisor

audit: $(READY)
	@exec $(BIN)/python manage.py audit

# A house of its own is opened, attacked and closed; a line an attack, and 1 where one gets through.
attack: $(READY)-tests
	@$(BIN)/python -m tests.attack $(if $(ONLY),--only $(ONLY))

# Node comes with the packages of the tests, and brings npm along.
node_modules/ready: package-lock.json | $(READY)-tests
	@echo "installing what checks scripts and styles"
	@$(BIN)/npm ci --silent --no-audit --no-fund
	@touch $@

# Scripts and styles as `make lint` wants them.
format: node_modules/ready
	$(BIN)/node node_modules/prettier/bin/prettier.cjs --write --log-level warn 'static/**/*.js' 'static/**/*.css'

# Hands are played in real browsers: the Chromium, Firefox and WebKit of this machine.
browsers: $(READY)-tests
	@$(BIN)/python -m tests.browsers

chromium: $(READY)-tests
	@$(BIN)/python -m tests.browsers chromium

# Every check and test, in stages: `python -m tests --help`.
quick: $(READY)-tests
	@$(BIN)/python -m tests --quick

lint: node_modules/ready
	@$(BIN)/python -m tests lint

test: node_modules/ready chromium
	@$(BIN)/python -m tests $(if $(SEED),--seed $(SEED))

test-all: node_modules/ready browsers
	@$(BIN)/python -m tests --all $(STAGES)

# Measuring coverage takes as long as the tests that it measures, so it is a command of its own.
coverage: $(READY)-tests
	$(BIN)/coverage run -m pytest --ignore=tests/browser -m "not long" tests
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report

# Every page and table through axe, at two sizes and in both themes; lost lines, double clicks, two
# tabs. They need a quiet machine, and minutes.
release-checks: browsers
	$(BIN)/python -m docs.checks --release
	$(BIN)/pytest --timeout 1800 tests/browser/check_access.py tests/browser/check_faults.py

pictures: chromium
	$(BIN)/python -m tests.pictures

# An hour on a quiet machine; writes its result into docs/testing.md.
soak: browsers
	$(BIN)/python -m tests.browser.soak --times 10 --loops 4 --note

SHOTS ?= .run/screenshots
screenshots: chromium
	$(BIN)/python -m tests.screenshots $(SHOTS)

gallery: chromium
	$(BIN)/python -m tests.gallery $(BEFORE) $(SHOTS)

compare: chromium
	$(BIN)/python -m tests.compared $(DRAWINGS) --only "$(ONLY)"

strips: chromium
	$(BIN)/python -m tests.compared.strips --only "$(ONLY)"

bench: $(READY)-tests
	$(BIN)/python -m bench.rules
	$(BIN)/python -m bench.audit
	$(BIN)/python -m bench.baccarat
	$(BIN)/python -m bench.ledger
	$(BIN)/python -m bench.casino_holdem
	$(BIN)/python -m bench.blackjack
	$(BIN)/python -m bench.russian_poker

# A million hands are stored first, which takes minutes.
bench-play: $(READY)-tests
	$(BIN)/python -m bench.play $(HANDS)
	$(BIN)/python -m bench.reckoning

bench-house: $(READY)-tests
	$(BIN)/python -m bench.house
	$(BIN)/python -m bench.watchers
	$(BIN)/python -m bench.boards
	$(BIN)/python -m bench.looks
	$(BIN)/python -m bench.streams
	$(BIN)/python -m bench.packing
	$(BIN)/python -m bench.hands
	$(BIN)/python -m bench.round_times
	$(BIN)/python -m bench.shifts

bench-timing: $(READY)-tests
	$(BIN)/python -m bench.timing $(GAME)

# RLCard is compared with and nothing else: what the house and its tests need is locked elsewhere.
$(READY)-bench: $(READY) bench/requirements.lock
	@echo "installing the opponent of the bots"
	$(call install,bench/requirements.lock)

bench-bots: $(READY)-bench
	$(BIN)/python -m bench.bots --bots $(or $(BOTS),best) --deals $(or $(DEALS),500)

bench-tournament: $(READY)-tests
	$(BIN)/python -m bench.tournament $(FIELDS)

bench-office: $(READY)-tests
	$(BIN)/python -m bench.office $(or $(SIZES),10000 100000) --days $(or $(DAYS),30)

bench/peer/node_modules/ready: bench/peer/package-lock.json | $(READY)-tests
	cd bench/peer && $(CURDIR)/$(BIN)/npm ci --ignore-scripts --no-audit --no-fund --loglevel error
	@touch $@

load: $(READY)-tests bench/peer/node_modules/ready
	@$(BIN)/python -m bench.load --players $(or $(PLAYERS),60) --tables $(or $(TABLES),15) \
		--seconds $(or $(SECONDS),60) --web $(or $(WEB),2) --arrivals $(or $(ARRIVALS),1) \
		--empty $(or $(EMPTY),0) --ramp $(or $(RAMP),20) --pages $(or $(PAGES),0.5) $(if $(JSON),--json $(JSON))

# Several of everything; fails where an invariant broke, or where something was not shown.
scale: $(READY)-tests
	$(BIN)/python -m bench.scale --players $(or $(PLAYERS),18) --tables $(or $(TABLES),6) --seconds $(or $(SECONDS),20)

# By podman, where it is installed; what it makes is removed at the end.
containers: $(READY)-tests
	@$(BIN)/python -m tests.containers --seconds $(or $(SECONDS),60)

# Writes its result into docs/operations.md; fails where an invariant broke. Under fifteen minutes it
# takes as many faults as there is time for, drawn from the seed.
faults: $(READY)-tests
	@$(BIN)/python -m bench.faults --minutes $(or $(MINUTES),15) --seed $(or $(SEED),1)

# Some half an hour: its clock goes as fast as the house does.
world: $(READY)-tests
	@$(BIN)/python -m tests.simulation --hours $(or $(HOURS),61) --seed $(or $(SEED),1) \
		--transfers $(or $(TRANSFERS),200000)

# Writes a section of docs/decisions.md; fails where the deal is not uniform or a control passes for uniform.
shuffles: $(READY)
	$(BIN)/python -m bench.shuffles $(DEALS)

mutation: $(READY)-tests
	$(BIN)/python -m bench.mutation --number $(or $(NUMBER),444) --seed $(or $(SEED),1) \
		--sample $(or $(SAMPLE),0) $(if $(FOLDER),--folder $(FOLDER))

# The audit has an environment of its own, like the lock: it brings packages that no test needs. It
# asks the package index what is known of the pinned versions.
security: $(READY)-tests
	$(BIN)/bandit --quiet --configfile pyproject.toml --recursive casino games tournaments wallets docs manage.py
	$(BIN)/python -m venv .venv/audit
	.venv/audit/bin/pip install --quiet --disable-pip-version-check pip-audit==2.10.1
	.venv/audit/bin/pip-audit --disable-pip --require-hashes --requirement requirements.lock

BUILDER ?= $(firstword $(foreach name,docker podman buildah,$(if $(shell command -v $(name)),$(name))))
# As docs/release.py reads it.
VERSION := $(shell sed -n 's/^version = "\(.*\)"/\1/p' pyproject.toml)
image:
	@test -n "$(BUILDER)" || { echo "docker, podman or buildah is needed and none was found"; exit 1; }
	$(BUILDER) build $(if $(BASE),--build-arg BASE=$(BASE)) $(if $(LOCK_FILE),--build-arg LOCK_FILE=$(LOCK_FILE)) \
		--file docs/deploy/Dockerfile --tag card-room --tag card-room:$(VERSION) .

# The schemas of all resources are 20 MB, so they have an environment of their own.
manifests: $(READY)
	$(BIN)/python -m venv .venv/manifests
	.venv/manifests/bin/pip install --quiet --disable-pip-version-check kubernetes-validate==1.37.0
	.venv/manifests/bin/kubernetes-validate --strict $(filter-out %/kustomization.yaml,$(wildcard docs/deploy/kubernetes/*.yaml))

release: $(READY)
	@$(BIN)/python -m docs.release

schema: $(READY)-tests
	$(BIN)/python -m games schema > docs/hand-record.schema.json

messages: $(READY)
	$(BIN)/python -m casino.ops.extraction

clean:
	rm -rf dist .venv node_modules bench/peer/node_modules .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .coverage .hypothesis
