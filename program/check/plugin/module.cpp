// SPDX-License-Identifier: BSL-1.0
// The plug-in's entry. clang-tidy finds the module in its registry after `-load`.
#include "check/plugin/owns_itself/owns_itself_check.hpp"
#include "check/plugin/zeroing/hidden_zeroing_check.hpp"

#include <clang-tidy/ClangTidyModule.h>
#include <clang-tidy/ClangTidyModuleRegistry.h>

namespace {

class freehold_module : public clang::tidy::ClangTidyModule {
public:
    void addCheckFactories(clang::tidy::ClangTidyCheckFactories& factories) override {
        factories.registerCheck<freehold::check::hidden_zeroing_check>("freehold-hidden-zeroing");
        factories.registerCheck<freehold::check::owns_itself_check>("freehold-owns-itself");
    }
};

const clang::tidy::ClangTidyModuleRegistry::Add<freehold_module> registered(
    "freehold-module", "Finds what costs more than it looks.");

}  // namespace
