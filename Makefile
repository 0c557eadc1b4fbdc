# make demo    a server with made-up data on http://localhost:8000 (PORT=8001 HELDOUT_DATA=/some/folder to choose)
# make test    the tests, on SQLite and, where the database matters, on PostgreSQL
# make thorough, make faults, make redteam, make walks, make published, make events, make postgres    longer suites; tests/everything.py says of what
# make setup   the development environment in .venv; every other target sees to it by itself
# make screenshots    the pictures in docs/screenshots, taken anew from a demo of their own
# make audit   known weaknesses of the packages that a server installs, asked of the network; make bill lists them (CycloneDX)
# make lint, make format, make perf, make clean

PYTHON ?= python3.11
BIN := .venv/bin
# The formatter ends every file with a line break, which would stand in front of a comma after these two.
TEMPLATES := find templates -name '*.html' ! -name _time.html ! -name _leaders.html
PORT ?= 8000

.PHONY: demo test thorough faults redteam walks published events postgres setup lint format perf audit bill screenshots clean
.DEFAULT_GOAL := demo

# No shell in between, so that a signal to make reaches the demo.
demo: export PORT := $(PORT)
demo: .venv/.runtime
	$(BIN)/python -m demo

test: .venv/.dev
	$(BIN)/python -m tests.everything

thorough faults redteam walks published events postgres: .venv/.dev
	$(BIN)/python -m tests.everything $@

setup: .venv/.dev

lint: .venv/.dev
	mkdir -p build/lint
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(TEMPLATES) | xargs $(BIN)/djade --target-version 5.2 --check
	HELDOUT_MODE=test HELDOUT_DATA=build/lint $(BIN)/mypy .
	$(BIN)/lint-imports
	HELDOUT_MODE=test HELDOUT_DATA=build/lint $(BIN)/python manage.py makemigrations --check --dry-run
	$(BIN)/python -m tests.production

format: .venv/.dev
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .
	$(TEMPLATES) | xargs $(BIN)/djade --target-version 5.2

perf: .venv/.dev
	$(BIN)/python -m perf

audit: build/audit/.done
	build/audit/bin/pip-audit --requirement requirements.txt --require-hashes --disable-pip --strict

bill: build/audit/.done
	build/audit/bin/cyclonedx-py requirements requirements.txt --pyproject pyproject.toml --output-reproducible --output-file build/heldout.cdx.json

screenshots: .venv/.dev
	$(BIN)/python -m tests.screenshots

# Everything that can be made again; the demo's data in var/ stay.
clean:
	rm -rf .venv build *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Stamps: installing is skipped as long as the pinned requirements stay as they are.
.venv/bin/uv: requirements-uv.txt
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-uv.txt
	touch $@

build/audit/.done: requirements-audit.txt | .venv/bin/uv
	$(BIN)/uv venv --quiet --clear --python $(PYTHON) build/audit
	$(BIN)/uv pip install --quiet --require-hashes --python build/audit/bin/python -r requirements-audit.txt
	touch $@

.venv/.runtime: requirements.txt pyproject.toml | .venv/bin/uv
	$(BIN)/uv pip install --quiet --require-hashes -r requirements.txt
	$(BIN)/uv pip install --quiet --no-deps --editable .
	touch $@

.venv/.dev: requirements-dev.txt pyproject.toml | .venv/bin/uv
	$(BIN)/uv pip install --quiet --require-hashes -r requirements-dev.txt
	$(BIN)/uv pip install --quiet --no-deps --editable .
	touch $@ .venv/.runtime
