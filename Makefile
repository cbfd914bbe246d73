# Everything a person types; `make` alone lists it. Each target does its own set-up on a machine that has one Python
# of 3.11 to 3.13: an interpreter is found, .venv made, and what pyproject.toml names installed into it, once.

SHELL := /bin/bash
VENV := .venv
BIN := $(VENV)/bin

# The newest interpreter that runs, is in range and can make virtual environments. Version managers leave commands
# that exist and only print an error, so each candidate is run.
PYTHON ?= $(shell for python in python3.13 python3.12 python3.11 python3 python; do \
	$$python -c 'import ensurepip, sys, venv; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' >/dev/null 2>&1 \
	&& { command -v $$python; break; }; done)

# uv is quick, pip knows the machine's own package settings: where the first finds nothing, the second may.
# The tests need PyTorch, whose Linux wheels bring several gigabytes of CUDA; with UV_TORCH_BACKEND=cpu in the
# environment uv takes the processor-only ones.
install = $(BIN)/uv pip install --python $(BIN)/python $(what) || $(BIN)/python -m pip install $(what)

.DEFAULT_GOAL := help
.PHONY: help demo test check lint bench schemas format stack-up stack-down clean

help:  ## this list
	@sed -nE 's/^([a-z-]+):.*  ## (.*)/make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 18

demo: $(VENV)/.runtime  ## the main job on the embedded engines: answers in, verdicts on screen
	$(BIN)/claimstream demo

test: $(VENV)/.dev  ## all tests; with Java 17 and Maven on real Kafka and OpenSearch. ARGS="-k name" narrows
	@$(BIN)/claimstream stack fetch || echo "Tests on real servers will be skipped."
	$(BIN)/pytest $(ARGS)

check: lint test  ## format, lint, types, layers, schemas, tests: what must pass before a commit

lint: $(VENV)/.dev  ## all of check but the tests, cheapest first
	$(BIN)/ruff format --check services tests benchmarks
	$(BIN)/ruff check services tests benchmarks
	$(BIN)/claimstream schemas check
	$(BIN)/lint-imports
	$(BIN)/mypy
	MYPYPATH=services:benchmarks $(BIN)/mypy benchmarks/*.py

format: $(VENV)/.dev  ## rewrite the sources as `make lint` wants them
	$(BIN)/ruff format services tests benchmarks
	$(BIN)/ruff check --fix services tests benchmarks

schemas: $(VENV)/.runtime  ## write schemas/ from the types
	$(BIN)/claimstream schemas export

bench: $(VENV)/.dev  ## throughput and memory, one run with cold caches
	$(BIN)/python benchmarks/pipeline.py

stack-up: $(VENV)/.runtime  ## real Kafka and OpenSearch on this machine, without Docker
	$(BIN)/claimstream stack up

stack-down: $(VENV)/.runtime  ## stop them
	$(BIN)/claimstream stack down

clean:  ## remove the virtual environment and the tools' caches
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "No Python 3.11 to 3.13 with venv runs here: install one (on Debian: python3-venv too)," \
		"or name it: make PYTHON=/path/to/python3.12 $(MAKECMDGOALS)" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); exit 1; }
	$(BIN)/python -m pip install --quiet --upgrade pip uv || { rm -rf $(VENV); exit 1; }

# The stamps are as old as the pyproject.toml that they stand for.
$(VENV)/.runtime: what = --editable '.[cpu]'
$(VENV)/.runtime: pyproject.toml | $(BIN)/python
	$(install)
	@touch $@

$(VENV)/.dev: what = --editable '.[cpu,train]' --group dev
$(VENV)/.dev: pyproject.toml | $(BIN)/python
	$(install)
	@touch $@ $(VENV)/.runtime
