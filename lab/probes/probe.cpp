// SPDX-License-Identifier: BSL-1.0
// One function for each operation of one competitor's handle. They are never called: their machine
// code is what the suite `footprint` measures. PROBED_COMPETITOR names the competitor,
// PROBED_HEADER its header; with PROBED_TYPES there are functions for nine pointee types instead of
// one.
#include PROBED_HEADER

#include <memory>
#include <new>

namespace probed {

using competitor = lab::PROBED_COMPETITOR;

template <int>
struct owned;
template <int K>
using base = competitor::base<owned<K>>;
template <int K>
using handle = competitor::handle<owned<K>>;

template <int K>
struct owned : base<K> {
    long value = 0;
};

/// In place there is no pointee to acquire: it is made.
template <int K>
void acquire(handle<K>* where, [[maybe_unused]] owned<K>* pointee) {
    if constexpr (lab::in_place<competitor, owned<K>>) {
        ::new (static_cast<void*>(where)) handle<K>(lab::make_owned<competitor, owned<K>>());
    } else {
        std::construct_at(where, pointee);
    }
}

}  // namespace probed

#define PROBE(K)                                                                    \
    extern "C" {                                                                    \
    void probe_default_##K(probed::handle<K>* where) { std::construct_at(where); }  \
    void probe_acquire_##K(probed::handle<K>* where, probed::owned<K>* pointee) {   \
        probed::acquire<K>(where, pointee);                                         \
    }                                                                               \
    void probe_copy_##K(probed::handle<K>* where, probed::handle<K>& from) {        \
        std::construct_at(where, probed::competitor::copy(from));                   \
    }                                                                               \
    void probe_assign_##K(probed::handle<K>& to, probed::handle<K>& from) {         \
        to = probed::competitor::copy(from);                                        \
    }                                                                               \
    void probe_destroy_##K(probed::handle<K>& handle) { std::destroy_at(&handle); } \
    }

PROBE(0)
#ifdef PROBED_TYPES
PROBE(1)
PROBE(2)
PROBE(3)
PROBE(4)
PROBE(5)
PROBE(6)
PROBE(7)
PROBE(8)
#endif
