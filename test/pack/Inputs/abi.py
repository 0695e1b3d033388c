# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints what programs that were built against the headers rely on.

    abi.py CC INCLUDE LIBRARY.so

For each public struct its size and where its fields are, for each enumerator its
number, and the library's soname and symbols with their versions.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

STRUCT = re.compile(r"^(?:typedef )?struct (\w+) \{$(.*?)^\}", re.M | re.S)
ENUM = re.compile(r"^(?:typedef )?enum \w* ?\{$(.*?)^\}", re.M | re.S)


def plain(text):
    text = re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.S)
    return re.sub(r"[ \t]+$", "", text, flags=re.M)


def fields(body):
    for declaration in body.split(";"):
        declaration = " ".join(declaration.split())
        if pointer := re.search(r"\(\*(\w+)\)\(", declaration):
            yield pointer[1]
        elif declaration:
            for declarator in declaration.split(","):
                yield re.search(r"(\w+)(?:\[[^]]*\])*$", declarator.strip())[1]


def program(include):
    headers = sorted(path.name for path in (include / "berth-c").glob("*.h"))
    lines = [f'#include "berth-c/{name}"' for name in headers]
    lines += ["#include <stddef.h>", "#include <stdio.h>", "int main(void) {"]
    for name in headers:
        text = plain((include / "berth-c" / name).read_text(encoding="utf-8"))
        for struct, body in STRUCT.findall(text):
            lines.append(f'printf("%zu {struct}\\n", sizeof(struct {struct}));')
            for field in fields(body):
                lines.append(f'printf("  %zu {field}\\n", offsetof(struct {struct}, {field}));')
        for body in ENUM.findall(text):
            for name in re.findall(r"^\s+(\w+)", body, re.M):
                lines.append(f'printf("%lld {name}\\n", (long long){name});')
    return "\n".join(lines + ["}"]) + "\n"


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def main():
    compiler, include, library = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
    with tempfile.TemporaryDirectory() as work:
        source, binary = f"{work}/abi.c", f"{work}/abi"
        pathlib.Path(source).write_text(program(include), encoding="utf-8")
        run(compiler, "-std=c17", f"-I{include}", source, "-o", binary)
        print(run(binary), end="")
    soname = re.search(r"soname: \[(.*)\]", run("llvm-readelf", "-d", library))
    print(soname[1])
    symbols = run("llvm-nm", "-D", "--defined-only", "--format=just-symbols", library)
    print("\n".join(sorted(symbols.split())))


if __name__ == "__main__":
    main()
