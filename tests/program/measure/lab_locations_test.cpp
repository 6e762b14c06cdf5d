// SPDX-License-Identifier: BSL-1.0
#include "measure/lab_locations.hpp"

#include "program/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace freehold::lab_locations_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(LabLocations, ABuildTreeHasThemBesideTheProgramGccFirst) {
    const temporary_folder build;
    build.write("lab/clang++/freehold-lab", "");
    build.write("lab/g++-13/freehold-lab", "");
    build.write("lab/g++/freehold-lab", "");
    build.write("lab/g++-13/CMakeCache.txt", "");
    build.write("lab/not-built/CMakeCache.txt", "");
    EXPECT_THAT(find_labs(build.path()),
                ElementsAre(build / "lab/g++/freehold-lab", build / "lab/g++-13/freehold-lab",
                            build / "lab/clang++/freehold-lab"));
}

TEST(LabLocations, AnInstalledProgramHasThemInLibexec) {
    const temporary_folder prefix;
    prefix.write("libexec/freehold/g++/freehold-lab", "");
    EXPECT_THAT(find_labs(prefix / "bin"),
                ElementsAre(prefix / "libexec/freehold/g++/freehold-lab"));
}

TEST(LabLocations, ThereMayBeNone) {
    const temporary_folder empty;
    EXPECT_THAT(find_labs(empty / "bin"), IsEmpty());
}

}  // namespace
}  // namespace freehold::lab_locations_test
