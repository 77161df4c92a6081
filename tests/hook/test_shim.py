"""hook.py: the right Python, no planted byte-code, nothing written, whatever the folder is called."""

from __future__ import annotations

import json
import marshal
import os
import py_compile
import shutil
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.hook.plugin import SOURCE, Plugin, command, payload, project


@pytest.fixture
def plugin(tmp_path: Path) -> Plugin:
    return Plugin(tmp_path)


@pytest.mark.parametrize(
    "name", ["with space", 'it\'s "quoted"', "$HOME and ${PLUGIN_ROOT} and `id`", "-n; exit 3 #", "ünï\\code"]
)
def test_any_name_of_the_plugin_folder_works(tmp_path: Path, name: str) -> None:
    plugin = Plugin(tmp_path, name)
    assert "Overlay of the project" in (plugin.context(project(tmp_path)) or "")


def plant(path: Path, target: Path, witness: Path) -> None:
    """Write byte-code for ``target`` that tells on itself."""
    source = witness.with_suffix(".planted.py")
    source.write_text(f"open({str(witness)!r}, 'w').close()\n")
    path.parent.mkdir(parents=True, exist_ok=True)
    # Unchecked byte-code is believed whatever the source's time and size are.
    py_compile.compile(
        str(source), str(path), doraise=True, invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH
    )
    assert target.name


TAG = sys.implementation.cache_tag
PLACES = [
    f"refseal/codex/__pycache__/hook.{TAG}.pyc",
    f"refseal/__pycache__/__init__.{TAG}.pyc",
    f"__pycache__/hook.{TAG}.pyc",
    f"__pycache__/os.{TAG}.pyc",
    "hook.pyc",
    "os.pyc",
    "json.pyc",
    "refseal.pyc",
    "refseal/codex/hook.pyc",
    "refseal/codex/json_codec.pyc",
    "refseal/__init__.pyc",
    "_json.pyc",
    "errno.pyc",
    "re.pyc",
    "tomllib.pyc",
    "tomllib/__init__.pyc",
    "refseal/codex/hook/__init__.pyc",
    "refseal/pathguard/walk/__init__.pyc",
    "sitecustomize.pyc",
    "usercustomize.pyc",
    "_frozen_importlib_external.pyc",
]


@pytest.mark.parametrize("place", PLACES)
def test_planted_byte_code_never_runs(tmp_path: Path, plugin: Plugin, place: str) -> None:
    root = project(tmp_path)
    (plugin.codex_home / "config.toml").write_text("project_doc_max_bytes = 1000\n")  # so that TOML is read
    witness = tmp_path / "witness"
    plant(plugin.root / place, plugin.root / place, witness)
    for _ in range(2):
        assert "Overlay of the project" in (plugin.context(root) or "")
    assert not witness.exists()


def test_planted_byte_code_runs_where_nothing_keeps_it_out(tmp_path: Path) -> None:
    """The trap of the test above works: this is what happens without hook.py's care."""
    package = tmp_path / "package"
    package.mkdir()
    (package / "module.py").write_text("")
    witness = tmp_path / "witness"
    plant(package / "__pycache__" / f"module.{TAG}.pyc", package / "module.py", witness)
    code = f"import sys; sys.path.insert(0, {str(package)!r}); import module"
    subprocess.run([sys.executable, "-I", "-S", "-c", code], check=True)
    assert witness.exists()


def test_nothing_is_written_into_the_plugin_folder(tmp_path: Path, plugin: Plugin) -> None:
    root = project(tmp_path)
    before = plugin.files()
    for _ in range(3):
        plugin.answer(root)
    plugin.environment["PLUGIN_DATA"] = ""
    plugin.answer(root)
    assert plugin.files() == before


def cached(plugin: Plugin) -> list[Path]:
    return sorted(plugin.data.rglob("refseal.*")) if plugin.data.exists() else []


