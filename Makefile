# `make demo` and `make test` need Python 3.11 or later and nothing else; each builds what it needs in .venv.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
POLICY := policies/cancer_treatment

.PHONY: demo test check-style clean

demo: $(VENV)/installed
	$(BIN)/decisionflow explain $(POLICY)/cancer_treatment.dflow $(POLICY)/patients.csv --row 13 --why-not propose

test: $(VENV)/installed-for-tests
	$(BIN)/python -m pytest -n auto

check-style: $(VENV)/installed-for-tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

$(VENV)/installed: pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "decisionflow needs Python 3.11 or later; make PYTHON=python3.12 …")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable .
	touch $@

$(VENV)/installed-for-tests: $(VENV)/installed
	$(BIN)/python -m pip install --quiet --editable '.[test]'
	touch $@

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache
