// SPDX-License-Identifier: BSL-1.0
// An allocator that is held to the letter: all memory goes back to it, as the type and in the
// number that it was given out for; with pointers that are no pointers of the language.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <new>
#include <type_traits>
#include <typeinfo>
#include <utility>

#include <gtest/gtest.h>

namespace freehold::contracts {

// What all copies of an allocator, rebound ones included, did. `allocations_allowed` is how many
// more succeed.
struct allocator_log {
    struct loan {
        std::size_t length;
        const std::type_info* type;
    };
    std::map<void*, loan> lent;
    long allocations = 0;
    long allocations_allowed = 1'000'000;
    std::size_t bytes = 0;
    long constructed = 0;
    long destroyed = 0;

    allocator_log() = default;
    allocator_log(const allocator_log&) = delete;
    allocator_log& operator=(const allocator_log&) = delete;
    ~allocator_log() {
        EXPECT_TRUE(lent.empty()) << "memory was not given back";
        EXPECT_EQ(constructed, destroyed);
    }
};

// The least that [allocator.requirements] asks of a pointer.
template <class T>
class minimal_pointer {
public:
    minimal_pointer() = default;
    minimal_pointer(std::nullptr_t) {}
    explicit minimal_pointer(T* plain) : plain_(plain) {}
    static minimal_pointer pointer_to(T& object) { return minimal_pointer(std::addressof(object)); }

    T& operator*() const { return *plain_; }
    T* operator->() const { return plain_; }
    explicit operator bool() const { return plain_ != nullptr; }
    friend bool operator==(minimal_pointer, minimal_pointer) = default;

private:
    T* plain_ = nullptr;
};

template <class T>
class observed_allocator {
public:
    using value_type = T;
    using pointer = minimal_pointer<T>;

    explicit observed_allocator(allocator_log& log) : log_(&log) {}
    template <class U>
    observed_allocator(const observed_allocator<U>& other) : log_(other.log()) {}

    [[nodiscard]] allocator_log* log() const { return log_; }

    [[nodiscard]] pointer allocate(std::size_t length) {
        if (log_->allocations_allowed-- <= 0) throw std::bad_alloc();
        T* const memory = std::allocator<T>().allocate(length);
        log_->lent[memory] = {length, &typeid(T)};
        log_->bytes += length * sizeof(T);
        ++log_->allocations;
        return pointer(memory);
    }
    void deallocate(pointer memory, std::size_t length) {
        T* const plain = std::to_address(memory);
        const auto found = log_->lent.find(plain);
        ASSERT_NE(found, log_->lent.end()) << "this memory was not lent, or is given back twice";
        EXPECT_EQ(found->second.length, length);
        EXPECT_TRUE(*found->second.type == typeid(T));
        log_->lent.erase(found);
        std::allocator<T>().deallocate(plain, length);
    }
    template <class U, class... Args>
    void construct(U* place, Args&&... args) {
        static_assert(std::is_same_v<U, T>, "constructed by an allocator of another type");
        ::new (static_cast<void*>(place)) U(std::forward<Args>(args)...);
        ++log_->constructed;
    }
    template <class U>
    void destroy(U* object) {
        static_assert(std::is_same_v<U, T>, "destroyed by an allocator of another type");
        object->~U();
        ++log_->destroyed;
    }
    template <class U>
    bool operator==(const observed_allocator<U>& other) const {
        return log_ == other.log();
    }

private:
    allocator_log* log_;
};

}  // namespace freehold::contracts
