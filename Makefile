# The two commands: `make up` runs Handrail, `make test` proves it. Both begin with `make setup`.
SHELL := /bin/bash
PYTHON ?= python3
BIN := .venv/bin
UV := .tools/bin/uv
UV_VERSION := 0.13.7
# the machine's own certificates, as pip and npm use them: a registry may be behind a company's
export UV_SYSTEM_CERTS := 1
# tests run in as many processes as there are cores
JOBS ?= $(shell nproc 2>/dev/null || echo 2)

.PHONY: setup system up test check unit bench soak lock clean
setup: .venv/.ready system

# programs that no package index has; what is missing is said, and again by what needs it
system:
	@scripts/system-packages.sh bwrap:bubblewrap

.tools/.uv-$(UV_VERSION):
	@command -v $(PYTHON) >/dev/null || { echo "$(PYTHON) is not installed. On Debian: apt install python3 python3-venv"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Handrail needs Python 3.11 or newer; this is $$($(PYTHON) --version). Name another: make PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
	  { echo "$(PYTHON) has no venv. On Debian: apt install python3-venv"; exit 1; }
	@$(PYTHON) -m venv .tools
	@.tools/bin/pip install --quiet --disable-pip-version-check uv==$(UV_VERSION)
	@touch $@

.venv/.ready: .tools/.uv-$(UV_VERSION) requirements.lock pyproject.toml sdk/python/pyproject.toml
	@echo "setting up .venv"
	@$(UV) venv --quiet --allow-existing --python "$$(command -v $(PYTHON))" .venv
	@$(UV) pip sync --quiet --python $(BIN)/python --require-hashes requirements.lock
	@$(UV) pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation -e . -e sdk/python
	@touch $@

up: setup
	@$(BIN)/handrail up $(ARGS)

check: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(BIN)/pyright

unit: setup
	$(BIN)/pytest tests/unit

test: check
	$(BIN)/pytest -n $(JOBS) --dist worksteal -m "not soak"

bench: setup
	$(BIN)/python -m benchmarks $(ARGS)

soak: setup
	$(BIN)/pytest -m soak

# after a change of dependencies; hashes and no registry hosts (docs/adr/0002-lock-file.md)
lock: .tools/.uv-$(UV_VERSION)
	$(UV) pip compile --quiet --universal --generate-hashes --no-emit-package handrail-sdk \
	  --group dev pyproject.toml -o requirements.lock

clean:
	rm -rf .venv .tools
