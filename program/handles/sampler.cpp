// SPDX-License-Identifier: BSL-1.0
#include "handles/sampler.hpp"

#include "code/known_handles.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <utility>

#include <asm/perf_regs.h>
#include <fmt/format.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace freehold {
namespace {

constexpr std::uint64_t samples_in_a_second =
    997;  // a prime, so that it is not in step with the program
constexpr std::uint32_t stack_bytes = 2048;
constexpr std::size_t page = 4096;
constexpr std::size_t buffer_bytes = 128 * page;

// The kernel writes the registers in the order of its own numbers.
constexpr std::array registers_of_kernel = {
    PERF_REG_X86_AX,  PERF_REG_X86_BX,  PERF_REG_X86_CX,  PERF_REG_X86_DX,  PERF_REG_X86_SI,
    PERF_REG_X86_DI,  PERF_REG_X86_BP,  PERF_REG_X86_SP,  PERF_REG_X86_IP,  PERF_REG_X86_R8,
    PERF_REG_X86_R9,  PERF_REG_X86_R10, PERF_REG_X86_R11, PERF_REG_X86_R12, PERF_REG_X86_R13,
    PERF_REG_X86_R14, PERF_REG_X86_R15};
constexpr std::array<std::size_t, 17> dwarf_numbers = {0, 3, 2,  1,  4,  5,  6,  7, 16,
                                                       8, 9, 10, 11, 12, 13, 14, 15};

std::uint64_t number_in(const char* file) {
    std::uint64_t number = 0;
    std::ifstream(file) >> number;
    return number;
}

perf_event_attr attributes(bool clock, unsigned precision) {
    perf_event_attr result{};
    result.size = sizeof result;
    result.type = clock ? PERF_TYPE_SOFTWARE : PERF_TYPE_HARDWARE;
    result.config = clock ? static_cast<unsigned>(PERF_COUNT_SW_CPU_CLOCK)
                          : static_cast<unsigned>(PERF_COUNT_HW_CPU_CYCLES);
    result.precise_ip = precision & 3U;
    result.freq = 1;
    result.sample_freq =
        std::min(samples_in_a_second, number_in("/proc/sys/kernel/perf_event_max_sample_rate"));
    result.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
                         PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
    for (const auto each : registers_of_kernel) result.sample_regs_user |= 1ULL << each;
    result.sample_stack_user = stack_bytes;
    result.sample_id_all = 1;
    result.exclude_kernel = 1;
    result.exclude_hv = 1;
    result.inherit = 1;
    result.disabled = 1;
    result.enable_on_exec = 1;
    result.mmap = 1;
    result.comm = 1;
    result.comm_exec = 1;
    result.task = 1;
    result.watermark = 1;
    result.wakeup_watermark = buffer_bytes / 4;
    return result;
}

[[noreturn]] void refuse(int reason) {
    std::string text = fmt::format("the kernel refuses to sample: {}", std::strerror(reason));
    if (reason == EACCES || reason == EPERM)
        text += fmt::format(
            "; kernel.perf_event_paranoid is {}: root may lower it (sysctl "
            "kernel.perf_event_paranoid=2), and a container needs the capability PERFMON or a "
            "seccomp profile that allows perf_event_open. Without --sample, the program is counted",
            number_in("/proc/sys/kernel/perf_event_paranoid"));
    if (reason == ENOSYS) text += "; it is built without perf events";
    throw handles_error(text);
}

template <class T>
T take(const std::byte*& from) {
    T value;
    std::memcpy(&value, from, sizeof value);
    from += sizeof value;
    return value;
}

/// Returns false if the record is not needed.
bool read_record(const std::byte* record, const perf_event_header& header, sampled_event& to,
                 std::uint64_t& lost) {
    const std::byte* at = record + sizeof header;
    const std::byte* const end = record + header.size;
    if (header.type == PERF_RECORD_SAMPLE) {
        to.address = take<std::uint64_t>(at);
        to.process = take<std::uint32_t>(at);
        to.other = take<std::uint32_t>(at);
        to.time = take<std::uint64_t>(at);
        if (take<std::uint64_t>(at) != PERF_SAMPLE_REGS_ABI_64) return false;
        for (const std::size_t number : dwarf_numbers)
            to.registers[number] = take<std::uint64_t>(at);
        const auto size = take<std::uint64_t>(at);
        if (size == 0) return true;
        const std::byte* last = at + size;
        to.stack.assign(at, at + std::min(size, take<std::uint64_t>(last)));
        return true;
    }
    // sample_id_all appends process, thread and time.
    const std::byte* trailer = end - sizeof(std::uint64_t);
    to.time = take<std::uint64_t>(trailer);
    switch (header.type) {
        case PERF_RECORD_MMAP:
            to.what = sampled_event::kind::mapping;
            to.process = take<std::uint32_t>(at);
            take<std::uint32_t>(at);
            to.address = take<std::uint64_t>(at);
            to.length = take<std::uint64_t>(at);
            to.offset = take<std::uint64_t>(at);
            to.path = reinterpret_cast<const char*>(at);
            return true;
        case PERF_RECORD_FORK:
            to.what = sampled_event::kind::fork;
            to.process = take<std::uint32_t>(at);
            to.other = take<std::uint32_t>(at);
            return to.process != to.other;
        case PERF_RECORD_COMM:
            to.what = sampled_event::kind::exec;
            to.process = take<std::uint32_t>(at);
            return (header.misc & PERF_RECORD_MISC_COMM_EXEC) != 0;
        case PERF_RECORD_LOST:
            take<std::uint64_t>(at);
            lost += take<std::uint64_t>(at);
            return false;
        default:
            return false;
    }
}

}  // namespace

