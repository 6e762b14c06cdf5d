// SPDX-License-Identifier: BSL-1.0
// What a scenario works with: objects that a modelled count keeps alive, and ways to pass handles
// from thread to thread.
#pragma once

#include <freehold/count/atomic_count.hpp>
#include <freehold/count/biased_count.hpp>

#include "model/platform.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace freehold::model {

using bias_record = detail::basic_bias_record<platform>;
using biased_type = detail::basic_biased_type<platform>;

// An object and its handles. Each thread writes to its own part of the object as long as it has a
// handle, and to its own part of the memory as long as it has a weak reference; whoever destroys or
// frees reads all of it, which is a race unless it comes after.
class counted {
public:
    counted() = default;
    counted(const counted&) = delete;
    counted& operator=(const counted&) = delete;
    virtual ~counted() = default;

    // Not pure: a destructor of an abstract class traps, which GenMC does not understand.
    virtual void copy() {}
    // As a load from an atomic pointer does.
    virtual void copy_in_turns() {}
    virtual void drop() {}
    // For so many handles that no other thread uses.
    virtual void copy_held(int /*handles*/) {}
    virtual void drop_held(int /*handles*/) {}
    [[nodiscard]] virtual bool alone() { return false; }
    virtual void share() {}
    virtual void share_out() {}
    virtual void gather() {}
    virtual void copy_weak() {}
    virtual void copy_weak_held() {}
    virtual void drop_weak() {}
    [[nodiscard]] virtual bool lock() { return false; }

    void use() { write(object_, destroyed_); }
    void use_weak() { write(memory_, freed_); }
    void use_alone() {
        require(!destroyed_, "an object was used after its destruction");
        for (auto& part : object_) part.write(2);
    }
    [[nodiscard]] bool is_gone() const { return destroyed_ && freed_; }

protected:
    void destroy() {
        require(!std::exchange(destroyed_, true), "an object was destroyed twice");
        read(object_);
    }
    void free() {
        require(!std::exchange(freed_, true), "memory was freed twice");
        read(memory_);
    }
    void require_object() const { require(!destroyed_, "a destroyed object was shared"); }
    void require_memory() const { require(!freed_, "a count was used after it was freed"); }

private:
    using parts = std::array<plain, threads + 1>;
    static void write(parts& where, bool gone) {
        require(!gone, "something was used that is gone");
        where[current->self()].write(1);
    }
    static void read(parts& where) {
        for (auto& part : where) static_cast<void>(part.read());
    }

    parts object_, memory_;
    // Plain, and so themselves a race where threads really run at once: whoever writes them comes
    // after all others.
    bool destroyed_ = false, freed_ = false;
};

template <class Count>
class counted_by final : public counted {
    static constexpr bool has_weak = requires(Count & count) { count.increment_weak(); };

public:
    template <class... Arguments>
    explicit counted_by(Arguments... arguments) : count_(std::make_unique<Count>(arguments...)) {}

    void copy() override {
        require_object();
        count_->increment();
    }
    void copy_in_turns() override {
        require_object();
        if constexpr (requires { count_->increment_unless_disturbed(); }) {
            if (count_->increment_unless_disturbed()) return;
        }
        count_->increment();
    }
    void drop() override {
        require_object();
        if constexpr (has_weak) {
            dropped(count_->decrement());
        } else if (count_->decrement()) {
            dropped(remaining::nothing);
        }
    }
    void copy_held(int handles) override {
        require_object();
        if constexpr (has_weak) {
            count_->increment_held(handles);
        } else {
            for (int i = 0; i < handles; ++i) copy();
        }
    }
    void drop_held(int handles) override {
        require_object();
        if constexpr (has_weak) {
            dropped(count_->decrement_held(handles));
        } else {
            for (int i = 0; i < handles; ++i) drop();
        }
    }
    bool alone() override {
        require_object();
        return count_->value() == 1;
    }
    void share() override {
        require_object();
        if constexpr (requires { count_->share(); }) count_->share();
    }
    void share_out() override {
        require_object();
        if constexpr (requires { count_->share_out(); }) count_->share_out();
    }
    void gather() override {
        require_object();
        if constexpr (requires { count_->gather(); }) count_->gather();
    }
    void copy_weak() override {
        require_memory();
        if constexpr (has_weak) count_->increment_weak();
    }
    void copy_weak_held() override {
        require_object();
        if constexpr (has_weak) count_->increment_weak_held();
    }
    void drop_weak() override {
        require_memory();
        if constexpr (has_weak) {
            if (count_->decrement_weak()) end();
        }
    }
    bool lock() override {
        require_memory();
        if constexpr (has_weak) {
            return count_->try_increment();
        } else {
            return false;
        }
    }

private:
    void dropped(remaining left) {
        if (left == remaining::owners) return;
        if (left != remaining::memory) destroy();
        if constexpr (has_weak) {
            if (left == remaining::weak_references && !count_->decrement_weak()) return;
        }
        end();
    }

    // A model checker notices when the count is touched from now on.
    void end() {
        free();
        if constexpr (has_weak)
            require(count_->is_at_rest(), "a handle too many would not be noticed");
        count_.reset();
    }

    std::unique_ptr<Count> count_;
};

// How the objects of a scenario are counted. Biased ones are so to thread 0.
struct kind {
    const char* name;
    bool has_weak;
    counted* (*make)(bias_record& record);
};

inline constexpr std::array<kind, 6> kinds = {{
    {"atomic_count", false,
     [](bias_record&) -> counted* {
         return new counted_by<detail::basic_atomic_count<checked_atomics>>(std::int64_t{1});
     }},
    {"atomic_count_with_weak", true,
     [](bias_record&) -> counted* {
         return new counted_by<detail::basic_atomic_count_with_weak<checked_atomics>>(
             std::in_place_type<int>);
     }},
    {"biased_count", false,
     [](bias_record& record) -> counted* {
         return new counted_by<detail::basic_biased_count<platform>>(
             std::int64_t{1}, reinterpret_cast<std::uintptr_t>(&record));
     }},
    {"biased_count, fresh", false,
     [](bias_record&) -> counted* {
         return new counted_by<detail::basic_biased_count<platform>>(std::int64_t{1},
                                                                     detail::fresh);
     }},
    {"biased_count_with_weak", true,
     [](bias_record& record) -> counted* {
         return new counted_by<detail::basic_biased_count_with_weak<platform>>(
             reinterpret_cast<std::uintptr_t>(&record));
     }},
    {"biased_count_with_weak, fresh", true,
     [](bias_record&) -> counted* {
         return new counted_by<detail::basic_biased_count_with_weak<platform>>(detail::fresh);
     }},
}};

inline constexpr char maker_address = 0, second_address = 0, third_address = 0;

struct world : machine {
    world(const kind& of, std::size_t count) {
        identities[0] = &maker_address;
        identities[1] = &second_address;
        identities[2] = &third_address;
        identities[threads] = &maker_address;
        current = this;
        bias = std::make_unique<bias_record>(&maker_address, type);
        for (std::size_t i = 0; i != count; ++i) objects[i].reset(of.make(*bias));
    }

    biased_type type;
    std::unique_ptr<bias_record> bias;
    std::array<std::unique_ptr<counted>, 2> objects;
    mailbox handle, message;
};

}  // namespace freehold::model
