// The source of a library that has precompiled headers and nothing else (DeltaproofPrecompile.cmake).
