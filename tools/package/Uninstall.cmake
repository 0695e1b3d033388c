# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Removes the files that installed.txt beside this script lists, and all folders
# below the prefix that are empty then:
#
#   cmake -P PREFIX/lib/cmake/Berth/Uninstall.cmake
get_filename_component(prefix ${CMAKE_CURRENT_LIST_DIR} REALPATH)
file(STRINGS ${prefix}/installed.txt names)
# The list knows where it lies below the prefix itself.
list(FILTER names INCLUDE REGEX "/installed\\.txt$")
string(REPLACE "/${names}" "" prefix "${prefix}/installed.txt")
file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/installed.txt names)

set(folders)
foreach(name ${names})
  file(REMOVE ${prefix}/${name})
  get_filename_component(folder ${name} DIRECTORY)
  while(folder)
    list(APPEND folders ${folder})
    get_filename_component(folder ${folder} DIRECTORY)
  endwhile()
endforeach()
list(REMOVE_DUPLICATES folders)
list(SORT folders ORDER DESCENDING) # what is below comes first
foreach(folder ${folders})
  if(folder MATCHES "[Bb]erth")
    file(REMOVE_RECURSE ${prefix}/${folder}/__pycache__) # made by Python
  endif()
  file(GLOB left ${prefix}/${folder}/* ${prefix}/${folder}/.*)
  if(NOT left AND NOT IS_SYMLINK ${prefix}/${folder})
    file(REMOVE_RECURSE ${prefix}/${folder})
  endif()
endforeach()
list(LENGTH names count)
message(STATUS "removed ${count} files below ${prefix}")
