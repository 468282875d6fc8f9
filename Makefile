# The two commands: `make up` runs Handrail, `make test` proves it. Both begin with `make setup`.
SHELL := /bin/bash
# Debian's own where it fits: a python3 that somebody built without options takes a quarter more processor time and twice
# as long to start. `make PYTHON=python3.13` names another
FITS := import sys, ensurepip, venv; sys.exit(sys.version_info < (3, 11))
PYTHON ?= $(shell /usr/bin/python3 -c '$(FITS)' 2>/dev/null && echo /usr/bin/python3 || echo python3)
BIN := .venv/bin
UV := .tools/bin/uv
UV_VERSION := 0.13.7
# the machine's own certificates, as pip and npm use them: a registry may be behind a company's
export UV_SYSTEM_CERTS := 1
# where Python may not keep what it compiles, setup does: else each process compiles everything again
COMPILE := $(if $(PYTHONDONTWRITEBYTECODE),--compile-bytecode)
CORES := $(shell nproc 2>/dev/null || echo 2)
# tests wait for processes, sockets and deadlines almost half of their time: twice as many as there are cores
JOBS ?= $(shell echo $$(($(CORES) * 2)))
# it may keep what it compiles: else each process of a run rewrites the assertions of all tests
PYTEST := PYTHONDONTWRITEBYTECODE= $(BIN)/pytest
# the branch that `make fast` compares with
BASE ?= main

CHECKS := types layers style schema-fresh
WEB_CHECKS := web-lint web-types web-budget
# two halves for two cores, each collected once: workers of xdist would collect everything each
UNIT := unit-half unit-others
HALF := $(addprefix tests/unit/,policy core api cli skills)
SDK_CHECKS := sdk-lint sdk-unit
SIDE_BY_SIDE := $(MAKE) --no-print-directory $(if $(filter output-sync,$(.FEATURES)),--output-sync) -j
# set where they run beside tests that have deadlines: they only compute, and step back
NICE :=
$(UNIT) $(CHECKS) $(WEB_CHECKS) $(SDK_CHECKS) web-unit touched-types: SHELL := $(strip $(NICE) /bin/bash)

WEB := src/handrail/web/index.html
WEB_SOURCES := $(shell find web/src web/public -type f) web/index.html web/vite.config.ts
# the SDK for TypeScript, built with the tools of the web pages: it needs nothing but a compiler
SDK := sdk/typescript/dist/index.js
TSC := web/node_modules/typescript-7/bin/tsc

.PHONY: setup system up test fast check unit web looks sdk bench soak dist image ship-test container-test failover lock schema browser screenshots clean adapters
.PHONY: $(UNIT) $(CHECKS) $(WEB_CHECKS) $(SDK_CHECKS) web-unit e2e rest touched-types touched-tests
# named by what it was made from: a lock file that comes with a checkout may be older than the environment
READY := .venv/.ready-$(shell cat requirements.lock pyproject.toml sdk/python/pyproject.toml | sha256sum | cut -c -16)

setup: $(READY) system $(WEB)

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

$(READY): .tools/.uv-$(UV_VERSION)
	@echo "setting up .venv"
	@$(UV) venv --quiet --allow-existing --python "$$(command -v $(PYTHON))" .venv
	@$(UV) pip sync --quiet $(COMPILE) --python $(BIN)/python --require-hashes requirements.lock
	@$(UV) pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation -e . -e sdk/python
	@$(if $(COMPILE),$(BIN)/python -m compileall -q src sdk/python/src)
	@rm -f .venv/.ready* && touch $@

web/node_modules/.ready: web/package.json web/package-lock.json web/.npmrc
	@command -v npm >/dev/null || { echo "npm is not installed. On Debian: apt install nodejs npm"; exit 1; }
	@node -e 'const [a, b] = process.versions.node.split("."); process.exit(a > 20 || (a == 20 && b >= 19) ? 0 : 1)' || \
	  { echo "The web pages need Node.js 20.19 or newer to be built; this is $$(node --version)."; exit 1; }
	@cmp --silent web/package-lock.json web/node_modules/.installed || { \
	  echo "setting up web/node_modules" && cd web && npm ci --loglevel error --no-progress && \
	  cp package-lock.json node_modules/.installed; }
	@touch $@

$(WEB): web/node_modules/.ready web/package.json web/scripts/compress.js $(WEB_SOURCES)
	@echo "building the web pages"
	@cd web && npm run --silent build
	@touch $@

