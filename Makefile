# make run: play. make test: everything is green. The rest is in the README.
VENV ?= .venv
PYTHON ?= python3
PORT ?= 8000
DATA ?= data
BIN := $(VENV)/bin
# One more than there are cores: a test of the page waits half of its time.
WORKERS ?= $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)
LOCK := uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header -q pyproject.toml

.PHONY: run test test-fast check format bench frontend words openapi lock clean

run: $(VENV)/.run frontend
	PORT=$(PORT) DATA=$(DATA) $(BIN)/caravanserai serve

test: $(VENV)/.dev frontend
	$(BIN)/pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder

# For every save: rules, kernel and the service on SQLite, without servers and browsers.
test-fast: $(VENV)/.dev
	$(BIN)/pytest -n $(WORKERS) --dist loadfile -m "not slow and not soak" -k "not postgresql" \
		tests/domain tests/game_contract tests/frontend tests/projections tests/service

check: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/python -m tests.audit

format: $(VENV)/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/.dev frontend
	$(BIN)/python -m benchmarks

# Translated once; the build itself skips what has not changed.
frontend: $(VENV)/.run
	$(BIN)/python -m frontend.build

# Gathers every message of the code for translators; LANGUAGE=fr begins a language.
words: $(VENV)/.run
	$(BIN)/python -m frontend.message_catalogue $(LANGUAGE)

openapi: $(VENV)/.run
	$(BIN)/caravanserai openapi > openapi/openapi.json

# In a checkout, which has to build the frontend; a built wheel runs with requirements.lock alone.
$(VENV)/.run: requirements-build.lock pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements-build.lock
	$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e .
	touch $@

$(VENV)/.dev: requirements-dev.lock $(VENV)/.run
	$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements-dev.lock
	touch $@

lock:
	$(LOCK) -o requirements.lock
	$(LOCK) --extra build -o requirements-build.lock
	$(LOCK) --extra tracing -o requirements-tracing.lock
	$(LOCK) --extra build --extra dev --extra tracing -o requirements-dev.lock

clean:
	rm -rf $(VENV) frontend/build
