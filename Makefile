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

# In the folder that holds the clone, Python takes the clone, which is called hansa_env too, for a package without code: it looks
# there before it asks setuptools' finder of editable packages. In this environment only a package with code comes before that.
define FOUND_EVERYWHERE
$(BIN)/python -c 'import sys, sysconfig; open(sysconfig.get_path("purelib") + "/hansa_env_found.pth", "w").write("".join(sys.argv[1:]))' \
	'import sys; from importlib.machinery import PathFinder; sys.meta_path[:0] = [type("WithCode", (), {"find_spec": staticmethod(' \
	'lambda name, path=None, target=None, found=PathFinder.find_spec: name == "hansa_env" and getattr(found(name), "loader", None)' \
	' and found(name) or None)}), *(one for one in sys.meta_path if getattr(one, "__module__", "").startswith("__editable___hansa_env"))]'
endef

.PHONY: test test-all train bench table docs lint compiled clean

# torch comes first and by its exact version, so that no other package picks a build with gigabytes of CUDA.
$(VENV)/ready: pyproject.toml
	@echo "Setting up $(VENV), once: one to several minutes, about 2 GB (several more where PyTorch comes with CUDA)"
	$(PYTHON) -m venv $(VENV)
	@echo "PyTorch:"
	$(INSTALL) torch==2.13.0
	@echo "The other packages, about 80, half a minute and more; pip says nothing meanwhile:"
	$(INSTALL) --quiet --editable ".[train,picture,table,test]"
	$(FOUND_EVERYWHERE)
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

bench: $(VENV)/ready
	$(BIN)/hansa bench

table: $(VENV)/ready
	$(BIN)/hansa table

# Without torch: the documents are made from the sources alone.
$(VENV)/docs-ready: pyproject.toml
	@echo "Setting up $(VENV) for the documents, once: less than a minute"
	$(PYTHON) -m venv $(VENV)
	$(INSTALL) --quiet --editable ".[docs]"
	$(FOUND_EVERYWHERE)
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
