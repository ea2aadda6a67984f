# Two commands matter: `make play` and `make test`. Both set up .venv by themselves, once, and again
# only when what is to be installed has changed.

PYTHON ?= python3
BIN := .venv/bin
BINDIR ?= $(HOME)/.local/bin
STAMP := .venv/.ready

.PHONY: play install test coverage matrix check demo golden screenshots pictures bench simulate fuzz soak kill clean

play: $(STAMP)
	@$(BIN)/conquest $(ARGS)

install: $(STAMP)
	@mkdir -p "$(BINDIR)"
	@ln -sfn "$(CURDIR)/$(BIN)/conquest" "$(BINDIR)/conquest"
	@echo "$(BINDIR)/conquest leads to this folder now."
	@case ":$$PATH:" in *":$(BINDIR):"*) ;; *) echo "$(BINDIR) is not on your PATH; add it to type conquest." ;; esac

test: check
	@sh .ci/suite $(BIN)/python $(ARGS)

coverage: $(STAMP)
	@rm -f .coverage .coverage.*
	@sh .ci/suite $(BIN)/python --cov --cov-report= $(ARGS)
	@$(BIN)/python -m coverage report | tail -n 40

matrix:
	@sh .ci/matrix $(ARGS)

check: $(STAMP)
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --quiet --check .
	@$(BIN)/mypy

demo: $(STAMP)
	@$(BIN)/python -m tools.demo $(ARGS)

golden: $(STAMP)
	@$(BIN)/python -m tests.server.games.transcript

screenshots: $(STAMP)
	@$(BIN)/python -m tools.screenshot $(ARGS)

pictures: $(STAMP)
	@$(BIN)/python -m tools.picture

bench: $(STAMP)
	@$(BIN)/python -m bench.startup
	@$(BIN)/python -m bench.paint
	@$(BIN)/python -m bench.rules
	@$(BIN)/python -m bench.bots
	@$(BIN)/python -m bench.load

simulate: $(STAMP)
	@$(BIN)/python -m tests.simulation --seeds 20000 $(ARGS)

fuzz: $(STAMP)
	@$(BIN)/python -m tests.fuzz --frames 3000000 $(ARGS)

kill: $(STAMP)
	@$(BIN)/python -m tests.e2e.kill --kills 500 $(ARGS)

soak: $(STAMP)
	@$(BIN)/python -m bench.soak --minutes 10 $(ARGS)

$(STAMP): pyproject.toml constraints.txt .ci/setup
	@sh .ci/setup $(PYTHON)

clean:
	rm -rf .venv .matrix .coverage .coverage.* .mypy_cache .pytest_cache .ruff_cache .hypothesis
