// SPDX-License-Identifier: BSL-1.0
// libcds' hazard pointers with their default settings. A thread frees about a hundred replaced
// objects at a time, except those that a thread's hazard pointer holds.
#pragma once

#include "subjects/pointer.hpp"

#ifdef FREEHOLD_LAB_HAS_CDS
#include <atomic>
#include <memory>
#include <utility>

#include <cds/gc/hp.h>
#include <cds/init.h>
#include <cds/threading/model.h>
#include <cds/version.h>
#endif

namespace lab::pointers {

#ifdef FREEHOLD_LAB_HAS_CDS
inline constexpr origin libcds_library = {"libcds", CDS_VERSION_STRING, ""};

/// The runtime lives from its first use to the end of the process.
class libcds_runtime {
public:
    static void start() { static const libcds_runtime only; }

    libcds_runtime(const libcds_runtime&) = delete;
    libcds_runtime& operator=(const libcds_runtime&) = delete;

private:
    libcds_runtime() {
        cds::Initialize();
        hazard_pointers_ = std::make_unique<cds::gc::HP>();
    }
    ~libcds_runtime() {
        hazard_pointers_.reset();
        cds::Terminate();
    }

    std::unique_ptr<cds::gc::HP> hazard_pointers_;
};

template <class T>
class libcds_pointer {
public:
    libcds_pointer() : current_(new T()) {}
    ~libcds_pointer() { delete current_.load(std::memory_order_relaxed); }
    libcds_pointer(const libcds_pointer&) = delete;
    libcds_pointer& operator=(const libcds_pointer&) = delete;

    template <class Use>
    void read(Use&& use) const {
        cds::gc::HP::Guard guard;
        use(*static_cast<const T*>(guard.protect(current_)));
    }

    void store(const T& value) {
        // acq_rel: readers see the new object; all operations on the old one happen before it is
        // freed.
        cds::gc::HP::retire<deleter>(current_.exchange(new T(value), std::memory_order_acq_rel));
    }

    template <class Change>
    void update(Change&& change) {
        cds::gc::HP::Guard guard;
        T* const made = new T();
        for (;;) {
            T* seen = guard.protect(current_);
            *made = change(std::as_const(*seen));
            // acq_rel, as in store; relaxed on failure, because the pointer is read again.
            if (current_.compare_exchange_strong(seen, made, std::memory_order_acq_rel,
                                                 std::memory_order_relaxed)) {
                guard.clear();
                cds::gc::HP::retire<deleter>(seen);
                return;
            }
        }
    }

private:
    struct deleter {
        void operator()(T* replaced) const noexcept { delete replaced; }
    };

    std::atomic<T*> current_;
};
#else
inline constexpr origin libcds_library = {"libcds", "", "install libcds (Debian: libcds-dev)"};
#endif

struct libcds_hp : pointer_subject {
    static constexpr identity is = {.name = "libcds, hazard pointers",
                                    .family = family::other,
                                    .order = 32,
                                    .from = &libcds_library};

#ifdef FREEHOLD_LAB_HAS_CDS
    template <class T>
    using pointer = libcds_pointer<T>;

    struct thread : pointer_subject::thread {
        thread() {
            libcds_runtime::start();
            cds::threading::Manager::attachThread();
        }
        ~thread() { cds::threading::Manager::detachThread(); }
        thread(const thread&) = delete;
        thread& operator=(const thread&) = delete;
    };
#endif
};

}  // namespace lab::pointers
