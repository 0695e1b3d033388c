# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs CTest's tests and says, line by line, how far it is.

    python3 tools/run-tests.py [--jobs=N] [--also=SCRIPT] [--fuzz=SECONDS] BUILD...

Each line begins with the time since the start. What fails is shown at once, with
all that it printed. Tests of cmocka, of lit and of Python's unittest count one by
one, any other CTest test as one; a CTest test that failed counts as one failure
at least, whatever it printed before it did. The last line is the sum: "N passed,
N failed". Fails if any test did, or if none ran.

--also runs a shell script as one more test; it may print lit's lines, and exits
with 77 where it can test nothing here.

BUILD/tests.log has all that was printed. --replay=LOG shows what would have been
said of such a log.

--fuzz goes on afterwards for so many seconds in all, divided among the fuzzers in
the last BUILD, which was made with BERTH_ENABLE_FUZZERS, and, in the first one,
random programs and kernels whose seeds the clock chooses. What fails is left in
BUILD/fuzz.
"""

import argparse
import itertools
import os
import pathlib
import re
import subprocess
import sys
import time

START = re.compile(r" +Start +\d+: (?P<name>.+)")
OUTPUT = re.compile(r"(?P<number>\d+): (?P<text>.*)")
END = re.compile(
    r" *(?P<place>\d+/\d+) +Test +#(?P<number>\d+): (?P<name>\S+) [ .]*"
    r"(?P<result>.*?) +(?P<seconds>[\d.]+) sec"
)
LIT = re.compile(r"(?P<result>[A-Z]+): \S+ :: (?P<name>\S+) \((?P<place>\d+ of \d+)\)")
LIT_PASSED, LIT_FAILED = ("PASS", "XFAIL"), ("FAIL", "XPASS", "UNRESOLVED", "TIMEOUT")
CMOCKA = re.compile(r"\[  (?P<result>PASSED|FAILED)  \] (?P<count>\d+) test")
PYTHON_RAN = re.compile(r"Ran (\d+) tests? in ")
PYTHON_FAILED = re.compile(r"FAILED \((?:failures|errors)=")
STARS = "*" * 20


class Test:
    """What one CTest test has printed so far, and what that comes to."""

    def __init__(self):
        self.lines = []
        self.passed = 0
        self.failed = 0
        self.is_lit = False
        self.shows = False  # lit's output of a test that failed

    def read(self, text):
        """Counts a line of its output; what of it is to be shown at once."""
        self.lines.append(text)
        if match := CMOCKA.search(text):
            if match["result"] == "PASSED":
                self.passed += int(match["count"])
            else:
                self.failed += int(match["count"])
        elif match := PYTHON_RAN.match(text):
            self.passed += int(match[1])
        elif PYTHON_FAILED.match(text):
            bad = sum(map(int, re.findall(r"(?:failures|errors)=(\d+)", text)))
            self.passed -= bad
            self.failed += bad
        elif match := LIT.match(text):
            self.is_lit = True
            self.passed += match["result"] in LIT_PASSED
            self.failed += match["result"] in LIT_FAILED
            return f"lit {match['place']}: {match['name']} {match['result']}"
        elif text.startswith(STARS) and text.endswith("FAILED " + STARS):
            self.shows = True
        elif text == STARS:
            self.shows = False
        elif self.shows:
            return "  | " + text
        return None


class Runner:
    def __init__(self):
        self.began = time.monotonic()
        self.passed = 0
        self.failed = 0
        self.bad_names = []

    def say(self, text):
        seconds = int(time.monotonic() - self.began)
        print(f"{seconds // 60:3}:{seconds % 60:02} {text}", flush=True)

    def read(self, lines, log):
        """Follows the output of one `ctest -V`."""
        tests = {}
        for line in lines:
            log.write(line)
            log.flush()
            line = line.rstrip("\n")
            if match := OUTPUT.match(line):
                shown = tests.setdefault(match["number"], Test()).read(match["text"])
                if shown:
                    self.say(shown)
            elif match := START.match(line):
                self.say(f"{match['name']} starts")
            elif match := END.match(line):
                self.end(match, tests.pop(match["number"], Test()))

    def end(self, match, test):
        title = f"{match['place']}: {match['name']}"
        self.count(title, match["name"], match["result"], match["seconds"], test)

    def count(self, title, name, result, seconds, test):
        if "***Skipped" in result:
            self.say(f"{title} skipped")
            return
        if result == "Passed":
            test.passed = test.passed or 1
            self.say(f"{title} passed ({test.passed}) in {seconds} s")
        else:
            # lit's tests have shown themselves.
            if not (test.is_lit and test.failed):
                for line in test.lines:
                    self.say("  | " + line)
            test.failed = test.failed or 1
            reason = result.strip("* ")
            self.say(f"{title} FAILED ({test.failed}: {reason}) in {seconds} s")
            self.bad_names.append(name)
            for line in test.lines:
                lit = LIT.match(line)
                if lit and lit["result"] in LIT_FAILED:
                    self.bad_names.append("  " + lit["name"])
        self.passed += test.passed
        self.failed += test.failed


def run(runner, build, jobs):
    # lit is Python, which keeps what it prints unless asked not to.
    environment = dict(os.environ, PYTHONUNBUFFERED="1", LIT_OPTS=f"-j{jobs}")
    runner.say(f"tests of {build}")
    with open(build / "tests.log", "w", encoding="utf-8") as log, subprocess.Popen(
        ["ctest", "-V", "-j", str(jobs)],
        cwd=build,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    ) as process:
        runner.read(process.stdout, log)


def run_script(runner, script):
    name, test, began = pathlib.Path(script).name, Test(), time.monotonic()
    runner.say(f"{name} starts")
    with subprocess.Popen(
        ["sh", script],
        env=dict(os.environ, PYTHONUNBUFFERED="1"),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    ) as process:
        for line in process.stdout:
            shown = test.read(line.rstrip("\n"))
            if shown or line.startswith(("== ", "skipped: ")):
                runner.say(shown or line.rstrip("\n"))
    result = {0: "Passed", 77: "***Skipped"}.get(process.returncode, "***Failed")
    runner.count(name, name, result, round(time.monotonic() - began), test)


def fuzzers(build, seconds):
    """One command for each fuzzer of the build."""
    corpora = pathlib.Path(__file__).resolve().parents[1] / "test/fuzz/corpus"
    for program in sorted((build / "bin").glob("*Fuzzer")):
        name = program.name[: -len("Fuzzer")].lower()
        found = build / "fuzz" / name
        found.mkdir(parents=True, exist_ok=True)
        corpus = next(corpora.glob(name + "*"))
        yield program.name, found, [
            [program.resolve(), f"-max_total_time={seconds}", found, corpus]
        ]


def random_programs(build):
    """Commands without end for programs, some with what is off by default, and for
    kernels."""
    script = pathlib.Path(__file__).resolve().parent / "berth-smith/long-run.sh"
    found = build / "fuzz"
    found.mkdir(exist_ok=True)
    for name, count, options in (
        ("programs", 25, []),
        ("sharing programs", 25, ["--features=refills,parts,slices,nests,turns,tiles,caches"]),
        ("kernels", 100, ["--kernel"]),
    ):
        seeds = itertools.count(int(time.time()) * 1000, count)
        yield "random " + name, found, (
            ["sh", script, f"--build={build.resolve()}", f"--first={seed}", f"--count={count}", *options]
            for seed in seeds
        )


def fuzz(runner, builds, seconds):
    first, last = builds[0], builds[-1]
    kinds = len(list(fuzzers(last, 0))) + len(list(random_programs(first)))
    share = max(1, seconds // kinds)
    for name, folder, commands in (*fuzzers(last, share), *random_programs(first)):
        runner.say(f"{name} for {share} s")
        end = time.monotonic() + share
        for command in commands:
            done = subprocess.run(
                command, cwd=folder, stdin=subprocess.DEVNULL, text=True, errors="replace",
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
            )
            if done.returncode or time.monotonic() > end:
                break
        if done.returncode:
            for line in done.stdout.splitlines()[-40:]:
                runner.say("  | " + line)
            runner.say(f"{name} FAILED: {folder}, " + " ".join(map(str, command)))
            runner.bad_names.append(name)
            runner.failed += 1
        else:
            runner.say(f"{name} passed")
            runner.passed += 1


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--also", metavar="SCRIPT")
    parser.add_argument("--fuzz", type=int, metavar="SECONDS")
    parser.add_argument("--replay", type=pathlib.Path)
    parser.add_argument("builds", nargs="*", type=pathlib.Path, metavar="BUILD")
    arguments = parser.parse_args()
    runner = Runner()
    if arguments.replay:
        with open(arguments.replay, encoding="utf-8") as log, open(os.devnull, "w") as sink:
            runner.read(log, sink)
    for build in arguments.builds:
        run(runner, build, arguments.jobs)
    if arguments.also:
        run_script(runner, arguments.also)
    if arguments.fuzz:
        fuzz(runner, arguments.builds, arguments.fuzz)
    for name in runner.bad_names:
        print(f"failed: {name}")
    print(f"{runner.passed} passed, {runner.failed} failed")
    return 1 if runner.failed or not runner.passed else 0


if __name__ == "__main__":
    sys.exit(main())