$(SDK): web/node_modules/.ready sdk/typescript/tsconfig.json $(shell find sdk/typescript/src -type f)
	@echo "building the TypeScript SDK"
	@rm -rf $(dir $@) && $(TSC) -p sdk/typescript
	@touch $@
sdk: $(SDK)

up: setup
	@$(BIN)/handrail up $(ARGS)

# each takes one core, so they run side by side; the longest begin
check: setup
	@$(SIDE_BY_SIDE) $(CORES) $(CHECKS) $(WEB_CHECKS) $(SDK_CHECKS)

# a sixth of its time is the search for garbage among what is young; and threads that help it take more than they save
types touched-types: export NODE_OPTIONS := --max-semi-space-size=256 --v8-pool-size=0
types:
	$(BIN)/pyright
style:
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
layers:
	$(BIN)/lint-imports
schema-fresh:
	@$(OPENAPI) | $(TYPES) | cmp --silent - web/src/api/schema.gen.ts && \
	  $(OPENAPI) sdk | $(TYPES) | cmp --silent - sdk/typescript/src/schema.gen.ts || \
	  { echo "web/src/api/schema.gen.ts or sdk/typescript/src/schema.gen.ts is not what the API says now: run \`make schema\`"; exit 1; }
# compiled with its tests, which are node's own
sdk-unit:
	@rm -rf sdk/typescript/build && $(TSC) -p sdk/typescript/test
	cd sdk/typescript && node --test --test-reporter=dot build/test/
# programs in Go, in one core as the other checks, and with memory in place of time
web-lint sdk-lint: export GOMAXPROCS := 1
web-lint sdk-lint: export GOGC := 400
sdk-lint:
	cd sdk/typescript && OXLINT_TSGOLINT_PATH=../../web/node_modules/.bin/tsgolint ../../web/node_modules/.bin/oxlint src test
web-lint:
	cd web && npm run --silent lint
web-types:
	cd web && npm run --silent typecheck
web-budget:
	cd web && npm run --silent budget

# the types of the web pages and of the SDK, from the API's own document and from the events; the table of docs/events.md
OPENAPI = $(BIN)/python scripts/openapi.py
TYPES = (cd web && node_modules/.bin/openapi-typescript)
schema: setup
	@$(OPENAPI) | $(TYPES) > web/src/api/schema.gen.ts
	@$(OPENAPI) sdk | $(TYPES) > sdk/typescript/src/schema.gen.ts
	@$(BIN)/python scripts/events.py
	@$(BIN)/python scripts/routes.py > docs/api.md
	@$(BIN)/python scripts/files.py > docs/files.md
	@$(BIN)/python scripts/agents.py > docs/agents.md

# the browser of the end-to-end tests, and its shell without a window, which most of them use; HANDRAIL_BROWSER names another
SHELL_BROWSER := chromium-headless-shell
browser:
	@scripts/system-packages.sh "$${HANDRAIL_BROWSER:-chromium}":chromium
	@! apt-cache show $(SHELL_BROWSER) >/dev/null 2>&1 || scripts/system-packages.sh $(SHELL_BROWSER):$(SHELL_BROWSER)

unit: setup
	@$(SIDE_BY_SIDE) $(CORES) --keep-going $(UNIT)
unit-half:
	$(PYTEST) $(HALF)
unit-others:
	$(PYTEST) tests/unit $(addprefix --ignore ,$(HALF))

web-unit:
	cd web && npm run --silent test

# apart from the other tests: the browser's driver keeps an event loop of its own running
e2e:
	$(PYTEST) -n $(CORES) --dist worksteal -m "not soak" web/e2e
web: setup browser web-unit e2e
# the stories of web/e2e/README.md in every look, of which the other tests take some: ten minutes on two quiet cores
looks: setup browser
	$(PYTEST) -n $(CORES) --dist worksteal -m story --looks all web/e2e $(ARGS)

# with `+` it prints as it goes, where the others print what they have when they end
rest:
	+$(PYTEST) -n $(JOBS) --dist worksteal -m "not soak" --ignore tests/unit

# all at once, the longest first: while tests wait, checks and unit tests compute; the last line names what failed, as
# its own output may stand some thousand lines above
test: setup browser $(SDK)
	@said=$$(mktemp); trap 'rm -f $$said' EXIT; \
	$(SIDE_BY_SIDE) $$(($(CORES) + 2)) NICE=nice --keep-going rest e2e types $(UNIT) $(filter-out types,$(CHECKS)) $(WEB_CHECKS) $(SDK_CHECKS) web-unit \
	  2> >(tee $$said >&2) && echo "make test: all passed" || { wait $$!; \
	  echo "make test: failed: $$(sed -n 's/^make.*\*\*\* \[Makefile:[0-9]*: \(.*\)\] Error.*/\1/p' $$said | paste -sd ' ')"; exit 1; }