def test_byte_code_is_kept_in_a_folder_for_the_user_alone(tmp_path: Path, plugin: Plugin) -> None:
    plugin.answer(project(tmp_path))
    assert cached(plugin)
    for folder in (plugin.data, plugin.data / "bytecode"):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_run_uses_what_an_earlier_one_kept(tmp_path: Path, plugin: Plugin) -> None:
    root = project(tmp_path)
    first = plugin.answer(root)
    (kept,) = cached(plugin)
    before = kept.stat()
    assert plugin.answer(root) == first
    assert (kept.stat().st_ino, kept.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_what_cannot_be_kept_is_not_left_half_written(tmp_path: Path, plugin: Plugin) -> None:
    root = project(tmp_path)
    first = plugin.answer(root)
    (kept,) = cached(plugin)
    kept.unlink()
    kept.mkdir()  # no file can take this name
    assert plugin.answer(root) == first
    assert cached(plugin) == [kept]
    kept.rmdir()
    limited = f"ulimit -f 20; {command()}"  # of 512 bytes each: there is more to write
    done = subprocess.run(
        ["/bin/sh", "-c", limited],
        input=payload(root),
        env=plugin.environment,
        capture_output=True,
        check=True,
        timeout=30,
    )
    assert json.loads(done.stdout) == first
    assert cached(plugin) == []


def test_a_changed_source_is_compiled_anew(tmp_path: Path, plugin: Plugin) -> None:
    root = project(tmp_path)
    plugin.answer(root)
    source = plugin.root / "refseal" / "codex" / "host_limit.py"
    source.write_text(source.read_text() + "\nraise RuntimeError\n")
    assert "internal error (RuntimeError in host_limit.py" in plugin.answer(root)["systemMessage"]


@pytest.mark.parametrize("length", [0, 3, 4, 100, 5_000, 100_000])
def test_a_file_that_broke_off_costs_nothing_but_time(tmp_path: Path, plugin: Plugin, length: int) -> None:
    root = project(tmp_path)
    first = plugin.answer(root)
    (kept,) = cached(plugin)
    kept.write_bytes(kept.read_bytes()[:length])
    assert plugin.answer(root) == first
    mended = kept.stat().st_ino
    assert plugin.answer(root) == first
    assert kept.stat().st_ino == mended


@pytest.mark.parametrize(
    "table", [None, 5, "x", [1], {"x": 5}, {"x": (1,)}, {"x": (1, 2, 3)}, {"x": (1, "", [])}]
)
def test_a_file_with_a_damaged_table_is_written_anew(tmp_path: Path, plugin: Plugin, table: Any) -> None:
    root = project(tmp_path)
    first = plugin.answer(root)
    (kept,) = cached(plugin)
    head = marshal.dumps(table)
    kept.write_bytes(len(head).to_bytes(4, "little") + head)
    assert plugin.answer(root) == first
    mended = kept.stat().st_ino
    assert plugin.answer(root) == first
    assert kept.stat().st_ino == mended


@pytest.mark.parametrize("place", ["offset", "length", "content", "made of", "too few", "too many"])
def test_a_chapter_that_is_none_is_compiled_anew(tmp_path: Path, plugin: Plugin, place: str) -> None:
    root = project(tmp_path)
    first = plugin.answer(root)
    (kept,) = cached(plugin)
    data = kept.read_bytes()
    size = int.from_bytes(data[:4], "little")
    table, codes = marshal.loads(data[4 : 4 + size]), data[4 + size :]  # noqa: S302 - made by our own run
    for name, (offset, length, made_of) in table.items():
        table[name] = {
            "offset": (1 << 62, length, made_of),
            "length": (offset, 1 << 62, made_of),
            "content": (len(codes), 5, made_of),
            "made of": (offset, length, ["x", *made_of]),
            "too few": (offset, length, made_of[1:]),
            "too many": (offset, length, [made_of[0], *made_of]),
        }[place]
    head = marshal.dumps(table)
    kept.write_bytes(len(head).to_bytes(4, "little") + head + codes + marshal.dumps(7))
    assert plugin.answer(root) == first
    assert plugin.answer(root) == first


def test_a_chapter_that_nobody_asked_for_stays(tmp_path: Path, plugin: Plugin) -> None:
    """One session needs what another does not: each adds its part, and neither loses the other's."""
    root = project(tmp_path)
    overlay = root / "AGENTS.local.md"
    text = overlay.read_text()
    answers = []
    for content in (text, text + "\nSee @a.md.\n", text):
        overlay.write_text(content)
        answers.append(plugin.answer(root))
    (kept,) = cached(plugin)
    whole = kept.stat().st_ino
    for content, first in zip((text + "\nSee @a.md.\n", text), answers[1:], strict=True):
        overlay.write_text(content)
        assert plugin.answer(root) == first
    assert kept.stat().st_ino == whole


TELL = """
import posix, sys
path = sys.argv.pop()
def last(status):
    for name, module in sys.modules.items():
        if name.startswith("refseal"):
            parent, _, child = name.rpartition(".")
            spec = module.__spec__
            told = [name, module.__name__, module.__file__, module.__package__, spec.name, spec.origin]
            told += [getattr(module, "__path__", None), spec.submodule_search_locations]
            told += [module.__loader__ is spec.loader, sorted(vars(module))]
            told += [parent and type(getattr(sys.modules[parent], child))]
            posix.write(2, repr(told).encode() + b"\\n")
    end(status)
end, posix._exit = posix._exit, last
exec(compile(open(path).read(), path, "exec"), {"__name__": "__main__", "__file__": path})
"""


def test_modules_of_a_chapter_are_what_an_import_makes_of_them(tmp_path: Path, plugin: Plugin) -> None:
    """Run once from the source and once from a chapter: the same modules, alike in all that can be asked."""
    root = project(tmp_path)
    told = []
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-c", TELL, str(plugin.root / "hook.py")],
            input=payload(root),
            env=plugin.environment,
            capture_output=True,
            check=True,
        )
        told.append(sorted(done.stderr.decode().splitlines()))
    assert told[0] == told[1]
    assert len(told[0]) > 40


