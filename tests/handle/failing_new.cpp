// SPDX-License-Identifier: BSL-1.0
#include "handle/failing_new.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

thread_local long until_failure = 0;
thread_local bool failed = false;
thread_local long live = 0;

void* counted_new(std::size_t size, std::size_t alignment) {
    if (until_failure > 0 && --until_failure == 0) {
        failed = true;
        throw std::bad_alloc();
    }
    const std::size_t rounded =
        (std::max<std::size_t>(size, 1) + alignment - 1) / alignment * alignment;
    void* const memory = std::aligned_alloc(alignment, rounded);
    if (memory == nullptr) throw std::bad_alloc();
    ++live;
    return memory;
}

void counted_delete(void* memory) noexcept {
    if (memory == nullptr) return;
    --live;
    std::free(memory);
}

}  // namespace

namespace freehold::tests {

void fail_allocation(long k) noexcept {
    until_failure = k;
    failed = false;
}
bool has_failed() noexcept {
    return failed;
}
long live_allocations() noexcept {
    return live;
}

}  // namespace freehold::tests

void* operator new(std::size_t size) {
    return counted_new(size, __STDCPP_DEFAULT_NEW_ALIGNMENT__);
}
void* operator new(std::size_t size, std::align_val_t alignment) {
    return counted_new(size, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    try {
        return ::operator new(size);
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}
void* operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
    try {
        return ::operator new(size, alignment);
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}
void* operator new[](std::size_t size) {
    return ::operator new(size);
}
void* operator new[](std::size_t size, const std::nothrow_t& nothrow) noexcept {
    return ::operator new(size, nothrow);
}
void operator delete[](void* memory) noexcept {
    counted_delete(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
    counted_delete(memory);
}
void operator delete(void* memory) noexcept {
    counted_delete(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    counted_delete(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
    counted_delete(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
    counted_delete(memory);
}
