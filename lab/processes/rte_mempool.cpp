// SPDX-License-Identifier: BSL-1.0
// The process `rte_mempool, RTE_MEMPOOL_HANDLER`. It starts DPDK's environment without huge pages,
// devices or root, and has the cells with the common pool that DPDK calls RTE_MEMPOOL_OPS.
#include "processes/host.hpp"
#include "processes/packets_cells.hpp"
#include "processes/rte_mempool_source.hpp"
#include "suites/common/thread_processors.hpp"
#include "suites/packets/lanes.hpp"
#include "suites/packets/packet.hpp"

#include <cstddef>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_mempool.h>
#include <rte_version.h>
#include <unistd.h>

namespace lab::packets {
namespace {

/// Returns the megabytes of the largest pool: its objects, and the memory between and beside them.
std::size_t megabytes() {
    constexpr std::size_t each = shared_block_bytes + 512;
    constexpr std::size_t caches = 16;
    return caches + capacity_of(several_pairs()) * each / 1000000;
}

/// During its life, output to standard output goes to standard error. If DPDK does not know an
/// option, it prints its usage to standard output.
class quiet_output {
public:
    quiet_output() : output_(dup(STDOUT_FILENO)) { dup2(STDERR_FILENO, STDOUT_FILENO); }
    ~quiet_output() {
        std::fflush(stdout);
        dup2(output_, STDOUT_FILENO);
        close(output_);
    }
    quiet_output(const quiet_output&) = delete;
    quiet_output& operator=(const quiet_output&) = delete;

private:
    const int output_;
};

/// Makes this thread DPDK's main one. DPDK binds it to a processor. That is undone, because the
/// kernels of the suites choose the processors.
bool start_dpdk() {
    const quiet_output quiet;
    const std::vector<int> usable = usable_processors();
    const int first = usable.empty() ? 0 : usable.front();
    const kept_on_processor undone(first);
    std::vector<std::string> words = {"freehold-lab",
                                      "--no-huge",
                                      "--no-pci",
                                      "--no-shconf",
                                      "--no-telemetry",
                                      "--log-level=3",
                                      "-m",
                                      std::to_string(megabytes()),
                                      "--lcores",
                                      "0@" + std::to_string(first)};
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    return rte_eal_init(static_cast<int>(arguments.size()), arguments.data()) >= 0;
}

/// Returns the reason why the cells cannot be measured with DPDK's environment, or an empty string.
std::string why_not() try {
    rte_mempool_source<packet_bytes> source(2 * RTE_MEMPOOL_CACHE_MAX_SIZE);
    source.deallocate(source.allocate());
    if (source.cached_here() == 0) return "DPDK gives this thread no cache";
    return "";
} catch (const std::exception& error) {
    return error.what();
}

std::string version() {
    const std::string text = rte_version();  // such as DPDK 22.11.11
    return text.substr(text.find(' ') + 1);
}

hosted_process start(process_kind kind, const std::vector<std::string>&) {
    const identity is = {.name = "rte_mempool, " RTE_MEMPOOL_HANDLER,
                         .family = family::allocator,
                         .order = RTE_MEMPOOL_ORDER};
    hosted_process process;
    if (kind == process_kind::single) {  // DPDK starts threads, so `single` has no cells
        process.subjects = with_handles(is, version(), "");
        return process;
    }
    const std::string missing =
        start_dpdk() ? why_not() : std::string("DPDK does not start: ") + rte_strerror(rte_errno);
    process.subjects = with_handles(is, version(), missing);
    process.cells = cells_of<rte_mempool_source>(process.subjects);
    return process;
}

}  // namespace
}  // namespace lab::packets

int main(int argc, char** argv) {
    return lab::host(argc, argv, LAB_PROCESS_FLAGS, lab::packets::start);
}
