# Recipes for maintainers.  `scripts/test` sets up what they need.

set positional-arguments

python := if path_exists(justfile_directory() / ".venv/bin/python") == "true" { justfile_directory() / ".venv/bin/python" } else { "python3" }

_default:
    @just --list --unsorted

# Set up and pass every test, as CI does
test *ARGS:
    scripts/test "$@"

# Style, types and the layer rule
lint:
    {{python}} -m ruff check .
    {{python}} -m ruff format --check .
    {{python}} -m mypy
    PYTHONPATH=src {{python}} -c "from importlinter.cli import lint_imports_command; lint_imports_command()" --no-cache

# Rewrite requirements/*.txt from their .in files, with hashes
lock:
    cd requirements && for name in *.in; do \
        uv pip compile "$name" --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
            --no-annotate --custom-compile-command 'just lock' --output-file "${name%.in}.txt"; done

# Attack one layer: `just fuzz tokenizer 300` (needs requirements/fuzz.txt)
fuzz TARGET SECONDS="60" *ARGS:
    PYTHONPATH=src {{python}} -m fuzz {{TARGET}} --seconds {{SECONDS}} -- {{ARGS}}

# Attack every layer, AT_ONCE targets at a time
fuzz-all SECONDS="60" AT_ONCE="1":
    PYTHONPATH=src {{python}} -m fuzz.every --seconds {{SECONDS}} --at-once {{AT_ONCE}}

# Prove that each target can fail: it must find every build that is broken on purpose within a minute
fuzz-broken:
    PYTHONPATH=src {{python}} -m fuzz.every --broken --seconds 60

# Hold the mirrored native rules against the real client, PROJECTS generated projects from a seed on
native-oracle PROJECTS="200" SEED="0":
    REFSEAL_ORACLE_PROJECTS={{PROJECTS}} REFSEAL_ORACLE_SEED={{SEED}} \
        {{python}} -m pytest -q tests/e2e/test_native_oracle.py

# Change a room an expression at a time and see whether its tests notice (needs requirements/maintenance.txt)
mutate ROOM *ARGS:
    {{python}} tests/mutation/mutate.py {{ROOM}} {{ARGS}}

# Redraw the threat model's picture (needs graphviz) and its page
threat-model:
    {{python}} threat-model/model.py
    {{python}} threat-model/table.py

# Check that HEAD can be released: same bytes twice, metadata, the wheel at work (needs requirements/release.txt)
release-check:
    {{python}} scripts/release_check.py

# Write docs/commands.md from what --help prints
commands:
    PYTHONPATH=src {{python}} docs/write_commands.py

# Redraw the README's terminal pictures from real runs
pictures:
    {{python}} docs/pictures/draw.py

# Race the path guard against a second process, ROUNDS reads of each shape
races ROUNDS="20000":
    REFSEAL_RACE_ROUNDS={{ROUNDS}} {{python}} -m pytest -q tests/pathguard/test_races.py

# Measure everything beside what it is compared with (`just bench --only hook --python python3.13 --peer DIR`)
bench *ARGS:
    PYTHONPATH=src {{python}} -m benchmarks "$@"
