# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests that run tools and compare what they print (lit + FileCheck).

A test may use, besides the LLVM tools in PATH (FileCheck, not, mlir-opt,
mlir-runner, mlir-translate, llc, opt, clang):

  %berth-pack       the packing tool
  %berth_src        the root of the source tree
  %berth_bin        the root of the build tree
  %status N         before a command: it must exit with N
  %plugins          the folder of test/plugins' shared objects
  %cc               the C compiler that built Berth
  %chromium         a browser, where there is one (REQUIRES: chromium)
  %python           the Python that runs these tests
and where Berth was built with MLIR (feature `mlir`):
  %berth-opt        the driver
  %berth-lsp-server the language server, where it was built (REQUIRES: lsp)
  %berth-smith      the generator of random programs
  %late             the folder of what brings transfers late (test/late)
  %same-output      runs a program with and without passes and compares what it
                    prints (test/exec/same-output.sh)
  %shared-bytes     compiles kernels and counts their bytes of shared memory
  %mutate-kernels   leaves out barriers of a kernel's plan, one at a time, and sees
                    that berth-verify notices
  %ptx              the PTX of a file with one gpu.module, optimised
  %mutate           breaks a program's plan and sees that berth-verify notices
  %race-batch       the same for many kernels at once (test/race/batch.sh)
  %cores            runs a function of several cores with and without Berth and
                    looks for races (test/race/cores.sh)
  %race             runs a kernel with and without Berth and looks for races
                    (test/race/race.sh)
  %berth_plugin     the plugin's path
  %other-mlir-opt   an mlir-opt of another LLVM, where there is one
                    ($BERTH_OTHER_MLIR_OPT; %if other-mlir-opt)
  %mlir-opt-berth   mlir-opt with the plugin loaded; takes --pass-pipeline
  %mlir_lib         the folder of MLIR's runtime libraries
  %runner_libs      --shared-libs=... with the two runner libraries