# what a change can break, in two minutes: all checks (those of the web pages where they differ; types of what differs
# and of all that imports it), all unit tests, and of the others those that import what differs
WEB_DIFFERS = $(shell git diff --name-only $(BASE) -- web; git status --porcelain web)
SDK_DIFFERS = $(shell git diff --name-only $(BASE) -- sdk/typescript; git status --porcelain sdk/typescript)
fast: setup $(SDK)
	@$(SIDE_BY_SIDE) $$(($(CORES) + 1)) NICE=nice touched-tests touched-types $(UNIT) $(filter-out types,$(CHECKS)) $(if $(WEB_DIFFERS),$(WEB_CHECKS) web-unit) $(if $(SDK_DIFFERS),$(SDK_CHECKS))
touched-types:
	$(BIN)/pyright $$($(BIN)/python scripts/touched.py types $(BASE))
touched-tests:
	@set -o pipefail; $(BIN)/python scripts/touched.py tests $(BASE) | \
	  while read -r files; do $(PYTEST) -n $(CORES) --dist worksteal -m "not soak" $$files || exit 1; done

# the real coding agents and frameworks against a scripted model; before a release, and after a change of hooks or SDK
adapters: setup $(SDK)
	@scripts/system-packages.sh curl:curl jq:jq
	@scripts/adapters.sh .adapters
	$(PYTEST) adapters

bench: setup browser
	$(BIN)/python -m benchmarks $(ARGS)

soak: setup browser
	$(PYTEST) -m soak
	$(PYTEST) -m soak web/e2e
	$(PYTEST) -m soak -s deploy/failover

# a release: wheels, sdists, npm package, SBOM, licences and checksums, byte for byte the same from the same sources
dist: setup
	@UV=$(UV) scripts/dist.sh dist && ls -sh dist

# one image for API and workers, with the docker of this machine; PLATFORM=linux/arm64 for another
image: setup
	@scripts/image.sh $(IMAGE)

# releases and deployments, proven with the tools of their trade: some minutes, more on a busy machine, and programs of
# Debian that are unpacked into .tools and not installed
SHIP_LOCK := deploy/tests/requirements.lock
SHIP := .tools/.ship-$(shell sha256sum $(SHIP_LOCK) 2>/dev/null | cut -c -16)
$(SHIP): .tools/.uv-$(UV_VERSION)
	@$(UV) venv --quiet --allow-existing --python "$$(command -v $(PYTHON))" .tools/ship
	@$(UV) pip sync --quiet --python .tools/ship/bin/python --require-hashes $(SHIP_LOCK)
	@rm -f .tools/.ship-* && touch $@
ship-test: setup $(SHIP)
	$(PYTEST) --timeout 1800 deploy/tests $(ARGS)

# builds the image and runs it, the company of the compose file and tests inside it, with a Docker of Debian's packages:
# needs root; seven minutes on two quiet cores. ARGS="-m soak": the rest of the integration tests inside it
container-test: setup
	$(PYTEST) -s -m "not soak" deploy/containers $(ARGS)

# loses the primary of a PostgreSQL under Patroni every minute, under load: seven minutes, with Debian's packages of
# Patroni, etcd, PgBouncer and PostgreSQL
failover: setup
	$(PYTEST) -s deploy/failover $(ARGS)

# after a change of dependencies; hashes and no registry hosts (docs/adr/0002-lock-file.md)
lock: .tools/.uv-$(UV_VERSION)
	$(UV) pip compile --quiet --universal --generate-hashes --no-emit-package handrail-sdk \
	  --extra all --group dev pyproject.toml -o requirements.lock
	$(UV) pip compile --quiet --universal --generate-hashes --group ship -o $(SHIP_LOCK)
	cd web && npm install --silent --package-lock-only && node scripts/complete-lock.js
	cd adapters/typescript && npm install --silent --package-lock-only

# pictures of the main pages, in both themes, and of a code change in the terminal
screenshots: setup browser
	$(BIN)/python scripts/screenshots.py docs/images
	$(BIN)/python scripts/channel_pictures.py docs/images
	$(BIN)/python scripts/terminal_pictures.py docs/images

clean:
	rm -rf .venv .tools web/node_modules src/handrail/web sdk/typescript/dist sdk/typescript/build
