#!/bin/bash -eu
# The same build wherever the targets run at scale.
exec "$SRC/refseal/fuzz/bundle.sh"
