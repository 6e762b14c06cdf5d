# SPDX-License-Identifier: BSL-1.0
# Looks for Apache Arrow. Defines freehold::arrow_library where it is, and freehold::parquet_library where Arrow's
# Parquet is too. freehold's build and its installed package both include this file.
#
# It takes, in this order: the folder FREEHOLD_PYARROW, a CMake package Arrow (of the system, of Conan, of vcpkg), and
# the pyarrow of the Python that is first on the path.
if(TARGET freehold::arrow_library)
    return()
endif()
set(FREEHOLD_PYARROW "" CACHE PATH "The folder `pyarrow` of a pyarrow wheel, for freehold::arrow; empty: it is searched for")

# freehold_take_wheel(FOLDER): defines the targets if the folder is that of a wheel with headers.
function(freehold_take_wheel folder)
    foreach(name IN ITEMS arrow parquet)
        file(GLOB library "${folder}/lib${name}.so.*" "${folder}/lib${name}.*.dylib")
        list(LENGTH library found)
        if(NOT found EQUAL 1 OR NOT EXISTS "${folder}/include/${name}/api" AND NOT EXISTS "${folder}/include/${name}/api.h")
            return()
        endif()
        add_library(freehold::${name}_library SHARED IMPORTED GLOBAL)
        set_target_properties(freehold::${name}_library PROPERTIES
            IMPORTED_LOCATION "${library}" INTERFACE_INCLUDE_DIRECTORIES "${folder}/include")
    endforeach()
    set_property(TARGET freehold::parquet_library PROPERTY INTERFACE_LINK_LIBRARIES freehold::arrow_library)
endfunction()

if(FREEHOLD_PYARROW)
    freehold_take_wheel("${FREEHOLD_PYARROW}")
    return()
endif()

find_package(Arrow CONFIG QUIET)
foreach(package IN ITEMS Arrow::arrow_shared Arrow::arrow_static arrow::arrow)
    if(TARGET ${package} AND NOT TARGET freehold::arrow_library)
        add_library(freehold::arrow_library INTERFACE IMPORTED GLOBAL)
        target_link_libraries(freehold::arrow_library INTERFACE ${package})
    endif()
endforeach()
if(TARGET freehold::arrow_library)
    find_package(Parquet CONFIG QUIET)
    foreach(package IN ITEMS Parquet::parquet_shared Parquet::parquet_static)
        if(TARGET ${package} AND NOT TARGET freehold::parquet_library)
            add_library(freehold::parquet_library INTERFACE IMPORTED GLOBAL)
            target_link_libraries(freehold::parquet_library INTERFACE ${package} freehold::arrow_library)
        endif()
    endforeach()
    return()
endif()

# Python is asked where the package is, and does not load it.
find_program(FREEHOLD_ARROW_PYTHON NAMES python3 python)
mark_as_advanced(FREEHOLD_ARROW_PYTHON)
if(FREEHOLD_ARROW_PYTHON)
    execute_process(COMMAND "${FREEHOLD_ARROW_PYTHON}" -c
        "import importlib.util as u; s = u.find_spec('pyarrow'); print(s.submodule_search_locations[0] if s else '')"
        OUTPUT_VARIABLE freehold_wheel OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    if(freehold_wheel)
        freehold_take_wheel("${freehold_wheel}")
    endif()
endif()