"""

import glob
import os
import shutil
import sys

import lit.formats

config.name = "Berth"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".test", ".mlir"]
config.excludes = ["Inputs", "unit", "fuzz", "late", "plugins"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.berth_bin, "test")

llvm_prefix = os.path.dirname(config.llvm_tools)
# What an older LLVM calls otherwise or Debian unpacks without it, under the names
# that tests use: the runner, and a compiler (a newer one reads its IR).
if config.berth_mlir:
    def newer_clangs():
        def version(path):
            return int(path.split("/llvm-")[1].split("/")[0])
        return sorted((path for path in glob.glob("/usr/lib/llvm-*/bin/clang")
                       if version(path) >= int(config.llvm_version)), key=version)

    stand_ins = {"clang": newer_clangs(),
                 "mlir-runner": [os.path.join(config.llvm_tools, "mlir-cpu-runner")]}
    stand_ins = {name: paths[0] for name, paths in stand_ins.items()
                 if not os.path.exists(os.path.join(config.llvm_tools, name))
                 and paths and os.path.exists(paths[0])}
    if stand_ins:
        given = llvm_prefix
        llvm_prefix = os.path.join(config.test_exec_root, "llvm-prefix")
        os.makedirs(os.path.join(llvm_prefix, "bin"), exist_ok=True)
        links = {os.path.join("bin", name): os.path.join(config.llvm_tools, name)
                 for name in os.listdir(config.llvm_tools)}
        links.update((os.path.join("bin", name), path)
                     for name, path in stand_ins.items())
        links["lib"] = os.path.join(given, "lib")
        for name, path in links.items():
            try:
                os.symlink(path, os.path.join(llvm_prefix, name))
            except FileExistsError:  # by another lit
                pass
config.environment["PATH"] = os.pathsep.join(
    [config.berth_tools, os.path.join(llvm_prefix, "bin"), os.environ.get("PATH", "")])
# For the examples.
config.environment["LLVM_DIR_PREFIX"] = llvm_prefix
# Messages of the C library are compared in English.
config.environment["LC_ALL"] = "C"
# Without a CUDA toolkit MLIR complains that it cannot link libdevice, and goes
# on; an empty path keeps it quiet.
if not os.path.isdir(os.environ.get("CUDA_ROOT") or "/usr/local/cuda"):
    config.environment["CUDA_ROOT"] = ""
for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]

mlir_lib = os.path.join(os.path.dirname(config.llvm_tools), "lib")
mlir_opt = os.path.join(config.llvm_tools, "mlir-opt")
plugin = os.path.join(config.berth_bin, "lib", "BerthPlugin.so")


def exec_script(name):
    return "sh {} {} {} {}".format(
        os.path.join(config.berth_src, "test", "exec", name),
        mlir_opt, plugin, mlir_lib)


config.substitutions += [
    ("%berth-pack", os.path.join(config.berth_tools, "berth-pack")),
    ("%berth-smith", os.path.join(config.berth_tools, "berth-smith")),
    ("%same-output", exec_script("same-output.sh")),
    ("%mutate-kernels", exec_script("mutate-kernels.sh")),
    ("%fold-mutants", "sh {} {} {} {}".format(
        os.path.join(config.berth_src, "test", "exec", "fold-mutants.sh"),
        mlir_opt,
        os.path.join(config.berth_bin, "test", "mutants", "FoldMutants.so"),
        mlir_lib)),
    ("%mutate", exec_script("mutate.sh")),
    ("%ptx", "sh {} {}".format(
        os.path.join(config.berth_src, "test/ir/rewrite/ptx/Inputs/ptx.sh"),
        mlir_opt)),
    ("%shared-bytes", "sh {} {} {}".format(
        os.path.join(config.berth_src, "test/ir/rewrite/ptx/shared-bytes.sh"),
        mlir_opt, plugin)),
    ("%berth-lsp-server", os.path.join(config.berth_tools, "berth-lsp-server")),
    ("%berth-opt", os.path.join(config.berth_tools, "berth-opt")),
    ("%mlir-opt-berth", mlir_opt + " --load-pass-plugin=" + plugin),
    ("%race-batch", "sh " + os.path.join(
        config.test_source_root, "race", "batch.sh")),
    ("%cores", "sh " + os.path.join(config.test_source_root, "race", "cores.sh")),
    ("%race", "sh " + os.path.join(config.test_source_root, "race", "race.sh")),
    ("%berth_plugin", plugin),
    ("%late", os.path.join(config.berth_bin, "test", "late")),
    ("%plugins", os.path.join(config.berth_bin, "test", "plugins")),
    ("%status", "sh " + os.path.join(
        config.test_source_root, "pack", "Inputs", "expect-status.sh")),
    ("%berth_src", config.berth_src),
    ("%berth_bin", config.berth_bin),
    ("%mlir_lib", mlir_lib),
    ("%runner_libs", "--shared-libs=" + ",".join(
        os.path.join(mlir_lib, "libmlir_%s.so" % name)
        for name in ("runner_utils", "c_runner_utils"))),
    ("%cc", config.berth_cc),
    ("%python", sys.executable),
]

# An mlir-opt of another LLVM than Berth was built with.
others = [os.environ.get("BERTH_OTHER_MLIR_OPT", "")] + sorted(
    glob.glob("/usr/lib/llvm-*/bin/mlir-opt"))
for other in others:
    if (config.berth_mlir and os.path.exists(other)
            and not os.path.samefile(other, mlir_opt)):
        config.available_features.add("other-mlir-opt")
        config.substitutions.insert(0, ("%other-mlir-opt", other))
        break

if config.berth_mlir:
    config.available_features.add("mlir")
    if glob.glob(config.berth_bin + "/lib/MLIR/CMakeFiles/*/Unity"):
        config.available_features.add("joined-files")
    config.available_features.add("llvm-" + config.llvm_version)
else:
    config.excludes += ["ir", "exec", "race", "corpus"]
if os.path.exists(os.path.join(config.berth_tools, "berth-lsp-server")):
    config.available_features.add("lsp")
corpus = os.environ.get("BERTH_CORPUS", "")  # it takes a quarter of an hour
if os.path.isdir(corpus):
    config.available_features.add("corpus")
config.substitutions.append(("%berth_corpus", corpus))
for part in ("fold", "heap", "baselines", "proof-check"):
    if "BERTH_WITH_" + part.replace("-", "_").upper() in config.berth_parts:
        config.available_features.add(part)
    else:
        config.excludes.append(part)  # folders that test nothing else
if len(os.sched_getaffinity(0)) > 1:  # threads run at the same time
    config.available_features.add("two-cores")
if os.path.exists("/dev/full"):
    config.available_features.add("dev-full")
if shutil.which("minizinc"):
    config.available_features.add("minizinc")
if shutil.which("spirv-val"):
    config.available_features.add("spirv-val")
for tool in ("cmark-gfm", "doxygen"):
    if shutil.which(tool):
        config.available_features.add(tool)
for shell in ("zsh", "fish"):
    if shutil.which(shell):
        config.available_features.add(shell)
if shutil.which("chromium"):
    config.available_features.add("chromium")
    config.substitutions.append(("%chromium", shutil.which("chromium")))
if os.path.exists(os.path.join(config.berth_bin, "playground.html")):
    config.available_features.add("playground")
if config.berth_sanitize:
    config.available_features.add("sanitizer")
    # The oracle brings a sanitizer of its own.
    config.excludes += ["race"]
