# SPDX-License-Identifier: BSL-1.0
# An overlay port: `vcpkg install freehold --overlay-ports=.../packaging/vcpkg` builds the sources that it stands in.
cmake_path(SET SOURCE_PATH NORMALIZE "${CMAKE_CURRENT_LIST_DIR}/../../..")

# Without the feature, a libcurl of the system is none of the package's.
set(without_curl ON)
if("s3" IN_LIST FEATURES)
    set(without_curl OFF)
endif()

vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}" OPTIONS
    -DFREEHOLD_BUILD_PROGRAM=OFF -DFREEHOLD_BUILD_LAB=OFF -DFREEHOLD_BUILD_TESTS=OFF -DFREEHOLD_BUILD_MODULE=OFF
    -DFREEHOLD_ARROW=OFF
    "-DCMAKE_DISABLE_FIND_PACKAGE_CURL=${without_curl}")
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/freehold)
vcpkg_fixup_pkgconfig()

file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share"
    "${CURRENT_PACKAGES_DIR}/share/doc")
file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
