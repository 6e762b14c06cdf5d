// SPDX-License-Identifier: BSL-1.0
#include "handles/stack_walk.hpp"

#include <cstring>

#include <elfutils/libdwfl.h>

namespace freehold {
namespace {

constexpr std::size_t most_callers = 48;
constexpr std::size_t stack_pointer = 7;
constexpr std::size_t program_counter = 16;

}  // namespace

class stack_walk::impl {
public:
    explicit impl(const std::vector<mapped_file>& files) {
        static const Dwfl_Callbacks callbacks = {dwfl_build_id_find_elf,
                                                 dwfl_standard_find_debuginfo, nullptr, nullptr};
        session_ = dwfl_begin(&callbacks);
        if (session_ == nullptr) return;
        for (const mapped_file& each : files)
            dwfl_report_elf(session_, each.path.c_str(), each.path.c_str(), -1, each.bias, true);
        dwfl_report_end(session_, nullptr, nullptr);
        static const Dwfl_Thread_Callbacks threads = {next_thread,   nullptr, read_memory,
                                                      set_registers, nullptr, nullptr};
        is_ready_ = dwfl_attach_state(session_, nullptr, process, &threads, this);
    }
    impl(const impl&) = delete;
    impl& operator=(const impl&) = delete;
    ~impl() {
        if (session_ != nullptr) dwfl_end(session_);
    }

    std::vector<std::uint64_t> callers(const sampled_event& sample) {
        sample_ = &sample;
        std::vector<std::uint64_t> found;
        if (is_ready_) dwfl_getthread_frames(session_, process, take_frame, &found);
        if (!found.empty()) found.erase(found.begin());
        return found;
    }

private:
    // The library requires a number, but does not use it here.
    static constexpr pid_t process = 1;

    static pid_t next_thread(Dwfl*, void* self, void** thread) {
        if (*thread != nullptr) return 0;
        *thread = self;
        return process;
    }

    static bool read_memory(Dwfl*, Dwarf_Addr address, Dwarf_Word* to, void* self) {
        const sampled_event& sample = *static_cast<impl*>(self)->sample_;
        const std::uint64_t at = address - sample.registers[stack_pointer];
        if (at + sizeof *to > sample.stack.size() || at > sample.stack.size()) return false;
        std::memcpy(to, sample.stack.data() + at, sizeof *to);
        return true;
    }

    static bool set_registers(Dwfl_Thread* thread, void* self) {
        const sampled_event& sample = *static_cast<impl*>(self)->sample_;
        std::array<Dwarf_Word, program_counter + 1> registers{};
        std::copy(sample.registers.begin(), sample.registers.end(), registers.begin());
        return dwfl_thread_state_registers(thread, 0, program_counter + 1, registers.data());
    }

    static int take_frame(Dwfl_Frame* frame, void* to) {
        auto& found = *static_cast<std::vector<std::uint64_t>*>(to);
        Dwarf_Addr address = 0;
        if (!dwfl_frame_pc(frame, &address, nullptr) || found.size() > most_callers)
            return DWARF_CB_ABORT;
        found.push_back(address);
        return DWARF_CB_OK;
    }

    Dwfl* session_ = nullptr;
    bool is_ready_ = false;
    const sampled_event* sample_ = nullptr;
};

stack_walk::stack_walk(const std::vector<mapped_file>& files)
    : impl_(std::make_unique<impl>(files)) {}
stack_walk::~stack_walk() = default;

std::vector<std::uint64_t> stack_walk::callers(const sampled_event& sample) {
    return impl_->callers(sample);
}

}  // namespace freehold
