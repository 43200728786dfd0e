# SPDX-FileCopyrightText: 2026 The wick authors
# SPDX-License-Identifier: Apache-2.0
"""The options of `wick CMD --help` match those of the manual page and the three completions; all of them parse."""

from harness import *  # noqa: F403

COMMANDS = ("record", "stat", "report", "annotate", "view", "tui", "collapse", "flamegraph", "diff", "export", "symbolize", "addr2line", "cargo", "doctor")
BASH, ZSH, FISH = (ROOT / "completions" / n for n in ("wick.bash", "_wick", "wick.fish"))
LONG = r"--[a-z][a-z0-9-]*"


def help_options(t, command):
    """Long and short options defined by the help text (at the start of a line, which excludes those in explanations)."""
    found = set()
    for line in t.good(*command, "--help").splitlines():
        m = re.match(rf"\s+((?:-\w|{LONG})(?:[ =]\S+)?(?:,\s*(?:-\w|{LONG}))*)", line)
        if m:
            found |= set(re.findall(rf"(?<![\w-])(-\w\b|{LONG})", m.group(1)))
    need(found, f"no options in {command} --help")
    return found


def page_options(page):
    """Options defined by a page: the tagged paragraphs (.TP) of its option sections."""
    text = (ROOT / "man" / page).read_text().replace("\\-", "-")
    found = set()
    for tag in re.findall(r"^\.TP(?: \d+)?\n(.+)$", text, re.M):
        tag = re.sub(r"\\f[BIRP]|^\.[BI]+R? ", "", tag).replace('"', "")
        if tag.lstrip().startswith("-"):
            found |= set(re.findall(rf"(?<![\w-])(-\w\b|{LONG})", tag))
    return found


def test_described_once(t):
    """No page describes an option twice."""
    for page in sorted((ROOT / "man").glob("*.1")):
        tags = re.findall(r"^\.TP(?: \d+)?\n(.+)$", page.read_text().replace("\\-", "-"), re.M)
        names = [n for tag in tags if re.match(r"\.B[IR]* -", tag) for n in re.findall(rf"(?<![\w-])(-\w\b|{LONG})", re.sub(r"\\f[BIRP]", "", tag))]
        need(names or page.name == "wick.1", f"{page.name}: no options")
        twice = {n for n in names if names.count(n) > 1}
        need(not twice, f"{page.name} describes {' '.join(sorted(twice))} twice")


def bash_options(t, command):
    """The completions of bash after "wick COMMAND -"."""
    script = f"source {BASH}; COMP_WORDS=(wick {command} -); COMP_CWORD=2; COMP_LINE='wick {command} -'; _wick wick - {command}; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    r = t.run(tool("bash"), "-c", script)
    need(r.returncode == 0 and not r.stderr, f"bash: {text_of(r.stderr)}")
    return {w.rstrip("= ") for w in text_of(r.stdout).split()} - {"--"}


def fish_options(t, command):
    script = f"complete -c wick -e; source {FISH}; complete -C 'wick {command} -'; complete -C 'wick {command} --'"
    r = t.run(tool("fish"), "--no-config", "-c", script)
    need(r.returncode == 0, f"fish: {text_of(r.stderr)}")
    return {l.split("\t")[0] for l in text_of(r.stdout).splitlines() if l.startswith("-")}


def zsh_options(command):
    """The specifications of that command's _arguments call in the file (running them needs an interactive zsh)."""
    body = re.search(rf"^_wick_{command}\(\) \{{(.*?)^\}}", ZSH.read_text(), re.M | re.S)
    need(body, f"no _wick_{command} in {ZSH.name}")
    found = set()
    for spec in re.findall(r"'([^']*)'", body.group(1)):
        spec = re.sub(r"^\*?(\([^)]*\))?\*?", "", spec)
        m = re.match(rf"(-\w|{LONG})", spec)
        if m:
            found.add(m.group(1))
    for group in re.findall(r"\{([^}]*)\}'", body.group(1)):
        found |= {w.rstrip("=+") for w in group.split(",")}
    return found


def compare(what, wanted, got, but=()):
    missing, extra = wanted - got - set(but), got - wanted - set(but)
    return ([f"{what} lacks {' '.join(sorted(missing))}"] if missing else []) + ([f"{what} has {' '.join(sorted(extra))} too much"] if extra else [])


