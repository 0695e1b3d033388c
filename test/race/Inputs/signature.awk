# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Reads a printed module with one kernel, writes kernel.h for workgroup.c. Fails
# with a message if there is not one kernel, or if it takes something else than
# flat memrefs of numbers and scalars.

function fail(message) {
  print "race.sh: " message > "/dev/stderr"
  failed = 1
  exit 1
}

# bits TYPE: the bits of a number, 0 for anything else.
function bits(type) {
  if (type == "index")
    return 64
  return type ~ /^(f32|f64|i8|i16|i32|i64)$/ ? substr(type, 2) + 0 : 0
}

function addMemRef(type,    dims, n, i, count, element) {
  gsub(/^memref<|>$/, "", type)
  n = split(type, dims, "x")
  element = dims[n]
  # The x of index.
  if (type ~ /index$/) {
    --n
    element = "index"
  }
  count = 1
  for (i = 1; i < n; ++i) {
    if (dims[i] !~ /^[0-9]+$/)
      fail("an argument is no flat memref of known size: " type)
    count *= dims[i]
  }
  if (!bits(element))
    fail("an argument is no flat memref of known size: " type)
  list = list sprintf("{'%s', %d, %d}, ", element ~ /^f/ ? "f" : "i",
                      bits(element) / 8, count)
  add("void *", "p[" numMemRefs++ "]")
}

function addScalar(type) {
  if (!bits(type))
    fail("an argument is neither memref nor number: " type)
  if (type ~ /^f/)
    add(type == "f32" ? "float" : "double", "0.5")
  else
    add("int" bits(type) "_t", "4")
}

function add(type, value) {
  types = types (numArguments ? ", " : "") type
  values = values (numArguments++ ? ", " : "") value
}

/^ *gpu\.func @.* kernel/ {
  if (numKernels++)
    fail("more than one kernel")
  line = $0
  sub(/^[^(]*\(/, "", line)
  sub(/\).*/, "", line)
  gsub(/ \{[^}]*\}/, "", line) # attributes of arguments
  n = split(line, parts, /, *%[A-Za-z0-9_]+: |^%[A-Za-z0-9_]+: /)
  for (i = 2; i <= n; ++i)
    if (parts[i] ~ /^memref</)
      addMemRef(parts[i])
    else
      addScalar(parts[i])
}

END {
  if (failed)
    exit 1
  if (!numKernels)
    fail("no kernel: a gpu.func with the word kernel")
  if (!numMemRefs)
    fail("the kernel has no memref argument, so it has no output")
  print "#define RACE_PARAMETERS " types
  print "#define RACE_ARGUMENTS " list
  print "#define RACE_PASS " values
}
