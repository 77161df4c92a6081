"""Two builds of the same source are the same bytes: whoever doubts a release can build it and compare."""

import os
import subprocess
import sys
import tarfile
import time
import zipfile

import pytest

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))


def copy_of_the_source(target: str, *, umask: int) -> None:
    """Write what git tracks, with modes and times as a checkout by somebody else would have them."""
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    for name in filter(None, os.fsdecode(tracked).split("\0")):
        source = os.path.join(ROOT, name)
        if os.path.islink(source) or not os.path.isfile(source):
            continue
        place = os.path.join(target, name)
        os.makedirs(os.path.dirname(place), exist_ok=True)
        with open(source, "rb") as read, open(place, "wb") as write:
            write.write(read.read())
        executable = os.stat(source).st_mode & 0o100
        os.chmod(place, (0o777 if executable else 0o666) & ~umask)
        os.utime(place, (time.time() - umask * 1000,) * 2)


def build(source: str) -> dict[str, bytes]:
    environment = {key: value for key, value in os.environ.items() if key != "SOURCE_DATE_EPOCH"}
    subprocess.run(
        [sys.executable, "-m", "build", "--no-isolation", "--outdir", os.path.join(source, "out"), source],
        check=True,
        capture_output=True,
        env=environment,
    )
    built = {}
    for name in os.listdir(os.path.join(source, "out")):
        with open(os.path.join(source, "out", name), "rb") as file:
            built[name] = file.read()
    return built


@pytest.fixture(scope="module", name="builds")
def build_twice(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, bytes]]:
    if not os.path.exists(os.path.join(ROOT, ".git")):
        pytest.skip("needs the git checkout to know what belongs to the source")
    builds = []
    for umask in (0o022, 0o077):
        source = str(tmp_path_factory.mktemp(f"source-{umask:o}"))
        copy_of_the_source(source, umask=umask)
        builds.append(build(source))
    return builds


def test_wheel_and_sdist_are_reproducible(builds: list[dict[str, bytes]]) -> None:
    first, second = builds
    assert sorted(name.rpartition(".")[2] for name in first) == ["gz", "whl"]
    assert first.keys() == second.keys()
    assert [name for name in first if first[name] != second[name]] == []


def test_wheel_holds_the_package_and_nothing_else(
    builds: list[dict[str, bytes]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    (name,) = (name for name in builds[0] if name.endswith(".whl"))
    place = tmp_path_factory.mktemp("wheel") / name
    place.write_bytes(builds[0][name])
    with zipfile.ZipFile(place) as wheel:
        tops = {entry.partition("/")[0] for entry in wheel.namelist()}
        assert not [entry for entry in wheel.namelist() if entry.endswith((".pyc", ".so"))]
    assert {top.partition("-")[0] for top in tops} == {"refseal"}


def test_sdist_can_be_built_again(
    builds: list[dict[str, bytes]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    (name,) = (name for name in builds[0] if name.endswith(".tar.gz"))
    place = tmp_path_factory.mktemp("sdist")
    (place / name).write_bytes(builds[0][name])
    with tarfile.open(place / name) as sdist:
        sdist.extractall(place, filter="data")
    again = build(str(place / name.removesuffix(".tar.gz")))
    (wheel,) = (name for name in again if name.endswith(".whl"))
    assert again[wheel] == builds[0][wheel]
