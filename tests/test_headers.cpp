// Precompiles what most tests include (CMakeLists.txt); has nothing of its own.
