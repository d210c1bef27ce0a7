#include "reports/compare.hpp"
