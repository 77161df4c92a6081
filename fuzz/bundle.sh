#!/bin/bash -eu
# Builds every target into $OUT: one self-contained program each, with its dictionary and its seeds beside it.
# Runs inside the fuzzing engine's image, which brings atheris and `compile_python_fuzzer`; outside of it the latter
# is stood in for by fuzz/stand-in/compile_python_fuzzer.  Needs $SRC (holding refseal/) and $OUT.
cd "$SRC/refseal"

python3 -m pip install --require-hashes -r requirements/oracles.txt
export PYTHONPATH="$SRC/refseal/src:$SRC/refseal"

entries=$(mktemp -d)
for target in $(python3 -c 'from fuzz.targets import NAMES; print(*NAMES)'); do
    # The bundler follows import statements, so each target needs a program that names it.
    cat > "$entries/$target.py" <<PY
import sys

import atheris

with atheris.instrument_imports(include=["refseal"]):
    from fuzz import engine
    from fuzz.targets import $target as target

    engine.import_all()

atheris.Setup(sys.argv, target.check)
atheris.Fuzz()
PY
    compile_python_fuzzer "$entries/$target.py" \
        --paths "$SRC/refseal/src" --paths "$SRC/refseal" --collect-submodules refseal \
        --add-data "$SRC/refseal/docs/schema:docs/schema" \
        --add-data "$SRC/refseal/tests/vectors/sarif-schema-2.1.0.json:tests/vectors"

    [ ! -f "fuzz/dictionaries/$target.dict" ] || cp "fuzz/dictionaries/$target.dict" "$OUT/$target.dict"
    # Seeds and old findings; python writes the archive because not every image has zip.
    python3 - "$target" "$OUT/${target}_seed_corpus.zip" <<'PY'
import os
import sys
import zipfile

target, archive = sys.argv[1:]
with zipfile.ZipFile(archive, "w") as seeds:
    for folder in ("corpus", "regressions"):
        place = os.path.join("fuzz", folder, target)
        for name in sorted(os.listdir(place)) if os.path.isdir(place) else ():
            seeds.write(os.path.join(place, name), f"{folder}-{name}")
PY
done
rm -rf "$entries"
