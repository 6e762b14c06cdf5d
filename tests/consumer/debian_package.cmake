# SPDX-License-Identifier: BSL-1.0
# Builds Debian's package of the library from a copy of SOURCE in FOLDER, unpacks it, looks for each header there, and
# compiles the programs in PROJECT with what pkg-config says of its packages.
file(REMOVE_RECURSE "${FOLDER}")
set(copy "${FOLDER}/sources")
foreach(part IN ITEMS CMakeLists.txt CHANGELOG.md LICENSE cmake include src packaging)
    file(COPY "${SOURCE}/${part}" DESTINATION "${copy}")
endforeach()
file(COPY "${SOURCE}/packaging/debian" DESTINATION "${copy}")

# The program is left out: it takes minutes.
set(ENV{DEB_BUILD_PROFILES} pkg.freehold.noprogram)
set(ENV{CXX} "${compiler}")
execute_process(COMMAND dpkg-buildpackage -b -us -uc WORKING_DIRECTORY "${copy}" OUTPUT_FILE "${FOLDER}/build.log"
    ERROR_FILE "${FOLDER}/build.log" RESULT_VARIABLE failed)
if(failed)
    message(FATAL_ERROR "dpkg-buildpackage failed; what it said is in ${FOLDER}/build.log")
endif()

file(GLOB built "${FOLDER}/libfreehold-dev_${VERSION}_*.deb")
if(NOT built)
    message(FATAL_ERROR "there is no libfreehold-dev of version ${VERSION}: see packaging/debian/changelog")
endif()
set(prefix "${FOLDER}/root/usr")
execute_process(COMMAND dpkg -x "${built}" "${FOLDER}/root" COMMAND_ERROR_IS_FATAL ANY)
file(GLOB_RECURSE headers RELATIVE "${SOURCE}/include" "${SOURCE}/include/*.hpp")
file(GLOB_RECURSE packed RELATIVE "${prefix}/include" "${prefix}/include/*")
if(NOT packed STREQUAL headers)
    message(FATAL_ERROR "the headers of the package are ${packed}, and those of the sources ${headers}")
endif()
file(GLOB libdir RELATIVE "${prefix}" "${prefix}/lib/*")
foreach(pair IN ITEMS "freehold main" "freehold-buffer buffer" "freehold-line line" "freehold-s3 s3")
    separate_arguments(pair)
    list(GET pair 0 package)
    list(GET pair 1 program)
    set(source "${PROJECT}/${program}.cpp")
    set(program "${FOLDER}/${program}")
    include("${CMAKE_CURRENT_LIST_DIR}/compile_by_pkg_config.cmake")
endforeach()
