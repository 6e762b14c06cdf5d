// SPDX-License-Identifier: BSL-1.0
// Functions for each operation of one subject's handle and nine pointee types. No code calls them.
// The suite `footprint` measures their machine code. The code of the first type gives the size of
// each operation, and that of the others the size of one more type. PROBED_SUBJECT is the subject,
// and PROBED_HEADER its header.
#include PROBED_HEADER

#include <memory>
#include <new>

namespace probed {

using subject = lab::handles::PROBED_SUBJECT;

template <int>
struct owned;
template <int K>
using base = subject::base<owned<K>>;
template <int K>
using handle = subject::handle<owned<K>>;

template <int K>
struct owned : base<K> {
    long value = 0;
};

/// If the subject makes its objects in place, this makes a pointee, because there is none to
/// acquire.
template <int K>
void acquire(handle<K>* where, [[maybe_unused]] owned<K>* pointee) {
    if constexpr (lab::in_place<subject, owned<K>>) {
        ::new (static_cast<void*>(where)) handle<K>(lab::make_owned<subject, owned<K>>());
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
        std::construct_at(where, probed::subject::copy(from));                      \
    }                                                                               \
    void probe_assign_##K(probed::handle<K>& to, probed::handle<K>& from) {         \
        to = probed::subject::copy(from);                                           \
    }                                                                               \
    void probe_destroy_##K(probed::handle<K>& handle) { std::destroy_at(&handle); } \
    }

PROBE(0)
PROBE(1)
PROBE(2)
PROBE(3)
PROBE(4)
PROBE(5)
PROBE(6)
PROBE(7)
PROBE(8)
