# Links a library of kernels for the host: cmake -DLINK=... -DNM=... -DOBJECTS=... -DLIBRARY=... -P this. Lists are
# separated by '|'; OBJECTS may end in libraries, -lNAME.
#
# `extern __shared__ unsigned char shared_bytes[]` in a function names a variable of the function's namespace. Each
# such name that the objects want is bound to the one array of shared_memory_array.cpp.
string(REPLACE "|" ";" link "${LINK}")
string(REPLACE "|" ";" objects "${OBJECTS}")
set(files ${objects})
list(FILTER files EXCLUDE REGEX "^-l")
execute_process(COMMAND ${NM} -u ${files} OUTPUT_VARIABLE undefined COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL " U [A-Za-z0-9_]*shared_bytes[A-Za-z0-9_]*" names "${undefined}")  # "w": initialisers, if any
list(TRANSFORM names REPLACE "^ U " "")
list(REMOVE_DUPLICATES names)
set(bindings)
foreach(name IN LISTS names)
  list(APPEND bindings -Wl,--defsym=${name}=simt_dynamic_shared)
endforeach()
execute_process(COMMAND ${link} ${objects} ${bindings} -o ${LIBRARY} COMMAND_ERROR_IS_FATAL ANY)
