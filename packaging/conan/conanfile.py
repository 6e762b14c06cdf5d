# SPDX-License-Identifier: BSL-1.0
"""The library for Conan 2: `conan create packaging/conan`."""

import pathlib
import re

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy


class Freehold(ConanFile):
    name = "freehold"
    license = "BSL-1.0"
    description = "Shared ownership, pools and caches, and what each costs"
    topics = ("smart-pointers", "memory-pool", "cache")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "fPIC": [True, False], "with_s3": [True, False]}
    default_options = {"shared": False, "fPIC": True, "with_s3": False}
    implements = ["auto_shared_fpic"]

    def _repository(self):
        return pathlib.Path(self.recipe_folder).parent.parent

    def set_version(self):
        text = (self._repository() / "include/freehold/version.hpp").read_text(encoding="utf-8")
        parts = [re.search(rf"#define FREEHOLD_VERSION_{part} (\d+)", text)[1] for part in ("MAJOR", "MINOR", "PATCH")]
        self.version = ".".join(parts)

    def export_sources(self):
        for pattern in ("CMakeLists.txt", "LICENSE", "cmake/*", "include/*", "src/*", "packaging/*"):
            copy(self, pattern, self._repository(), self.export_sources_folder)

    def requirements(self):
        if self.options.with_s3:
            self.requires("libcurl/[>=7.68 <9]")

    def validate(self):
        check_min_cppstd(self, 20)

    def layout(self):
        cmake_layout(self)

    def generate(self):
        toolchain = CMakeToolchain(self)
        for part in ("PROGRAM", "LAB", "TESTS", "MODULE"):
            toolchain.cache_variables[f"FREEHOLD_BUILD_{part}"] = "OFF"
        # Without the option, a libcurl of the system is none of the package's.
        toolchain.cache_variables["CMAKE_DISABLE_FIND_PACKAGE_CURL"] = not self.options.with_s3
        toolchain.cache_variables["FREEHOLD_ARROW"] = "OFF"
        toolchain.generate()
        CMakeDeps(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE", self.source_folder, pathlib.Path(self.package_folder) / "licenses")

    def package_info(self):
        # Users take one of the components: all together contradict each other.
        self.cpp_info.set_property("cmake_target_name", "freehold::all_components")
        core = self.cpp_info.components["core"]
        core.libs = ["freehold"]
        core.defines = ["FREEHOLD_HEADER_ONLY=0"]
        core.set_property("cmake_target_name", "freehold::freehold")
        core.set_property("pkg_config_name", "freehold")
        headers = self.cpp_info.components["header_only"]
        headers.libdirs = []
        headers.defines = ["FREEHOLD_HEADER_ONLY=1"]
        headers.set_property("cmake_target_name", "freehold::header_only")
        headers.set_property("pkg_config_name", "freehold-header-only")
        if self.settings.os in ("Linux", "FreeBSD"):
            core.system_libs = headers.system_libs = ["pthread"]
        for name in ("buffer", "line"):
            part = self.cpp_info.components[name]
            part.libs = [f"freehold_{name}"]
            part.requires = ["core"]
            part.set_property("cmake_target_name", f"freehold::{name}")
            part.set_property("pkg_config_name", f"freehold-{name}")
        if self.options.with_s3:
            s3 = self.cpp_info.components["s3"]
            s3.libs = ["freehold_s3"]
            s3.requires = ["line", "libcurl::libcurl"]
            s3.set_property("cmake_target_name", "freehold::s3")
            s3.set_property("pkg_config_name", "freehold-s3")