def test_a_pipe_in_place_of_the_file_holds_nothing_up(tmp_path: Path, plugin: Plugin) -> None:
    root = project(tmp_path)
    first = plugin.answer(root)
    (kept,) = cached(plugin)
    kept.unlink()
    os.mkfifo(kept)
    assert plugin.answer(root) == first


@pytest.mark.parametrize("mode", [0o777, 0o770, 0o722])
@pytest.mark.parametrize("which", ["data", "bytecode"])
def test_a_folder_that_others_can_write_to_is_not_used(
    tmp_path: Path, plugin: Plugin, mode: int, which: str
) -> None:
    root = project(tmp_path)
    plugin.answer(root)
    shutil.rmtree(plugin.data)
    folder = plugin.data if which == "data" else plugin.data / "bytecode"
    (plugin.data / "bytecode").mkdir(parents=True)
    for made in (plugin.data, plugin.data / "bytecode"):
        made.chmod(0o700)
    folder.chmod(mode)
    assert "Overlay of the project" in (plugin.context(root) or "")
    assert cached(plugin) == []


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_a_folder_of_another_user_is_not_used(tmp_path: Path, plugin: Plugin) -> None:
    (plugin.data / "bytecode").mkdir(parents=True, mode=0o700)
    os.chown(plugin.data / "bytecode", 12345, 12345)
    assert plugin.context(project(tmp_path))
    assert cached(plugin) == []


def test_a_link_in_place_of_the_folder_is_not_used(tmp_path: Path, plugin: Plugin) -> None:
    plugin.data.mkdir(parents=True, mode=0o700)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir(mode=0o700)
    (plugin.data / "bytecode").symlink_to(elsewhere)
    assert plugin.context(project(tmp_path))
    assert list(elsewhere.iterdir()) == []


@pytest.mark.parametrize("data", ["", "relative/data", "/dev/null/data", "/proc/nowhere"])
def test_without_a_folder_of_its_own_it_works_and_writes_nothing(
    tmp_path: Path, plugin: Plugin, data: str
) -> None:
    plugin.environment["PLUGIN_DATA"] = data
    root = project(tmp_path)
    before = {str(path) for path in tmp_path.rglob("*")}
    assert plugin.context(root)
    assert {str(path) for path in tmp_path.rglob("*")} == before


def test_a_folder_deeper_than_python_may_recurse_is_made_or_done_without(
    tmp_path: Path, plugin: Plugin
) -> None:
    plugin.environment["PLUGIN_DATA"] = str(tmp_path) + "/x" * 1_500
    assert plugin.context(project(tmp_path))
    subprocess.run(["rm", "-rf", str(tmp_path / "x")], check=True)  # too deep for pytest's own cleaning


