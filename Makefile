# Everything a user runs. `make table` and `make test` need nothing but Python >= 3.11.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready

.PHONY: help table test soundness bench lint format clean
help:
	@echo "make table      measure at the quick preset and print the bound-vs-measurement table"
	@echo "make test       run tests/ and checks/ at the smoke preset"
	@echo "make soundness  put 3 000 drawn statements of known truth to the prover; about three minutes"
	@echo "make bench      time the engines side by side, with JAX and torch.compile; about fifteen minutes"
	@echo "make lint       style, types and import rules"

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --group dev --editable .
	@touch $(READY)

table: $(READY)
	@$(BIN)/theoremeter run --preset quick
	@$(BIN)/theoremeter table --preset quick

test: $(READY)
	$(BIN)/python -m pytest

soundness: $(READY)
	$(BIN)/python -m tests.theory.soundness --jobs 2

bench: $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --group bench --editable ".[fast]"
	$(BIN)/python benchmarks/engine.py
	$(BIN)/python benchmarks/cost_model.py

lint: $(READY)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/pyrefly check --python-interpreter-path $(BIN)/python
	$(BIN)/lint-imports

format: $(READY)
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

clean:
	rm -rf $(VENV) .theoremeter
