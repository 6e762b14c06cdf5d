// SPDX-License-Identifier: BSL-1.0
#include <freehold/handle/counted_ptr.hpp>
#include <freehold/handle/intrusive_ptr.hpp>
#include <freehold/handle/shared_ptr.hpp>

#include <cstdio>

struct session : freehold::intrusive_base<session> {
    int requests = 0;
};

int main() {
    const freehold::intrusive_ptr<session> first(new session);
    const auto second = first;
    ++second->requests;

    const freehold::counted_ptr<int> number(new int(41));
    ++*number;

    const auto shared = freehold::make_shared<int>(1);
    const freehold::weak_ptr<int> observer = shared;

    if (observer.lock() == nullptr || first->requests != 1 || first->use_count() != 2 ||
        *number != 42) {
        std::puts("the installed library does not work");
        return 1;
    }
}