sampler::sampler(consumer to) : to_(std::move(to)) {
    // A precise event gives the address of the instruction itself. Virtual machines often have only
    // the clock.
    for (const unsigned precision : {2U, 0U}) {
        if (!open_on_each_processor(false, precision)) continue;
        event_ = "cycles";
        is_late_ = precision == 0;
        break;
    }
    if (buffers_.empty()) {
        if (!open_on_each_processor(true, 0)) refuse(errno);
        event_ = "the clock (cpu-clock), because this machine does not count cycles";
    }
    reader_ = std::thread([this] {
        std::vector<pollfd> watched{{end_.read.get(), POLLIN, 0}};
        for (const buffer& each : buffers_) watched.push_back({each.event.get(), POLLIN, 0});
        do {
            ::poll(watched.data(), watched.size(), 100);
            drain();
        } while (watched.front().revents == 0);
    });
}

sampler::~sampler() {
    if (reader_.joinable()) finish();
    for (const buffer& each : buffers_) ::munmap(each.memory, page + buffer_bytes);
}

void sampler::finish() {
    end_.write.reset();
    reader_.join();
}

/// Returns false and sets errno if the kernel does not have the event, or refuses it.
bool sampler::open_on_each_processor(bool clock, unsigned precision) {
    perf_event_attr event = attributes(clock, precision);
    const auto processors = static_cast<int>(::sysconf(_SC_NPROCESSORS_CONF));
    for (int i = 0; i < processors; ++i) {
        // One event for each processor, which children of this thread inherit. The kernel gives no
        // buffer to an inherited event on all processors.
        support::descriptor opened(static_cast<int>(
            ::syscall(SYS_perf_event_open, &event, 0, i, -1, PERF_FLAG_FD_CLOEXEC)));
        if (opened.get() < 0 && errno == ENODEV) continue;  // the processor is offline
        void* const memory = opened.get() < 0
                                 ? MAP_FAILED
                                 : ::mmap(nullptr, page + buffer_bytes, PROT_READ | PROT_WRITE,
                                          MAP_SHARED, opened.get(), 0);
        if (memory == MAP_FAILED) {
            const int reason = errno;
            for (const buffer& each : buffers_) ::munmap(each.memory, page + buffer_bytes);
            buffers_.clear();
            errno = reason;
            return false;
        }
        buffers_.push_back({std::move(opened), static_cast<std::byte*>(memory)});
    }
    return !buffers_.empty();
}

void sampler::drain() {
    std::vector<sampled_event> events;
    std::vector<std::byte> record;
    for (const buffer& each : buffers_) {
        auto& control = *reinterpret_cast<perf_event_mmap_page*>(each.memory);
        const std::byte* const data = each.memory + page;
        // acquire: this thread then sees all data that the kernel wrote before it moved the head.
        const std::uint64_t head =
            std::atomic_ref(control.data_head).load(std::memory_order_acquire);
        std::uint64_t tail = control.data_tail;
        while (tail < head) {
            // A record may continue at the start of the buffer.
            const auto copy = [&](std::size_t bytes) {
                record.resize(bytes);
                const std::size_t begin = tail % buffer_bytes;
                const std::size_t first = std::min(bytes, buffer_bytes - begin);
                std::memcpy(record.data(), data + begin, first);
                std::memcpy(record.data() + first, data, bytes - first);
            };
            perf_event_header header;
            copy(sizeof header);
            std::memcpy(&header, record.data(), sizeof header);
            copy(header.size);
            sampled_event event;
            if (read_record(record.data(), header, event, lost_))
                events.push_back(std::move(event));
            tail += header.size;
        }
        // release: the kernel may overwrite the records only after this thread has read them.
        std::atomic_ref(control.data_tail).store(tail, std::memory_order_release);
    }
    std::stable_sort(events.begin(), events.end(),
                     [](const auto& a, const auto& b) { return a.time < b.time; });
    if (!events.empty()) to_(std::move(events));
}

}  // namespace freehold
