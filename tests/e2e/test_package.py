# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0
"""The binary and the packages run on other distributions."""

from harness import *  # noqa: F403

OLDEST_GLIBC = (2, 35)  # Ubuntu 22.04


def test_glibc(t):
    """The binary needs no newer symbol than those of glibc 2.35, and no library besides glibc."""
    dynamic = text_of(t.run(tool("readelf"), "-d", "-W", t.wick_path).stdout)
    libraries = re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic)
    need(libraries, "no libraries: the binary is static?")
    others = [l for l in libraries if not re.match(r"(libc|libm|ld-linux[-\w]*)\.so", l)]
    sanitized = [l for l in libraries if "san" in l]
    if sanitized:
        raise Skip("sanitized build")
    need(not others, f"needs {others}")
    symbols = text_of(t.run(tool("readelf"), "--dyn-syms", "-W", t.wick_path).stdout)
    needed = re.findall(r"UND (\S+)@GLIBC_(\d+)\.(\d+)", symbols)
    need(len(needed) > 50, f"readelf shows {len(needed)} symbols of glibc")
    newer = [f"{name} ({a}.{b})" for name, a, b in needed if (int(a), int(b)) > OLDEST_GLIBC]
    need(not newer, f"needs a newer glibc for {', '.join(newer)}")


@serial
def test_cpack(t):
    """The .deb and the .tar.gz have the program, cargo-wick, pages and completions; the program in them runs."""
    build = t.wick_path.parent
    if not (build / "CPackConfig.cmake").exists():
        raise Skip(f"{build} is no build folder")
    out = t.tmp / "packages"
    r = t.run(tool("cpack"), "--config", build / "CPackConfig.cmake", "-B", out, timeout=600)
    need(r.returncode == 0, text_of(r.stdout) + text_of(r.stderr))
    version = t.good("--version").split()[1]
    debs, tars = list(out.glob("*.deb")), list(out.glob("*.tar.gz"))
    need(len(debs) == len(tars) == 1 and version in debs[0].name and version in tars[0].name, f"{debs} {tars}")
    wanted = ["bin/wick", "bin/cargo-wick", "share/man/man1/wick.1", "share/man/man1/cargo-wick.1", "share/bash-completion/completions/wick"]
    wanted += ["share/zsh/site-functions/_wick", "share/fish/vendor_completions.d/wick.fish"]
    dpkg = tool("dpkg-deb")
    need(t.run(dpkg, "-x", debs[0], t.tmp / "deb").returncode == 0, "dpkg-deb -x")
    need(t.run(tool("tar"), "-C", t.tmp, "-xf", tars[0]).returncode == 0, "tar")
    (unpacked,) = t.tmp.glob("wick-*")
    for root in (t.tmp / "deb/usr", unpacked):
        missing = [w for w in wanted if not (root / w).exists()]
        need(not missing, f"{root.name} lacks {missing}")
        r = t.run(root / "bin/cargo-wick", "wick", "--help")
        need(r.returncode == 0 and b"cargo wick" in r.stdout, f"cargo-wick of {root.name}: {text_of(r.stderr)}")
    fields = text_of(t.run(dpkg, "-f", debs[0]).stdout)
    architecture = {"x86_64": "amd64", "aarch64": "arm64"}[ARCH]
    for field in ("Package: wick", f"Version: {version}", f"Architecture: {architecture}", "Depends: libc6 (>= 2.35)"):
        need(field in fields, f"{field}: {fields}")
    if shutil.which("lintian") is None and shutil.which("dpkg"):
        r = t.run("dpkg", "--dry-run", "--force-not-root", "-i", debs[0])
        need(r.returncode == 0, f"dpkg: {text_of(r.stderr)}")
