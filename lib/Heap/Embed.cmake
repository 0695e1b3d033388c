# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cmake -DINPUT=<text> -DOUTPUT=<c file> -DNAME=<variable> -P Embed.cmake
# Writes the text, without its comment lines, as a C string constant.
file(STRINGS ${INPUT} lines)
set(body "")
foreach(line IN LISTS lines)
  if(NOT line MATCHES "^ *//")
    string(REPLACE "\\" "\\\\" line "${line}")
    string(REPLACE "\"" "\\\"" line "${line}")
    string(APPEND body "    \"${line}\\n\"\n")
  endif()
endforeach()
file(WRITE ${OUTPUT}
  "#include \"Heap/HeapText.h\"\n\nconst char ${NAME}[] =\n${body}    \"\";\n")
