# SPDX-License-Identifier: BSL-1.0
# Each public header is the only include of a translation unit of its own: it must bring what it needs.
file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}/include"
    "${PROJECT_SOURCE_DIR}/include/*.hpp")
if(NOT TARGET freehold::s3)
    list(FILTER headers EXCLUDE REGEX "^freehold/cache/(detail/s3|s3_source)")
endif()
set(header_sources)
foreach(header IN LISTS headers)
    string(MAKE_C_IDENTIFIER "${header}" name)
    set(source "${CMAKE_CURRENT_BINARY_DIR}/headers/${name}.cpp")
    # Twice: a second inclusion must change nothing.
    file(CONFIGURE OUTPUT "${source}" CONTENT "#include <${header}>\n#include <${header}>\n")
    list(APPEND header_sources "${source}")
endforeach()
add_library(house_headers OBJECT ${header_sources})
target_link_libraries(house_headers PRIVATE freehold::freehold $<TARGET_NAME_IF_EXISTS:freehold::s3> freehold_warnings)
