# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0
"""./wick: builds only when something changed, from anywhere, through links, for several users at once. A small project stands in for wick,
so that a build takes a second."""

from harness import *  # noqa: F403

CMAKE = """cmake_minimum_required(VERSION 3.25)
project(small C)
file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/*.c)
add_executable(wick ${sources})
"""
SOURCE = """#include <stdio.h>
int extra(void) __attribute__((weak));
int main(int argc, char** argv) { printf("version 1 %d", extra ? extra() : 0); for (int i = 1; i < argc; ++i) printf("|%s", argv[i]); return 5; }
"""


def project(t, name="a project"):
    root = t.tmp / name
    (root / "src").mkdir(parents=True)
    (root / "cmake").mkdir()
    (root / "tools").mkdir()
    (root / "CMakeLists.txt").write_text(CMAKE)
    (root / "src" / "main.c").write_text(SOURCE)
    for file in ("wick", "tools/build_release", "tools/install_packages", "tools/packages"):
        shutil.copy(ROOT / file, root / file)
    tool("cmake"), tool("ninja")
    return root


def launch(t, root, *args, program=None, **kw):
    r = t.run(program or root / "wick", *args, **kw)
    need(r.returncode == 5, f"code {r.returncode}: {text_of(r.stderr)[-500:]}")
    return text_of(r.stdout)


def test_builds_and_passes_arguments(t):
    root = project(t)
    need(launch(t, root, "a b", "", "-x") == "version 1 0|a b||-x", "arguments")
    binary = root / "build/release/wick"
    before = binary.stat().st_mtime_ns
    need(launch(t, root) == "version 1 0" and binary.stat().st_mtime_ns == before, "built again although nothing changed")
    # Changed, added, deleted.
    (root / "src" / "main.c").write_text(SOURCE.replace("version 1", "version 2"))
    need(launch(t, root) == "version 2 0", "a change is not seen")
    (root / "src" / "more.c").write_text("int extra(void) { return 8; }\n")
    need(launch(t, root) == "version 2 8", "a new file is not seen")
    (root / "src" / "more.c").unlink()
    need(launch(t, root) == "version 2 0", "a deleted file is not seen")
    stamp = (root / "build/release/.stamp").stat().st_mtime_ns
    launch(t, root)
    need((root / "build/release/.stamp").stat().st_mtime_ns == stamp, "builds each time")


def test_after_a_configure_that_failed(t):
    root = project(t)
    (root / "CMakeLists.txt").write_text(CMAKE + "find_library(missing NAMES no-such-library REQUIRED)\n")
    r = t.run(root / "wick")
    need(r.returncode != 0 and "no-such-library" in text_of(r.stderr), text_of(r.stderr)[-500:])
    (root / "CMakeLists.txt").write_text(CMAKE)
    need(launch(t, root) == "version 1 0", "stays broken")


def test_from_anywhere(t):
    root = project(t)
    launch(t, root)
    link = t.tmp / "link to wick"
    link.symlink_to(root / "wick")
    relative = t.tmp / "bin" / "wick"
    relative.parent.mkdir()
    relative.symlink_to("../a project/wick")
    for program, cwd in ((link, "/"), (relative, "/tmp"), ("./wick", root), ("../wick", root / "src")):
        need(launch(t, root, "x", program=program, cwd=cwd) == "version 1 0|x", f"{program} from {cwd}")
    env = {**t.environment(t.tmp), "PATH": f"{relative.parent}:{os.environ['PATH']}"}
    need(launch(t, root, program="wick", env=env) == "version 1 0", "from PATH")


def test_two_at_once(t):
    root = project(t)
    many = [t.start_process([root / "wick", str(i)], stdout=subprocess.PIPE, stderr=subprocess.PIPE) for i in range(4)]
    for i, p in enumerate(many):
        out, err = p.communicate(timeout=120)
        need(p.returncode == 5 and out == f"version 1 0|{i}".encode(), f"{p.returncode} {out} {err}")


def test_failed_build(t):
    """Shows the end of the log, exits with 1, and the next good build recovers."""
    root = project(t)
    (root / "src" / "main.c").write_text("int main(void) { return nonsense; }\n")
    r = t.run(root / "wick")
    need(r.returncode == 1 and b"nonsense" in r.stderr and not r.stdout, f"{r}")
    (root / "src" / "main.c").write_text(SOURCE)
    launch(t, root)


def test_other_user(t):
    """A user who may not write to the build directory runs the existing build; without one there is a clear message."""
    root_only()
    root = project(t)
    nobody = [tool("setpriv"), f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
    r = t.run(*nobody, root / "wick")
    need(r.returncode == 1 and b"hint: " in r.stderr, f"{r}")
    launch(t, root)
    r = t.run(*nobody, root / "wick", "x")
    need(r.returncode == 5 and r.stdout == b"version 1 0|x" and not r.stderr, f"{r}")


def test_missing_packages(t):
    """Shows the command to run to a user who may not install packages."""
    root_only()
    root = project(t)
    with open(root / "tools/packages", "a") as f:
        f.write("wick-no-such-package\n")
    os.chown(root, NOBODY, NOBODY)
    nobody = [tool("setpriv"), f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
    r = t.run(*nobody, root / "wick")
    need(r.returncode == 1 and b"apt-get install -y --no-install-recommends wick-no-such-package" in r.stderr, f"{r}")


@serial
def test_cost(t):
    """If nothing changed, the launcher adds little time to the binary: under 50 ms, best of seven."""
    if not (ROOT / "build/release/.stamp").exists() or t.wick_path != ROOT / "build/release/wick":
        raise Skip("build/release was not built by ./wick")

    def best(program):
        times = []
        for _ in range(7):
            began = time.monotonic()
            t.run(program, "--version")
            times.append(time.monotonic() - began)
        return 1e3 * min(times)

    extra = best(ROOT / "wick") - best(t.wick_path)
    if extra >= 50:
        raise OutOfRange(f"the launcher adds {extra:.0f} ms")
    return f"the launcher adds {extra:.1f} ms"