def test_the_repository_does_not_choose_the_interpreter(tmp_path: Path, plugin: Plugin) -> None:
    root = project(tmp_path)
    witness = tmp_path / "witness"
    (root / "bin").mkdir()
    for name in ("python3", "python3.14", "python3.13", "python3.12", "python3.11"):
        (root / "bin" / name).write_text(f"#!/bin/sh\necho run > '{witness}'\n")
        (root / "bin" / name).chmod(0o755)
        (root / name).symlink_to(root / "bin" / name)
    (root / ".python-version").write_text("2.7.18\n")
    plugin.environment["PATH"] = "./bin:bin::.:" + plugin.environment["PATH"]
    assert "Overlay of the project" in (plugin.context(root) or "")
    assert not witness.exists()


def test_nothing_of_the_repository_is_run(tmp_path: Path, plugin: Plugin) -> None:
    """No git is started, so that nothing in git's configuration names a program or another tree for it."""
    root = project(tmp_path)
    witness = tmp_path / "witness"
    script = tmp_path / "script"
    script.write_text(f"#!/bin/sh\necho run > '{witness}'\n")
    script.chmod(0o755)
    (plugin.programs / "git").symlink_to(script)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "AGENTS.local.md").write_text("Overlay of elsewhere\n")
    git = root / ".git"
    for name in ("objects", "refs", "hooks"):
        (git / name).mkdir(parents=True, exist_ok=True)
    (git / "HEAD").write_text("ref: refs/heads/main\n")
    (git / "hooks/post-index-change").symlink_to(script)
    (git / "config").write_text(
        f"[core]\n\tworktree = {elsewhere}\n\tfsmonitor = {script}\n\thooksPath = {git}/hooks\n"
        f"[include]\n\tpath = {elsewhere}/config\n"
    )
    context = plugin.context(root) or ""
    assert "Overlay of the project" in context
    assert "Overlay of elsewhere" not in context
    assert not witness.exists()


def test_a_version_file_of_the_repository_is_not_obeyed(tmp_path: Path, plugin: Plugin) -> None:
    """A stand-in for pyenv's shim: it looks for .python-version from the directory it is started in."""
    root = project(tmp_path)
    (root / ".python-version").write_text("0.0\n")
    shim = plugin.programs / "python3"
    real = shim.resolve()
    shim.unlink()
    shim.write_text(f'#!/bin/sh\n[ -e .python-version ] && {{ echo obeyed; exit 1; }}\nexec "{real}" "$@"\n')
    shim.chmod(0o755)
    assert "Overlay of the project" in (plugin.context(root) or "")


def test_variables_of_python_have_no_say(tmp_path: Path, plugin: Plugin) -> None:
    evil = tmp_path / "evil"
    evil.mkdir()
    for name in ("os", "refseal", "sitecustomize", "json", "errno"):
        (evil / f"{name}.py").write_text("raise SystemExit(7)")
    plugin.environment |= {
        "PYTHONPATH": str(evil),
        "PYTHONSTARTUP": str(evil / "os.py"),
        "PYTHONPYCACHEPREFIX": str(plugin.root),
        "PYTHONINSPECT": "1",
        "PYTHONVERBOSE": "1",
    }
    before = plugin.files()
    assert "Overlay of the project" in (plugin.context(project(tmp_path)) or "")
    assert plugin.files() == before


def interpreters(*minors: int) -> list[Path]:
    """Return real older and newer interpreters, where this machine has them."""
    found = []
    for minor in minors:
        for place in (f"/usr/bin/python3.{minor}", *_pyenv(minor)):
            path = Path(place)
            if path.is_file():
                found.append(path)
                break
    return found


def _pyenv(minor: int) -> list[str]:
    versions = Path(os.environ.get("PYENV_ROOT", str(Path.home() / ".pyenv"))) / "versions"
    return [str(path) for path in sorted(versions.glob(f"3.{minor}.*/bin/python3.{minor}"))]


OLD = interpreters(6, 7, 8, 9, 10)


@pytest.mark.parametrize("old", OLD, ids=[path.name for path in OLD])
def test_an_old_python_starts_a_newer_one(tmp_path: Path, plugin: Plugin, old: Path) -> None:
    plugin.use_python(old)
    plugin.environment["PATH"] = str(plugin.programs)
    plugin.use_python(Path(sys.executable).resolve(), f"python3.{sys.version_info[1]}")
    assert "Overlay of the project" in (plugin.context(project(tmp_path)) or "")


