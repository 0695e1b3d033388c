# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Puts styles, scripts and the core into PAGE, in place of the marks of
# Playground.html.
execute_process(COMMAND base64 -w 0 ${CORE} OUTPUT_VARIABLE core
                COMMAND_ERROR_IS_FATAL ANY)
file(READ Playground.html page)
foreach(text ${REPORT}/Report.css ${REPORT}/Report.js Playground.css
        Playground.js Core.js)
  get_filename_component(name ${text} NAME)
  file(READ ${text} content)
  string(REPLACE "@${name}@" "${content}" page "${page}")
endforeach()
string(REPLACE "@core.wasm@" "${core}" page "${page}")
file(WRITE ${PAGE} "${page}")
