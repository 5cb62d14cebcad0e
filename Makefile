# Everything a user runs. `make table` and `make test` need nothing but Python >= 3.11.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
KERNELS := $(VENV)/.kernels

# Tests run in as many processes as there are cores, eight at most: each takes about a gigabyte. JOBS=1 is one of them.
JOBS   ?= $(shell n=$$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2); echo $$((n < 8 ? n : 8)))
# Of the drawn statements of `make soundness`, one in so many.
EVERY  ?= 1
# Plain processes that take one module after the other, those with slow tests first: call in_turns with more options.
# They keep all cores busy, so that the one which measures claims starts no workers. A folder behind a space would be
# taken for tests, before pytest has read what the option is.
in_turns = @turns=$$(mktemp -d); seq $(JOBS) | xargs -P $(JOBS) -I{} $(BIN)/python -m pytest --turns=$$turns -q \
	--theoremeter-workers 0 $(1); \
	ended=$$?; rm -r $$turns; exit $$ended

# Where it is set, every process of the tests parses every module anew, some 30 CPU seconds each time.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help venv table test check bench lint some-tests exhaustive dear soundness kernel kernel-sample coq matrix chromium browser docs latex format clean
help:
	@echo "make venv       make .venv with pinned versions, and compile all modules and kernels"
	@echo "make table      measure at the quick preset and print the bound-vs-measurement table"
	@echo "make test       run tests/ and checks/ at the smoke preset"
	@echo "make check      lint and the fast tests, about a minute on two cores"
	@echo "make bench      time the engines side by side, with JAX and torch.compile; about fifteen minutes"
	@echo "make exhaustive run what make test leaves out: sixteen claims, every planted fault of a simulator, other Pythons; about ten minutes"
	@echo "make dear       run what that leaves out, faults planted in trainings on images; some four minutes"
	@echo "make soundness  put 3 000 drawn statements of known truth to the prover, EVERY=5 a fifth of them; some minutes"
	@echo "make kernel     compile all exported proofs with the coqc of 'make coq', and ask LeanCert for their leaves; some twenty minutes"
	@echo "make kernel-sample  compile a few of them, and see that none compiles whose statement was changed; half a minute"
	@echo "make coq        install the coqc and coq-interval that these need (Debian, as root)"
	@echo "make matrix     tests without torch, with the lowest and the newest dependencies, on each Python from 3.11 on"
	@echo "make browser    look at every kind of page of a site in a real browser, with the Chromium of 'make chromium'"
	@echo "make chromium   install the Chromium and the driver that 'make browser' needs (Debian, as root)"
	@echo "make docs       write the documentation as a site into build/docs, failing on any warning"
	@echo "make latex      install the LaTeX that the tests of 'table --format latex' compile with (Debian, as root)"
	@echo "make lint       style, types and import rules"

# Modules and kernels are compiled at once, half a minute; or the first command and the first trainings do it.
$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --group dev --editable .
	$(BIN)/python -m compileall -q -j $(JOBS) checks sim theory theoremeter theoremeter_papers
	$(BIN)/python -m tests.compile_kernels --jobs $(JOBS)
	@touch $(READY) $(KERNELS)

# After a change of a simulator. Processes of the tests that need a kernel at the same time would each compile it.
$(KERNELS): $(READY) $(shell find sim -name '*.py')
	@$(BIN)/python -m tests.compile_kernels --jobs $(JOBS)
	@touch $(KERNELS)

venv: $(READY)

table: $(READY)
	@$(BIN)/theoremeter run --preset quick --headlines
	@$(BIN)/theoremeter table --preset quick

test: $(KERNELS)
	$(call in_turns,-m "not exhaustive and not browser")

check: $(READY)
	@$(MAKE) --no-print-directory --jobs=2 lint some-tests

# Plain processes with a share of the modules each.
some-tests: $(READY)
	@seq $(JOBS) | xargs -P $(JOBS) -I{} $(BIN)/python -m pytest tests --share {}/$(JOBS) -q -rfE -m "not slow and not exhaustive and not browser"

exhaustive: $(READY)
	$(call in_turns,-m "exhaustive and not dear")

dear: $(READY)
	$(BIN)/python -m pytest tests -q -m "exhaustive and dear"

soundness: $(READY)
	$(BIN)/python -m tests.theory.soundness --jobs 2 --every $(EVERY)

# Two referees of the same records: Coq, and LeanCert for the leaves.
kernel: $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --group referee
	@work=$$(mktemp -d); $(BIN)/python -m benchmarks.kernel --work $$work --write && \
		$(BIN)/python -m benchmarks.referee --work $$work --write; \
		ended=$$?; rm -r $$work; exit $$ended

kernel-sample: $(READY)
	@command -v coqc >/dev/null || { echo "there is no coqc here; as root, 'make coq' installs it from Debian's packages"; exit 1; }
	$(BIN)/python -m pytest tests/theory/kernel

# About 500 MB, half a minute. Tests that compile a proof are skipped, and say so, where it is missing.
coq:
	apt-get update
	apt-get install --yes --no-install-recommends coq libcoq-interval

matrix:
	$(PYTHON) -m tests.matrix

# About 300 MB. Tests that compile a page are skipped, and say so, where it is missing.
latex:
	apt-get update
	apt-get install --yes --no-install-recommends texlive-latex-base texlive-latex-recommended

bench: $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --group bench --editable ".[fast]"
	$(BIN)/python benchmarks/engine.py
	$(BIN)/python benchmarks/cost_model.py

# About 400 MB. `make browser` starts nothing else; .ci/run leaves it out, and says so, where this cannot be had.
chromium:
	apt-get update
	apt-get install --yes --no-install-recommends chromium chromium-driver fonts-liberation

browser: $(READY)
	@for it in chromium chromedriver; do command -v $$it >/dev/null || { echo "there is no $$it here; as root, 'make chromium' installs it from Debian's packages"; exit 1; }; done
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --group browser
	$(BIN)/python -m pytest tests/browser

docs: $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --group docs
	$(BIN)/python -m sphinx --quiet --fail-on-warning --keep-going docs build/docs
	@echo "the site is build/docs/index.html"

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
