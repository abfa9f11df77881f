# Everything runs in .venv, which the first target makes. Needs Python 3.11 or newer and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# The type checker finds the folders under their import names here: links, which Git does not keep.
IMPORT := build/import

# Bytecode is made as it is needed; making all of it takes half a minute.
# Where the environment forbids to keep it, each of the tests' processes would make it anew: up to four seconds each time.
export PYTHONDONTWRITEBYTECODE :=
INSTALL := $(BIN)/python -m pip install --disable-pip-version-check --no-compile

.PHONY: test test-all train speed table docs lint compiled clean

# torch comes first and by its exact version, so that no other package picks a build with gigabytes of CUDA.
$(VENV)/ready: pyproject.toml
	@echo "Setting up $(VENV), only once: a few minutes and about 2 GB, or several GB more if PyTorch comes with CUDA"
	$(PYTHON) -m venv $(VENV)
	@echo "PyTorch:"
	$(INSTALL) torch==2.13.0
	@echo "Installing about 80 other packages: half a minute or more, and pip prints nothing meanwhile"
	$(INSTALL) --quiet --editable ".[train,picture,table,test]"
	touch $(VENV)/ready

# The types are checked while the rules are compiled. The tests are told that this is done, or they would load all of it to see.
# What is slow runs in test-all. Two cores keep three processes busy, as many tests wait for a process, a page or a time limit.
test: $(VENV)/ready
	$(MAKE) --jobs=2 lint compiled
	HANSA_COMPILED=1 $(BIN)/python -m pytest --numprocesses 3 --dist worksteal -rs -m "not slow"

test-all: $(VENV)/ready
	$(MAKE) --jobs=2 lint compiled
	HANSA_COMPILED=1 $(BIN)/python -m pytest --numprocesses 3 --dist worksteal -rs

# A run that was stopped goes on; of one that is done, the result is shown.
train: $(VENV)/ready
	$(BIN)/hansa train $(if $(wildcard runs/ppo/plan.toml),--resume)

speed: $(VENV)/ready
	$(BIN)/hansa speed

table: $(VENV)/ready
	$(BIN)/hansa table

# Without torch: the documents are made from the sources alone.
$(VENV)/docs-ready: pyproject.toml
	@echo "Setting up $(VENV) for the documents, once: less than a minute"
	$(PYTHON) -m venv $(VENV)
	$(INSTALL) --quiet --editable ".[docs]"
	touch $(VENV)/docs-ready

docs: $(VENV)/docs-ready
	$(BIN)/zensical build --strict --clean

lint: $(VENV)/ready
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	mkdir -p $(IMPORT)
	for folder in agents training benchmarks; do ln -sfn ../../$$folder $(IMPORT)/hansa_$$folder; done
	$(BIN)/mypy

compiled: $(VENV)/ready
	$(BIN)/python -m tests.compiled

clean:
	rm -rf $(VENV) build site .cache *.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
