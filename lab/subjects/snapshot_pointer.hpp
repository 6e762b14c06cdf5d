// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "subjects/pointer.hpp"

#include <utility>

namespace lab {

/// A pointer of Freehold. Its reader takes a snapshot, which does not count. Its writer calls the
/// library's update(), which retries. `Maker` is as for loaded_pointer.
template <class T, class Atomic, class Maker>
class snapshot_pointer {
public:
    snapshot_pointer() : owner_(Maker::template make<T>()) {}

    template <class Use>
    void read(Use&& use) const {
        const auto seen = owner_.snapshot();
        use(std::as_const(*seen));
    }

    void store(const T& value) { owner_.store(Maker::template make<T>(value)); }

    template <class Change>
    void update(Change&& change) {
        owner_.update([&](const auto& seen) {
            return Maker::template make<T>(change(std::as_const(*seen)));
        });
    }

private:
    Atomic owner_;
};

}  // namespace lab
