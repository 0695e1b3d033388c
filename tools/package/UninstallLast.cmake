# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Behind `ninja uninstall`: removes what this build folder has installed last,
# wherever that was.
#
#   cmake -D BUILD=FOLDER -D PREFIX=CONFIGURED -D WHERE=lib/cmake/Berth -P ...
set(scripts ${PREFIX}/${WHERE}/Uninstall.cmake)
if(EXISTS ${BUILD}/install_manifest.txt)
  file(STRINGS ${BUILD}/install_manifest.txt installed)
  list(FILTER installed INCLUDE REGEX "/${WHERE}/Uninstall\\.cmake$")
  list(PREPEND scripts ${installed})
endif()
foreach(script ${scripts})
  if(EXISTS ${script})
    include(${script})
    return()
  endif()
endforeach()
message(FATAL_ERROR "Nothing of Berth is installed below ${PREFIX}, nor where "
  "this build was installed last. What was moved is removed by "
  "`cmake -P PREFIX/${WHERE}/Uninstall.cmake`.")
