"""What attacks refseal: one property a layer, and an engine that looks for the input that breaks it.

A target (`fuzz/targets/NAME.py`) states its property in its first lines and has one function, `check(data:
bytes)`, which decodes the bytes, runs the layer and raises if the property does not hold.  It knows no
engine: atheris drives it (`python -m fuzz NAME`), hypothesis and the stored inputs do so in the ordinary
tests (`tests/fuzz`).
"""
