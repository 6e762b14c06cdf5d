// SPDX-License-Identifier: BSL-1.0
// What it is: a base class for objects that make handles to themselves.
//
// The first shared_ptr that owns an object, from a pointer or from make_shared, is the one that
// shared_from_this shares with. Copying an object does not copy its owner.
// Units: each object contains a weak_ptr.
// Complexity: the first owner of an object costs no locked instruction. The object's destruction
// costs three with atomic_count, or none while the process has one thread.
// Exceptions: shared_from_this throws std::bad_weak_ptr before there is an owner, or when it is
// gone.
#pragma once

#include <freehold/handle/detail/shared/shared_ptr_class.hpp>
#include <freehold/handle/detail/shared/weak_ptr.hpp>

#include <memory>
#include <type_traits>

namespace freehold::inline FREEHOLD_ABI {

// As std::enable_shared_from_this: an object that derives from it can make owners of itself.
template <class T, class Count>
class enable_shared_from_this {
public:
    [[nodiscard]] shared_ptr<T, Count> shared_from_this() {
        return shared_ptr<T, Count>(weak_this_);
    }
    [[nodiscard]] shared_ptr<const T, Count> shared_from_this() const {
        return shared_ptr<const T, Count>(weak_this_);
    }
    [[nodiscard]] weak_ptr<T, Count> weak_from_this() noexcept { return weak_this_; }
    [[nodiscard]] weak_ptr<const T, Count> weak_from_this() const noexcept { return weak_this_; }

protected:
    constexpr enable_shared_from_this() noexcept = default;
    // A copy has owners of its own.
    enable_shared_from_this(const enable_shared_from_this&) noexcept {}
    enable_shared_from_this& operator=(const enable_shared_from_this&) noexcept { return *this; }
    ~enable_shared_from_this() = default;

private:
    // Found by shared_ptr through the object's base, if it has just one that is accessible. It
    // comes twice, as that base and as what the owner was given. Not inlined, because g++ 12 then
    // takes the object for one of no size, and warns.
    template <class Owned, class Y>
    [[gnu::noinline]] friend void set_weak_this(const shared_ptr<Owned, Count>& owner,
                                                const enable_shared_from_this* base,
                                                Y* object) noexcept
        requires std::is_convertible_v<std::remove_cv_t<Y>*, T*>
    {
        if (!base->weak_this_.expired()) return;
        base->weak_this_ = detail::shared_access::first_reference<T, Count>(
            const_cast<std::remove_cv_t<Y>*>(object), detail::shared_access::control(owner));
    }

    mutable weak_ptr<T, Count> weak_this_;
};

}  // namespace freehold::inline FREEHOLD_ABI