def test_options(t):
    wrong = []
    for command in COMMANDS:
        wanted = help_options(t, [command])
        wrong += compare(f"wick-{command}(1)", wanted, page_options(f"wick-{command}.1"))
        wrong += compare(f"bash for {command}", wanted, bash_options(t, command))
        wrong += compare(f"zsh for {command}", wanted, zsh_options(command))
        wrong += compare(f"fish for {command}", wanted, fish_options(t, command))
    wrong += compare("wick(1)", help_options(t, []), page_options("wick.1"))
    need(not wrong, "\n    ".join(["the manual differs from --help:", *wrong]))


def test_commands(t):
    """Every subcommand has a page that wick(1) lists, and a completion."""
    listed = set(re.findall(r"^\s+([a-z0-9]+)  ", t.good("--help").split("ommands")[-1], re.M)) & set(COMMANDS)
    need(listed == set(COMMANDS), f"--help lists {sorted(listed)}")
    main = (ROOT / "man/wick.1").read_text().replace("\\-", "-")
    for command in COMMANDS:
        need(f"wick-{command}" in main, f"wick(1) does not name {command}")
        for file in (BASH, ZSH, FISH):
            need(command in file.read_text(), f"{file.name} does not offer {command}")


def test_pages_format(t):
    """man formats every page without a warning, and each has the usual sections."""
    man = tool("man")
    for page in sorted((ROOT / "man").glob("*.1")):
        env = {**t.environment(t.tmp), "MANWIDTH": "90", "MANROFFSEQ": "", "LC_ALL": "C.UTF-8"}
        r = t.run(man, "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", page, env=env)
        need(r.returncode == 0 and not r.stderr.strip(), f"{page.name}: {text_of(r.stderr)}")
        text = page.read_text()
        for section in ("NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXAMPLES", "EXIT STATUS", "FILES", "ENVIRONMENT", "SEE ALSO"):
            need(re.search(rf'^\.SH "?{section}"?$', text, re.M), f"{page.name} has no section {section}")


def test_completions_parse(t):
    """Each shell accepts its file; skips missing shells with a reason, unless all are missing."""
    missing = []
    for shell, file in (("bash", BASH), ("zsh", ZSH), ("fish", FISH)):
        if not shutil.which(shell):
            missing.append(shell)
            continue
        r = t.run(shell, "-n", file)
        need(r.returncode == 0, f"{shell}: {text_of(r.stderr)}")
    if missing:
        raise Skip(f"not installed: {', '.join(missing)}")


def test_bash_values(t):
    """Completes values: engines, unwinders, subcommands, files."""
    def offered(*words):
        (t.tmp / "some.wick").touch()
        quoted = " ".join(f"'{w}'" for w in words)
        script = f"source {BASH}; COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; COMP_LINE='{' '.join(words)}'; _wick wick '{words[-1]}' '{words[-2]}'; printf '%s\\n' \"${{COMPREPLY[@]}}\""
        return text_of(t.run(tool("bash"), "-c", script).stdout).split()

    need(set(COMMANDS) <= set(offered("wick", "")), f"commands: {offered('wick', '')}")
    need(offered("wick", "rep") == ["report"], f"rep: {offered('wick', 'rep')}")
    need({"perf", "ptrace"} <= set(offered("wick", "record", "--engine", "")), f"engines: {offered('wick', 'record', '--engine', '')}")
    need("some.wick" in offered("wick", "report", "so"), f"files: {offered('wick', 'report', 'so')}")


@serial
def test_install(t):
    """`cmake --install` installs the program, the pages and the completions to the standard directories."""
    build = t.wick_path.parent
    if not (build / "cmake_install.cmake").exists():
        raise Skip(f"{build} is no build folder")
    r = t.run(tool("cmake"), "--install", build, "--prefix", t.tmp / "usr")
    need(r.returncode == 0, text_of(r.stderr))
    usr = t.tmp / "usr"
    wanted = ["bin/wick", "bin/cargo-wick", "share/man/man1/cargo-wick.1", "share/man/man1/wick.1", *(f"share/man/man1/wick-{c}.1" for c in COMMANDS)]
    wanted += ["share/bash-completion/completions/wick", "share/zsh/site-functions/_wick", "share/fish/vendor_completions.d/wick.fish"]
    missing = [w for w in wanted if not (usr / w).exists()]
    need(not missing, f"not installed: {missing}")
    need(t.run(usr / "bin/wick", "--version").returncode == 0, "the installed program does not run")
