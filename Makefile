.DEFAULT_GOAL := help
.PHONY: help install run lint test test-all bench screenshots lock audit mutants clean

PYTHON ?= python3
PORT ?= 6543
BIN := .venv/bin
# With node of .venv, the programs that check the types of the pages.
TYPES := tests/types/node_modules
$(TYPES)/installed lint: export PATH := $(CURDIR)/$(BIN):$(PATH)
# What runs pytest; `coverage run` measures it and its workers.
RUN ?= $(BIN)/python
# The tests of the pages' modules that need no browser.
NODE_TEST = $(BIN)/node --test --test-reporter dot 'tests/pages/*.test.js'
# All tests of a file run in one worker and share its servers; files are taken in their order, those that wait first.
PYTEST = $(RUN) -m pytest --numprocesses 4 --dist loadfile --no-loadscope-reorder
COMPILE := $(BIN)/uv pip compile setup.py --quiet --upgrade --universal --python-version 3.11 --generate-hashes \
	--custom-compile-command 'make lock'

# Runs commands whose errors appear only if they fail by themselves: Ctrl-C is silent.
quietly = trap 'rm -f "$$errors"; exit 0' INT; errors=$$(mktemp); { $(1); } 2> "$$errors"; status=$$?; \
	[ $$status = 0 ] || cat "$$errors" >&2; rm -f "$$errors"; exit $$status
IS_FREE = import socket; socket.create_server(("127.0.0.1", $(PORT)))
IS_OPEN = import socket; socket.create_connection(("127.0.0.1", $(PORT)))

help: ## List the commands
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/make \1\t\2/' | expand -t 18

install: .venv/installed ## Create .venv with the service, the loaders and everything the tests need

.venv/installed: setup.py requirements-dev.lock
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --require-hashes --requirement requirements-dev.lock
	$(BIN)/pip install --quiet --no-deps --no-build-isolation --editable .
	touch $@ .venv/runnable

.venv/runnable: setup.py requirements-run.lock
	@echo "Installing the service and an embedded MongoDB into .venv, which takes about a minute"
	@$(call quietly,$(PYTHON) -m venv .venv && \
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements-run.lock && \
	$(BIN)/pip install --quiet --no-deps --no-build-isolation --editable . && touch $@)

run: .venv/runnable ## Serve the sample data on http://localhost:6543, or with PORT=8000 on another port
	@# In the background, the service ignores SIGINT while it starts; SIGTERM ends it in silence even then.
	@trap 'kill $$! 2> /dev/null; wait; exit 0' INT; $(BIN)/python -c '$(IS_FREE)' 2> /dev/null || \
	{ echo "Port $(PORT) is in use, or no port. Choose another one: make run PORT=8000"; exit 1; }; \
	($(call quietly,$(BIN)/campus-load samples --config development.ini)) || exit; \
	CAMPUS_PAGES_URL=http://localhost:$(PORT) $(BIN)/pserve development.ini http_port=$(PORT) & \
	while kill -0 $$! 2> /dev/null && ! $(BIN)/python -c '$(IS_OPEN)' 2> /dev/null; do sleep 0.2; done; \
	if kill -0 $$! 2> /dev/null; then echo "Open http://localhost:$(PORT)"; fi; wait $$!

$(TYPES)/installed: .venv/installed tests/types/package-lock.json
	npm ci --prefix tests/types --silent --no-audit --no-fund --prefer-offline --fetch-retries 5
	touch $@

lint: install $(TYPES)/installed ## Check the style of the code and of the pages, the types and the import contracts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/oxlint --import-plugin --deny-warnings campus_api/pages tests/pages
	$(TYPES)/.bin/openapi-typescript campus_api/openapi/openapi.yaml --silent --output tests/types/api.d.ts
	$(TYPES)/.bin/tsc --project tests/types
	$(TYPES)/.bin/tsc --project tests/types/tsconfig.worker.json

test: lint ## Lint, then run the tests of every commit, which take five minutes
	$(NODE_TEST)
	$(PYTEST) tests/unit tests/functional tests/loaders tests/smoke

test-all: lint ## Lint, then run all tests, also those of tests/nightly, with ten times as many examples
	$(NODE_TEST)
	$(PYTEST) tests --hypothesis-profile nightly

bench: install ## Run the benchmarks of loads, HTTP throughput and search; requires wrk
	@# The peer of the throughput, which nothing else uses.
	$(BIN)/pip install --quiet 'fastapi>=0.115' 'uvicorn[standard]>=0.30'
	$(BIN)/python -m bench.loads
	$(BIN)/python -m bench.throughput
	$(BIN)/python -m bench.search

screenshots: install ## Take the screenshots of README.md; requires chromium
	$(BIN)/python -m docs.screenshots

lock: ## Pin the newest versions that setup.py allows, with their hashes
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet uv
	$(COMPILE) --extra granian --extra mcp --output-file requirements.lock
	$(COMPILE) --extra embedded --constraint requirements.lock --output-file requirements-run.lock
	$(COMPILE) --extra testing --constraint requirements.lock --constraint requirements-run.lock --output-file requirements-dev.lock

audit: install ## Look for known vulnerabilities in the pinned versions, and list those that cannot be judged
	$(BIN)/pip install --quiet pip-audit
	$(BIN)/pip-audit --disable-pip --require-hashes --requirement requirements-dev.lock

mutants: install ## List the faults in the path of the data that no test notices
	$(BIN)/pip install --quiet 'mutmut>=3.8'
	@# Many tests of a mutant wait until a deadline: more of them than processors run at once.
	nice -n 15 $(BIN)/mutmut run --max-children 8
	$(BIN)/mutmut results

clean: ## Remove what the other commands made, but for the data in var
	rm -rf .venv .coverage .coverage.* .hypothesis .mypy_cache .pytest_cache .ruff_cache build mutants *.egg-info
