// SPDX-License-Identifier: BSL-1.0
// The files in lint/, each as it is written, and as the automatic fix of the check of clang-tidy
// that it is named after leaves it. Each includes <memory>, which does nothing the second time: so
// that it does no harm within a namespace.
#pragma once

#include <memory>

namespace as_written::equals_default {
#include "probes/hidden_zeroing/lint/modernize-use-equals-default.cpp"
}
namespace as_written::member_init {
#include "probes/hidden_zeroing/lint/cppcoreguidelines-pro-type-member-init.cpp"
}
namespace as_written::make_shared {
#include "probes/hidden_zeroing/lint/modernize-make-shared.cpp"
}
namespace as_written::make_unique {
#include "probes/hidden_zeroing/lint/modernize-make-unique.cpp"
}

#if defined(FREEHOLD_LAB_CLANG_TIDY)
namespace as_fixed::equals_default {
#include "fixed/modernize-use-equals-default.cpp"
}
namespace as_fixed::member_init {
#include "fixed/cppcoreguidelines-pro-type-member-init.cpp"
}
namespace as_fixed::make_shared {
#include "fixed/modernize-make-shared.cpp"
}
namespace as_fixed::make_unique {
#include "fixed/modernize-make-unique.cpp"
}
#endif
