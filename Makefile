# make run: play. make test: everything is green. The rest is in the README.
VENV ?= .venv
PYTHON ?= python3
PORT ?= 8000
DATA ?= data
BIN := $(VENV)/bin
LOCK := uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header -q pyproject.toml --extra build

.PHONY: run test check format bench frontend openapi lock clean

run: $(VENV)/.run frontend
	PORT=$(PORT) DATA=$(DATA) $(BIN)/caravanserai serve

test: $(VENV)/.dev frontend
	$(BIN)/pytest

check: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(VENV)/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/.dev frontend
	$(BIN)/python -m benchmarks

# Translated once; the build itself skips what has not changed.
frontend: $(VENV)/.run
	$(BIN)/python -m frontend.build

openapi: $(VENV)/.run
	$(BIN)/caravanserai openapi > openapi/openapi.json

$(VENV)/.run: requirements.lock pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e .
	touch $@

$(VENV)/.dev: requirements-dev.lock $(VENV)/.run
	$(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements-dev.lock
	touch $@

lock:
	$(LOCK) -o requirements.lock
	$(LOCK) --extra dev -o requirements-dev.lock

clean:
	rm -rf $(VENV) frontend/build
