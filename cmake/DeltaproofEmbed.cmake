# Text files inside a library.
#
#   deltaproof_embed(TARGET NAME FILE [NAME FILE ...])
#
# gives TARGET the functions `std::string_view deltaproof::embedded::NAME()`, each with what is in its FILE, and the
# header "embedded_TARGET.hpp" that declares them, for sources of TARGET alone. A changed file is embedded anew.

set(_deltaproof_write_embedded ${CMAKE_CURRENT_LIST_DIR}/DeltaproofWriteEmbedded.cmake)

function(deltaproof_embed target)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/embedded)
  file(MAKE_DIRECTORY ${folder})
  set(header "#pragma once\n\n#include <string_view>\n\nnamespace deltaproof::embedded {\n")
  set(pairs ${ARGN})
  while(pairs)
    list(POP_FRONT pairs name file)
    get_filename_component(file ${file} ABSOLUTE)
    string(APPEND header "std::string_view ${name}();\n")
    set(source ${folder}/${name}.cpp)
    add_custom_command(OUTPUT ${source}
      COMMAND ${CMAKE_COMMAND} -DNAME=${name} -DFILE=${file} -DSOURCE=${source} -P ${_deltaproof_write_embedded}
      DEPENDS ${file} ${_deltaproof_write_embedded} COMMENT "Embedding ${name}" VERBATIM)
    target_sources(${target} PRIVATE ${source})
  endwhile()
  string(APPEND header "}  // namespace deltaproof::embedded\n")
  file(CONFIGURE OUTPUT ${folder}/embedded_${target}.hpp CONTENT "${header}" @ONLY)
  target_include_directories(${target} PRIVATE ${folder})
endfunction()
