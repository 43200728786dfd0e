# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0
"""`cargo wick` on small projects: the right program is built with debug info, found, started as cargo starts it, and recorded."""

import pty
import socket

from harness import *  # noqa: F403

# Work below named functions, one of which is inlined.
WORK = """
#[inline(never)]
pub fn churn(seed: u64) -> u64 {
    (0..20_000_000u64).fold(seed, step)
}
#[inline(always)]
fn step(x: u64, i: u64) -> u64 { (x % (i | 1)).wrapping_mul(0x9e3779b97f4a7c15) ^ i }
"""


def environment(t, **more):
    """An environment without settings of this machine, and with cargo-wick in PATH."""
    cargo = Path(tool("cargo"))
    folder = t.tmp / "bin"
    folder.mkdir(exist_ok=True)
    link = folder / "cargo-wick"
    if not link.exists():
        link.symlink_to(t.wick_path)
    env = t.environment(t.tmp)
    for name in list(env):
        if name.startswith(("CARGO_PROFILE", "CARGO_TARGET", "CARGO_BUILD", "RUSTFLAGS", "CARGO_ENCODED")):
            del env[name]
    for name in ("RUSTUP_HOME", "CARGO_HOME"):  # rustup's programs need the home of the user
        default = Path.home() / {"RUSTUP_HOME": ".rustup", "CARGO_HOME": ".cargo"}[name]
        env[name] = os.environ.get(name, str(default))
    env["PATH"] = f"{folder}:{cargo.parent}:{os.environ['PATH']}"
    return {**env, "CARGO_NET_OFFLINE": "true", **more}


def project(t, name, files, manifest="", more=""):
    """A package with the given files."""
    root = t.tmp / name
    for path, text in {
        "Cargo.toml": f'[package]\nname = "{name.split("/")[-1]}"\nversion = "0.1.0"\nedition = "2021"\n{manifest}\n{more}',
        **files,
    }.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return root


def cargo_wick(t, root, *args, code=0, env=None, timeout=400, **kw):
    r = t.run(tool("cargo"), "wick", *args, env=env or environment(t), cwd=root, timeout=timeout, **kw)
    need(r.returncode == code, f"cargo wick {' '.join(map(str, args))}: code {r.returncode}, not {code}: {text_of(r.stderr)[-1500:]}")
    return text_of(r.stdout), text_of(r.stderr)


def lines_of(t, file):
    return t.good("report", file, "--by", "line", "--limit", "0")


def need_complete(t, file):
    report = json.loads(t.good("report", file, "--json"))
    need(report["samples"] > 20 and report["stacks"]["cut"] <= 0.02 * report["samples"], f"stacks: {report['samples']} samples, {report['stacks']}")


def test_fresh_project(t):
    """Adversary: strip, no debug info, and one code unit that inlines everything. The manifest stays as it is."""
    main = WORK + 'fn main() { println!("{}", churn(3)); }'
    root = project(t, "fresh", {"src/main.rs": main}, "[profile.release]\nstrip = true\ndebug = 0\n")
    before = {p: p.read_bytes() for p in (root / "Cargo.toml", root / "src/main.rs")}
    out, err = cargo_wick(t, root, "-o", "out.wick", "-F", "1999")
    need(out.strip().isdigit(), f"output {out!r}")
    need("instead of debug = 0" in err and "instead of strip = true" in err, f"does not say what it overrides: {err}")
    need(all(p.read_bytes() == text for p, text in before.items()), "a file of the project was changed")
    lines = lines_of(t, root / "out.wick")
    need("src/main.rs:" in lines, f"no lines: {lines}")
    functions = t.good("report", root / "out.wick", "--tree")
    need("fresh::churn" in functions and "fresh::step (inlined)" in functions, f"functions: {functions}")
    need("cargo" not in t.good("report", root / "out.wick", "--by", "process"), "cargo was recorded")
    need_complete(t, root / "out.wick")
    # The user's own build is not touched: without strip's setting it would have symbols.
    need(t.run(tool("cargo"), "build", "-q", "--release", env=environment(t), cwd=root).returncode == 0, "cargo build")
    need("churn" not in text_of(t.run(tool("nm"), root / "target/release/fresh").stdout), "the user's build is not stripped any more")


