// SPDX-License-Identifier: BSL-1.0
// What each library of this test offers to a program that may not know its version: objects behind
// a C interface.
#pragma once

extern "C" {

struct abi_library {
    int abi_version;
    // Makes an object with that value; the caller owns one handle.
    void* (*make)(int value);
    // One more handle to the same object.
    void* (*copy)(const void* handle);
    int (*read)(const void* handle);
    // Returns the value after it has passed through the caches, which only the core has.
    int (*pass_through_caches)(int value);
    void (*release)(void* handle);
    // How many objects of this library are alive.
    long (*alive)();
};

// Exported under this name by each library.
using abi_library_function = const abi_library* (*)();
}