@pytest.mark.parametrize("old", OLD, ids=[path.name for path in OLD])
def test_an_old_python_alone_names_what_is_needed_and_what_was_found(
    tmp_path: Path, plugin: Plugin, old: Path
) -> None:
    plugin.use_python(old)
    plugin.environment["PATH"] = str(plugin.programs)
    said = plugin.answer(project(tmp_path))
    assert list(said) == ["systemMessage"]
    assert "3.11" in said["systemMessage"]
    assert old.name.removeprefix("python") in said["systemMessage"]


@pytest.mark.parametrize("old", OLD[:1], ids=[path.name for path in OLD[:1]])
def test_a_name_that_does_not_run_is_passed_over(tmp_path: Path, plugin: Plugin, old: Path) -> None:
    """A version manager's shim has the name of each version, and works for those that are active."""
    plugin.use_python(old)
    (plugin.programs / "python3.14").write_text("#!/bin/sh\necho not active; exit 127\n")
    (plugin.programs / "python3.14").chmod(0o755)
    (plugin.programs / "python3.13").write_text("no program at all")
    (plugin.programs / "python3.12").mkdir()
    plugin.use_python(Path(sys.executable).resolve(), f"python3.{sys.version_info[1]}")
    plugin.environment["PATH"] = f"{plugin.programs}:/usr/bin:/bin"
    assert "Overlay of the project" in (plugin.context(project(tmp_path)) or "")


@pytest.mark.parametrize("old", OLD[:1], ids=[path.name for path in OLD[:1]])
def test_an_old_python_under_a_new_name_ends_the_search(tmp_path: Path, plugin: Plugin, old: Path) -> None:
    plugin.use_python(old)
    plugin.use_python(old, "python3.12")
    plugin.environment["PATH"] = str(plugin.programs)
    assert list(plugin.answer(project(tmp_path))) == ["systemMessage"]


@pytest.mark.parametrize("old", OLD[:1], ids=[path.name for path in OLD[:1]])
def test_an_old_python_does_not_start_one_of_a_relative_entry(
    tmp_path: Path, plugin: Plugin, old: Path
) -> None:
    root = project(tmp_path)
    plugin.use_python(old)
    (root / "python3.12").write_text("#!/bin/sh\necho '{}'\n")
    (root / "python3.12").chmod(0o755)
    plugin.environment["PATH"] = f"{plugin.programs}::.:{os.path.relpath(root, '/')}"
    assert list(plugin.answer(root)) == ["systemMessage"]


NEW = [path for path in interpreters(11, 12, 13, 14) if path.name != f"python3.{sys.version_info[1]}"]


@pytest.mark.parametrize("new", NEW, ids=[path.name for path in NEW])
def test_every_newer_python_says_the_same(tmp_path: Path, plugin: Plugin, new: Path) -> None:
    root = project(tmp_path)
    here = plugin.answer(root)
    plugin.use_python(new)
    assert plugin.answer(root) == here
    assert plugin.answer(root) == here


def test_the_shim_parses_on_every_python_3() -> None:
    for old in OLD:
        code = "import ast, sys; [ast.parse(open(path).read()) for path in sys.argv[1:]]"
        paths = [str(SOURCE / name) for name in ("hook.py", "old_python.py")]
        subprocess.run([str(old), "-I", "-S", "-c", code, *paths], check=True)


def test_hooks_json_is_what_codex_accepts() -> None:
    hooks = json.loads((SOURCE / "hooks" / "hooks.json").read_text())
    assert set(hooks) <= {"description", "hooks"}
    assert set(hooks["hooks"]) == {"SessionStart", "SubagentStart"}
    assert hooks["hooks"]["SessionStart"][0]["matcher"] == "startup|resume|clear|compact|fork"
    assert "matcher" not in hooks["hooks"]["SubagentStart"][0]
    for groups in hooks["hooks"].values():
        for handler in groups[0]["hooks"]:
            assert handler["command"] == 'cd / && exec python3 -I -S "$PLUGIN_ROOT/hook.py"'
            assert handler["timeout"] == 10


def test_a_payload_helper_is_what_the_hook_reads(tmp_path: Path, plugin: Plugin) -> None:
    done = plugin.start(payload(tmp_path / "nowhere"), tmp_path)
    assert (done.returncode, done.stderr) == (0, b"")
    (key, said) = json.loads(done.stdout).popitem()
    assert key == "systemMessage"
    assert "could not be opened (missing)" in said