def test_settings_of_the_user(t):
    """Settings in the environment and in .cargo/config.toml, a target directory elsewhere, and profiles that inherit."""
    main = WORK + 'fn main() { println!("{} {}", churn(3), std::env::var("GREETING").unwrap_or_default()); }'
    profiles = '[profile.release-lto]\ninherits = "release"\nstrip = "symbols"\ncodegen-units = 2\n'
    root = project(t, "settings", {"src/main.rs": main, ".cargo/config.toml": '[build]\ntarget-dir = "elsewhere"\n[env]\nGREETING = "hello"\n'}, profiles)
    # A variable for release-lto would break the key lto of release.
    out, err = cargo_wick(t, root, "--profile", "release-lto")
    need(out.split()[1:] == ["hello"], f"[env]: {out!r}")
    need("--config" in err and "strip" in err, err)
    need((root / "elsewhere/release-lto/settings").exists() and "src/main.rs:" in lines_of(t, root / "profile.wick"), "no lines")
    env = environment(t, CARGO_TARGET_DIR=str(t.tmp / "third"), CARGO_PROFILE_RELEASE_DEBUG="0", RUSTFLAGS="-Cstrip=symbols")
    _, err = cargo_wick(t, root, env=env)
    need("instead of 0 (CARGO_PROFILE_RELEASE_DEBUG)" in err, err)
    need("warning: RUSTFLAGS has strip=symbols" in err, f"no warning of RUSTFLAGS: {err}")
    need((t.tmp / "third/release/settings").exists(), "CARGO_TARGET_DIR")
    _, err = cargo_wick(t, root, "--dev", "-q")
    need("without optimization" in err, f"no warning of --dev: {err}")


def workspace(t):
    root = t.tmp / "ws"
    script = 'fn main() { println!("cargo:rustc-env=MADE=yes"); println!("cargo:rerun-if-changed=build.rs"); }'
    show = """fn show(what: &str) {
    let var = |n: &str| std::env::var(n).unwrap_or_default();
    println!("{what} {:?} {} {} {} {}", std::env::args().skip(1).collect::<Vec<_>>(), std::env::current_dir().unwrap().display(),
             var("CARGO_PKG_NAME"), var("MADE"), var("OUT_DIR").is_empty());
}
"""
    project(
        t,
        "ws/a",
        {
            "src/lib.rs": WORK + '#[cfg(test)] mod tests { #[test] fn unit() { std::hint::black_box(super::churn(1)); println!("unit ran"); } #[test] fn other() { panic!(); } }',
            "src/bin/one.rs": show + 'fn main() { show("one"); std::hint::black_box(a::churn(pm::seed!())); std::process::exit(7) }',
            "src/bin/two.rs": show + 'fn main() { show("two"); std::hint::black_box(a::churn(2)); }',
            "examples/ex.rs": show + 'fn main() { show("ex"); std::hint::black_box(a::churn(2)); }',
            "tests/it.rs": show + '#[test] fn wanted() { show("it"); std::hint::black_box(a::churn(2)); } #[test] fn unwanted() { panic!(); }',
            "benches/plain.rs": show + 'fn main() { show("plain"); std::hint::black_box(a::churn(2)); }',
            "build.rs": script,
        },
        '[dependencies]\npm = { path = "../pm" }\n[[bench]]\nname = "plain"\nharness = false\n',
    )
    project(t, "ws/b", {"src/main.rs": "fn main() {}", "src/bin/second.rs": "fn main() {}"}, 'default-run = "b"')
    macro = "extern crate proc_macro;\n#[proc_macro] pub fn seed(_: proc_macro::TokenStream) -> proc_macro::TokenStream { \"5u64\".parse().unwrap() }\n"
    project(t, "ws/pm", {"src/lib.rs": macro}, "[lib]\nproc-macro = true\n")
    (root / "Cargo.toml").write_text('[workspace]\nmembers = ["a", "b", "pm"]\nresolver = "2"\n')
    return root


