"""How each setting is read: from a variable or from refseal.toml, within its bounds.

`settings` tells what there is, and has the defaults.
"""

from __future__ import annotations

from refseal.pathguard.names import MAX_COMPONENT_BYTES

from .instruction import OVERLAY, PROJECT_NAMES
from .settings import ALIAS_PREFIX, PREFIX

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Final

    from .settings import Settings

ALIASED: Final = (
    "max_depth",
    "max_files",
    "max_file_bytes",
    "max_total_reference_bytes",
    "allow_outside_root",
    "fallback_filenames",
)
"""The settings that the older plugin had, under the same names."""

ENVIRONMENT_ONLY: Final = ("codex_home",)
"""It says where the file is: the file cannot say it."""

MAX_DEPTH_BOUND: Final = 100  # a chain longer than this is a mistake; the bound keeps attributes short
MAX_FILES_BOUND: Final = 1_000  # more than the number of resolutions can never be reached
MAX_BYTES_BOUND: Final = 1 << 26  # 64 MiB: the host shows less than this of anything; bounds memory
MIN_HOST_LIMIT: Final = (
    200  # tokens; `seal.SMALLEST_LIMIT`: below it a block may not have room for its own frame
)
MAX_HOST_LIMIT: Final = 1 << 24  # tokens; 64 MiB of text
MAX_DEADLINE: Final = 600.0  # seconds; what the host gives a hook that declares no time-out
MAX_LIST: Final = 64  # entries of a list; each extra root costs an open descriptor
MAX_SHOWN: Final = 60  # characters of a bad value in its report


def read_into(settings: Settings, environ: Mapping[str, str], toml: bytes | None) -> None:
    """Store every setting that is given, and report what is not used in ``settings.problems``.

    ``toml`` is the content of refseal.toml, None where there is no such file.
    """
    table = _parse(toml, settings.problems) if toml is not None else {}
    for field, read in READERS.items():
        label, value = _lookup(field, environ, table)
        if label is None:
            continue
        read(settings, field, label, value)
    if toml is not None:
        for key in table:
            if key not in READERS or key in ENVIRONMENT_ONLY:
                settings.problems.append(f"refseal.toml: there is no setting {_shown(key)}")


def _parse(toml: bytes, problems: list[str]) -> dict[str, object]:
    from .toml_text import BrokenToml, read_toml  # noqa: PLC0415 - imports tomllib: few have the file

    try:
        return read_toml(toml)
    except BrokenToml:
        problems.append("refseal.toml is not valid TOML in UTF-8; none of it is used")
        return {}


def _lookup(field: str, environ: Mapping[str, str], table: Mapping[str, object]) -> tuple[str | None, object]:
    """Return the name under which a field is set and its value; an empty variable counts as not set."""
    names = [PREFIX + field.upper()]
    if field in ALIASED:
        names.append(ALIAS_PREFIX + field.upper())
    for name in names:
        value = environ.get(name, "")
        if value:
            return name, value
    if field in table and field not in ENVIRONMENT_ONLY:
        return f"refseal.toml: {field}", table[field]
    return None, None


def _shown(value: object) -> str:
    try:
        text = ascii(value)  # the user's own value, but it goes into JSON, a terminal and a block
    except RecursionError:  # `a.a.a.…` nests as deep as the file is long
        text = "a value that is nested too deep"
    return text if len(text) <= MAX_SHOWN else text[:MAX_SHOWN] + "..."


def _reject(settings: Settings, field: str, label: str, value: object, wanted: str) -> None:
    default = getattr(settings, field)
    used = "nothing" if default in (None, ()) else str(default).lower() if default is False else str(default)
    settings.problems.append(f"{label}: {_shown(value)} is not {wanted}; {used} is used")


def _whole(low: int, high: int) -> Reader:
    def read(settings: Settings, field: str, label: str, value: object) -> None:
        number: int | None = None
        if isinstance(value, str):
            digits = value.strip()
            # Twelve digits are beyond every bound, and int() itself refuses absurd lengths.
            if digits.isascii() and digits.isdigit() and len(digits) <= 12:
                number = int(digits)
        elif isinstance(value, int) and not isinstance(value, bool):
            number = value
        if number is None or not low <= number <= high:
            _reject(settings, field, label, value, f"a whole number from {low} to {high}")
        else:
            setattr(settings, field, number)

    return read


