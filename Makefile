# Needs Python 3.11 or newer, make and a network. Everything is installed below .venv.
# make setup | play | test | test-fast | test-all | looks | fuzz | simulate | simulate-safeguards | chaos | check
# make bench | lock | clean

VENV := .venv
BIN := $(VENV)/bin
# The stamps say what was installed last; a newer list of requirements makes them stale.
RUN_STAMP := $(VENV)/.installed-to-run
DEV_STAMP := $(VENV)/.installed-to-develop
# Processes of tests: one more than there are processors, for they wait where the whole product runs and for browsers.
WORKERS ?= $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)
# xdist would begin with the group of most tests, not with that which takes longest.
PYTEST_ARGS ?= -n $(WORKERS) --dist loadgroup --no-loadscope-reorder
# What `make looks` compares with.
SINCE ?= HEAD
# What `make simulate` runs: so many SEEDS (as many as thirty minutes give), or one SEED, its first STEPS or all,
# of all games or one GAME, on SQLite or postgresql.
SEEDS ?=
SEED ?=
STEPS ?=
GAME ?=
DATABASE ?= sqlite

# Rules, reading mail, words, letters, and what people do, on SQLite: in less than 90 s.
FAST := tests/test_packages.py tests/engine tests/inbox tests/wording tests/service/letters tests/service/words \
	tests/service/usecases

# An environment whose Python has gone, or that was copied from elsewhere, is as good as none.
WORKS := $(shell grep -qsF '$(CURDIR)/$(VENV)/bin' $(BIN)/pip && $(BIN)/python -c '' 2>/dev/null && echo yes)

.PHONY: FORCE setup play test test-fast test-all looks fuzz simulate simulate-safeguards chaos check lint bench packages lock clean

setup: $(DEV_STAMP)
	@:

FORCE:

$(RUN_STAMP): requirements.txt pyproject.toml .ci/venv $(if $(WORKS),,FORCE)
	@sh .ci/venv $(VENV) requirements.txt
	@touch $@

$(DEV_STAMP): $(RUN_STAMP) requirements-dev.txt
	@sh .ci/venv $(VENV) requirements-dev.txt
	@touch $@

play: $(RUN_STAMP)
	@exec $(BIN)/paleopost play

packages:
	@sh .ci/packages

# What Python has compiled is kept: tests start a hundred programs.
test test-fast test-all fuzz simulate simulate-safeguards: export PYTHONDONTWRITEBYTECODE :=

test: setup packages
	@$(BIN)/python -m pytest $(PYTEST_ARGS)

# For the hand at work.
test-fast: setup
	@$(BIN)/python -m pytest $(PYTEST_ARGS) --tier fast $(FAST)

# Also what `make test` leaves out: each test of a database on both, each page in each look for axe.
test-all: setup packages
	@$(BIN)/python -m pytest $(PYTEST_ARGS) --tier all

# Pictures of all pages and letters in build/looks, and what looks different since a commit.
looks: setup packages
	@$(BIN)/python -m tests.support.references --since $(SINCE) build/looks $(NAMES)

# Random cases, many more than `make test` tries, new ones every time.
fuzz: setup packages
	@$(BIN)/python -m pytest $(PYTEST_ARGS) --hypothesis-profile=fuzz --timeout=1200 \
		$$(grep -rl --include='test_*.py' '^from hypothesis' tests)

# The whole service under a clock, a scheduler and faults that a seed draws (docs/simulation.md).
simulate: setup
	@$(BIN)/python -m tests.simulation --database $(DATABASE) $(if $(SEED),--seed $(SEED)) $(if $(STEPS),--steps $(STEPS)) \
		$(if $(SEEDS),--seeds $(SEEDS)) $(if $(GAME),--game $(GAME))

# Each safeguard of the product taken out in turn, and the seed that finds it.
simulate-safeguards: setup
	@$(BIN)/python -m tests.simulation --safeguards

# Real processes killed, frozen and starved while people play (docs/faults.md).
chaos: setup packages
	@$(BIN)/python -m tests.chaos --minutes $(or $(MINUTES),5) --seed $(or $(SEED),1) $(SITES)

lint: setup
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

check: lint test

bench: setup
	@$(BIN)/python -m bench

# Writes requirements*.txt: what pyproject.toml names and all that it draws in, each at one version.
lock: setup
	@sh .ci/lock

# The data of `make play` (var/) is yours: it stays.
clean:
	rm -rf $(VENV) build ./*.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis bench/out
	find . -name __pycache__ -type d -prune -not -path './var/*' -exec rm -rf {} +