def test_workspace(t):
    """A virtual workspace with two packages, a build script and a proc macro: each kind of target runs as under cargo."""
    root = workspace(t)
    a = root / "a"

    def shown(*args, cwd=root, code=0):
        out, _ = cargo_wick(t, cwd, *args, code=code)
        need((cwd / "profile.wick").exists(), f"{args}: no profile here")
        need("churn" in t.good("report", cwd / "profile.wick"), f"{args}: churn was not recorded")
        found = re.search(r"^(\w+) (\[.*\]) (\S+) (\w*) (\w*) (\w+)$", out, re.M)
        need(found, f"{args}: {out}")
        return found.groups()

    need(shown("--bin", "one", "--", "x", "--y", code=7) == ("one", '["x", "--y"]', str(root), "a", "yes", "false"), "binary")
    need(shown("-p", "a", "--example", "--", "z") == ("ex", '["z"]', str(root), "a", "yes", "false"), "example")
    need(shown("--test", "it", "--", "--nocapture", "wanted", "--exact") == ("it", '["--nocapture", "wanted", "--exact"]', str(a), "a", "yes", "false"), "test")
    need(shown("--bench", "plain", "--", "--fast") == ("plain", '["--bench", "--fast"]', str(a), "a", "yes", "false"), "benchmark")
    out, _ = cargo_wick(t, root, "-p", "a", "--unit-test", "a", "--", "unit", "--nocapture")
    need("unit ran" in out and "churn" in t.good("report", root / "profile.wick"), f"unit test: {out}")


def test_ambiguous(t):
    """Several binaries: a list, or a question on a terminal; default-run and the current directory decide silently."""
    root = workspace(t)
    _, err = cargo_wick(t, root / "a", code=2)
    need("several binaries fit: one, two" in err and "hint: cargo wick --bin one" in err, err)
    cargo_wick(t, root)  # like cargo run: the only default-run of the workspace
    need("/release/b" in t.good("report", root / "profile.wick", "--json"), "default-run")
    manifest = root / "b/Cargo.toml"
    manifest.write_text(manifest.read_text().replace("default-run", "# default-run"))
    _, err = cargo_wick(t, root, code=2)
    need("one (package a), two (package a), b (package b), second (package b)" in err, err)
    need("hint: cargo wick -p a --bin one" in err, err)
    need(not (root / "target/release/one").exists() and not (root / "target/release/second").exists(), "built more than was asked for")


def test_question(t):
    root = workspace(t)
    env = environment(t, TERM="xterm")
    pid, fd = pty.fork()
    if pid == 0:
        os.chdir(root / "a")
        os.execvpe("cargo", ["cargo", "wick", "-q"], env)
    text = b""
    try:
        end = time.monotonic() + 400
        answered = False
        while time.monotonic() < end:
            try:
                part = os.read(fd, 4096)
            except OSError:
                break
            if not part:
                break
            text += part
            if not answered and b"number or name: " in text:
                os.write(fd, b"2\n")
                answered = True
    finally:
        _, status = os.waitpid(pid, 0)
        os.close(fd)
    shown = text_of(text)
    need(answered and "1  one" in shown and "2  two" in shown, shown)
    need(os.waitstatus_to_exitcode(status) == 0 and re.search(r"^two ", shown, re.M), shown)


def test_bad_input(t):
    """Cargo's own messages and codes; nothing is recorded."""
    empty = t.tmp / "empty"
    empty.mkdir()
    _, err = cargo_wick(t, empty, code=101)
    need("could not find `Cargo.toml`" in err and "nothing was recorded" in err, err)
    root = project(t, "broken", {"src/main.rs": "fn main() { nope(); }", "src/bin/good.rs": "fn main() {}", "src/lib.rs": ""})
    _, err = cargo_wick(t, root, "--bin", "broken", code=101)
    need("cannot find function `nope`" in err and "nothing was recorded" in err, err)
    need(not (root / "profile.wick").exists(), "a profile of a failed build")
    for args, message in (
        (("--bin", "nope"), "no bin target named `nope`"),
        (("--example", "nope"), "no example target named `nope`"),
        (("--test", "nope"), "no test target named `nope`"),
        (("--bench", "nope"), "no bench target named `nope`"),
        (("-p", "nope"), "did not match any packages"),
        (("--bin", "good", "--features", "nope"), "does not contain"),
        (("--bin", "good", "--profile", "nope"), "profile `nope`"),
        (("--manifest-path", "nope/Cargo.toml"), "manifest path"),
    ):
        _, err = cargo_wick(t, root, *args, code=101)
        need(message in err, f"{args}: {err}")
    for args, message in (
        (("--doc",), "doctests cannot be recorded"),
        (("--bin", "good", "--example", "x"), "more than one target"),
        (("--dev", "--profile", "x"), "cannot be combined"),
        (("frobnicate",), "must be record"),
        (("--example",), "has no examples"),
    ):
        _, err = cargo_wick(t, root, *args, code=2)
        need(message in err, f"{args}: {err}")
    env = {**environment(t), "PATH": str(t.tmp / "nowhere")}
    env.pop("CARGO", None)
    r = t.run(t.wick_path, "cargo", cwd=root, env=env)
    need(r.returncode == 127 and "cargo is not installed" in text_of(r.stderr), text_of(r.stderr))


