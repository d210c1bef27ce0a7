# Finds MPFI, MPFR and GMP, which ship no CMake packages.
# Defines the imported target Deltaproof::Multiprecision.

find_path(MPFI_INCLUDE_DIR mpfi.h)
find_path(MPFR_INCLUDE_DIR mpfr.h)
find_path(GMP_INCLUDE_DIR gmp.h)
find_library(MPFI_LIBRARY mpfi)
find_library(MPFR_LIBRARY mpfr)
find_library(GMP_LIBRARY gmp)
mark_as_advanced(MPFI_INCLUDE_DIR MPFR_INCLUDE_DIR GMP_INCLUDE_DIR
                 MPFI_LIBRARY MPFR_LIBRARY GMP_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Multiprecision
  REQUIRED_VARS MPFI_LIBRARY MPFI_INCLUDE_DIR MPFR_LIBRARY MPFR_INCLUDE_DIR
                GMP_LIBRARY GMP_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "Debian and Ubuntu: apt install libmpfi-dev libmpfr-dev libgmp-dev")

if(Multiprecision_FOUND AND NOT TARGET Deltaproof::Multiprecision)
  add_library(Deltaproof::Multiprecision INTERFACE IMPORTED)
  set_target_properties(Deltaproof::Multiprecision PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${MPFI_INCLUDE_DIR};${MPFR_INCLUDE_DIR};${GMP_INCLUDE_DIR}"
    INTERFACE_LINK_LIBRARIES "${MPFI_LIBRARY};${MPFR_LIBRARY};${GMP_LIBRARY}")
endif()