def _seconds(settings: Settings, field: str, label: str, value: object) -> None:
    number: float | None = None
    if isinstance(value, (str, int, float)) and not isinstance(value, bool):
        try:
            number = float(value)
        except (ValueError, OverflowError):
            number = None
    if number is None or not 0 < number <= MAX_DEADLINE:  # also false for a NaN
        _reject(settings, field, label, value, f"a number of seconds above 0, up to {MAX_DEADLINE:g}")
    else:
        setattr(settings, field, number)


def _switch(settings: Settings, field: str, label: str, value: object) -> None:
    word = value.strip().lower() if isinstance(value, str) else value
    if word is True or word in ("1", "true", "yes", "on"):
        setattr(settings, field, True)
    elif word is not False and word not in ("0", "false", "no", "off"):
        _reject(settings, field, label, value, "true or false")


def _items(settings: Settings, field: str, label: str, value: object, separator: str) -> list[str] | None:
    if isinstance(value, str) and not label.startswith("refseal.toml"):
        items = [item.strip() for item in value.split(separator)]
        items = [item for item in items if item]
    elif isinstance(value, list) and all(isinstance(item, str) for item in value):
        items = value
    else:
        _reject(settings, field, label, value, "a list of strings")
        return None
    if len(items) > MAX_LIST:
        _reject(settings, field, label, value, f"a list of at most {MAX_LIST} entries")
        return None
    return items


def _directories(settings: Settings, field: str, label: str, value: object) -> None:
    kept: list[str] = []
    for item in _items(settings, field, label, value, ":") or ():
        if (item.startswith(("/", "~/")) or item == "~") and "\0" not in item:
            kept.append(item)
        else:
            settings.problems.append(f"{label}: {_shown(item)} is not an absolute path; it is left out")
    setattr(settings, field, tuple(kept))


def _directory(settings: Settings, field: str, label: str, value: object) -> None:
    if isinstance(value, str) and value.startswith("/") and "\0" not in value:
        setattr(settings, field, value)
    else:
        _reject(settings, field, label, value, "an absolute path")


def _file_names(settings: Settings, field: str, label: str, value: object) -> None:
    items = _items(settings, field, label, value, ",")
    if items is None:
        return
    kept: list[str] = []
    for item in items:
        if item == OVERLAY:
            settings.problems.append(f"{label}: {OVERLAY} is reserved for the overlay; it is left out")
        elif not is_bare_name(item):
            settings.problems.append(f"{label}: {_shown(item)} is not a file name; it is left out")
        elif item not in kept and item not in PROJECT_NAMES:
            kept.append(item)
    setattr(settings, field, tuple(kept))


def is_bare_name(name: str) -> bool:
    """Tell whether a name is one component that a directory can hold."""
    return (
        name not in ("", ".", "..")
        and "/" not in name
        and "\0" not in name
        and len(name.encode("utf-8", "surrogatepass")) <= MAX_COMPONENT_BYTES
    )


if TYPE_CHECKING:
    Reader = Callable[[Settings, str, str, object], None]

READERS: Final[dict[str, Reader]] = {
    "max_depth": _whole(0, MAX_DEPTH_BOUND),
    "max_files": _whole(0, MAX_FILES_BOUND),
    "max_file_bytes": _whole(1, MAX_BYTES_BOUND),
    "max_total_reference_bytes": _whole(0, MAX_BYTES_BOUND),
    "allow_outside_root": _switch,
    "extra_roots": _directories,
    "fallback_filenames": _file_names,
    "codex_home": _directory,
    "host_limit": _whole(MIN_HOST_LIMIT, MAX_HOST_LIMIT),
    "deadline": _seconds,
    "require_trust": _switch,
    "disable": _switch,
}
"""How each setting is read: a reader stores a good value and reports a bad one."""