def test_flamegraph(t):
    root = project(t, "pictured", {"src/main.rs": WORK + "fn main() { std::hint::black_box(churn(1)); }"}, '[profile.release]\npanic = "abort"\n')
    cargo_wick(t, root, "flamegraph", "-q")
    need("pictured::churn" in (root / "flamegraph.svg").read_text(), "no function in flamegraph.svg")


def test_fat_lto(t):
    """Everything that hurts at once: fat LTO, panic = abort, strip, and a program without Rust's main."""
    source = "#![no_main]\n" + WORK + '#[no_mangle] pub extern "C" fn main(_: i32, _: *const *const u8) -> i32 { std::hint::black_box(churn(1)); 0 }'
    root = project(t, "hard", {"src/main.rs": source}, '[profile.release]\nlto = "fat"\npanic = "abort"\nstrip = true\ncodegen-units = 1\n')
    _, err = cargo_wick(t, root)
    need("keeping lto = fat" in err, err)
    need("src/main.rs:" in lines_of(t, root / "profile.wick"), "no lines")
    tree = t.good("report", root / "profile.wick", "--tree")
    need("hard::step (inlined)" in tree and "main" in tree, tree)
    need_complete(t, root / "profile.wick")


def test_criterion(t):
    """A benchmark with a crate from the registry, if that can be reached."""
    try:
        socket.create_connection(("index.crates.io", 443), 5).close()
    except OSError:
        raise Skip("the registry of crates cannot be reached") from None
    bench = "use criterion::*;\nfn b(c: &mut Criterion) { c.bench_function(\"churn\", |b| b.iter(|| crit::churn(1))); }\ncriterion_group!(g, b);\ncriterion_main!(g);\n"
    root = project(
        t,
        "crit",
        {"src/lib.rs": WORK, "benches/speed.rs": bench},
        '[dev-dependencies]\ncriterion = { version = "0.5", default-features = false }\n[[bench]]\nname = "speed"\nharness = false\n[profile.bench]\nopt-level = 0\ncodegen-units = 16\n[profile.bench.package.crit]\nopt-level = 3\n',
    )
    # Kept between runs: building Criterion takes a minute.
    env = environment(t, CARGO_TARGET_DIR=str(t.programs.folder / "criterion"), CRITERION_HOME=str(t.tmp / "criterion"))
    env.pop("CARGO_NET_OFFLINE")
    out, _ = cargo_wick(t, root, "--bench", "speed", "--", "--profile-time", "1", env=env, timeout=1200)
    report = t.good("report", root / "profile.wick")
    need("crit::churn" in report, f"{out}\n{report}")


def test_make_attributes_time(t):
    """`wick record -- make test`: the time belongs to the programs of the tests, not to make."""
    folder = t.tmp / "made"
    folder.mkdir()
    (folder / "work.c").write_text('#include <time.h>\nint main(void) { volatile unsigned long x = 0; while (clock() < CLOCKS_PER_SEC / 5) ++x; return 0; }\n')
    (folder / "Makefile").write_text("test: first second\n\t./first\n\t./second\n%: work.c\n\tcc -O1 -g -o $@ $<\n")
    need(t.run(tool("make"), "first", "second", cwd=folder).returncode == 0, "make")
    r = t.run(t.wick_path, "record", "-q", "--", tool("make"), "test", cwd=folder)
    need(r.returncode == 0, text_of(r.stderr))
    report = json.loads(t.good("report", folder / "profile.wick", "--by", "process", "--json"))
    shares = {p["name"]: p["self"] / report["total"] for p in report["processes"]}
    for name in ("first", "second"):
        need(shares.get(name, 0) > 0.25, f"{name}: {shares}")
    need(shares.get("make", 0) < 0.2, f"make: {shares}")
