// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "subjects/pointer.hpp"

#include <memory>
#include <mutex>
#include <utility>

namespace lab {

/// A std::shared_ptr that is copied and replaced under a lock. The replaced object is freed after
/// the lock has been released.
template <class T, class Mutex, template <class> class ReadLock>
class locked_pointer {
public:
    template <class Use>
    void read(Use&& use) const {
        const std::shared_ptr<T> mine = copy();
        use(std::as_const(*mine));
    }

    void store(const T& value) {
        auto made = std::make_shared<T>(value);
        const std::lock_guard section(mutex_);
        owner_.swap(made);
    }

    template <class Change>
    void update(Change&& change) {
        std::shared_ptr<T> made;
        const std::lock_guard section(mutex_);
        made = std::make_shared<T>(change(std::as_const(*owner_)));
        owner_.swap(made);
    }

private:
    std::shared_ptr<T> copy() const {
        const ReadLock<Mutex> section(mutex_);
        return owner_;
    }

    mutable Mutex mutex_;
    std::shared_ptr<T> owner_ = std::make_shared<T>();
};

}  // namespace lab
