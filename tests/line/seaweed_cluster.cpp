// SPDX-License-Identifier: BSL-1.0
#include "line/seaweed_cluster.hpp"

#include "servers/s3_upload.hpp"
#include "support/descriptor.hpp"
#include "support/process.hpp"
#include "support/programs.hpp"

#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <initializer_list>
#include <random>
#include <stdexcept>
#include <thread>
#include <utility>

#include <fcntl.h>

namespace freehold::testing_support {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds patience{60};

/// SeaweedFS also takes the port 10000 above. Both are below those that the system gives to
/// clients.
std::uint16_t random_port() {
    std::random_device random;
    return static_cast<std::uint16_t>(10'000 + random() % 10'000);
}

std::string address_of(std::size_t node) {
    return "127.0.0." + std::to_string(node + 1);
}

void end(pid_t& process) {
    if (process <= 0) return;
    ::kill(process, SIGKILL);  // also ends one that is stopped
    support::wait_for(process);
    process = -1;
}

}  // namespace

std::optional<fs::path> find_weed() {
    if (const char* const named = std::getenv("FREEHOLD_WEED"); named != nullptr && *named != 0) {
        return named;
    }
    return support::find_program("weed");
}

seaweed_cluster::seaweed_cluster(fs::path weed)
    : weed_(std::move(weed)), master_port_(random_port()), volume_port_(random_port()) {
    master_ = run("master", {"master", "-ip=127.0.0.1", "-port=" + std::to_string(master_port_),
                             "-mdir=" + (folder_ / "master").string(), "-defaultReplication=001",
                             "-volumeSizeLimitMB=64"});
    for (std::size_t node = 0; node != nodes; ++node) start(node);
    const std::uint16_t filer_port = random_port();
    const std::uint16_t s3_port = random_port();
    gateway_ =
        run("filer", {"filer", "-ip=127.0.0.1", "-port=" + std::to_string(filer_port),
                      "-master=127.0.0.1:" + std::to_string(master_port_),
                      "-defaultStoreDir=" + (folder_ / "filer").string(), "-s3",
                      "-s3.port=" + std::to_string(s3_port), "-defaultReplicaPlacement=001"});
    endpoint_ = "http://127.0.0.1:" + std::to_string(s3_port);
    wait_until_it_takes_objects();
}

seaweed_cluster::~seaweed_cluster() {
    end(gateway_);
    for (pid_t& each : volumes_) end(each);
    end(master_);
}

void seaweed_cluster::kill(std::size_t node) {
    end(volumes_.at(node));
}

void seaweed_cluster::start(std::size_t node) {
    const std::string name = "volume" + std::to_string(node);
    volumes_.at(node) =
        run(name, {"volume", "-ip=" + address_of(node), "-port=" + std::to_string(volume_port_),
                   "-dir=" + (folder_ / name).string(), "-max=30",
                   "-mserver=127.0.0.1:" + std::to_string(master_port_)});
}

void seaweed_cluster::stop(std::size_t node) {
    ::kill(volumes_.at(node), SIGSTOP);
}

void seaweed_cluster::go_on(std::size_t node) {
    ::kill(volumes_.at(node), SIGCONT);
}

pid_t seaweed_cluster::run(const std::string& name, std::vector<std::string> words) {
    fs::create_directories(folder_ / name);
    const support::descriptor log(
        open((folder_ / (name + ".log")).c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
    const support::descriptor nothing(support::null_device());
    words.insert(words.begin(), {weed_.string(), "-logtostderr=true"});
    return support::start({.command = std::move(words),
                           .descriptors = {{nothing.get(), 0}, {log.get(), 1}, {log.get(), 2}},
                           .in = support::program_to_start::group::own,
                           .ends_with_parent = true});
}

std::string seaweed_cluster::last_words(const std::string& name) const {
    std::ifstream log(folder_ / (name + ".log"));
    std::string last;
    for (std::string line; std::getline(log, line);) last = line;
    return last;
}

void seaweed_cluster::wait_until_it_takes_objects() {
    const auto deadline = std::chrono::steady_clock::now() + patience;
    const std::byte one{1};
    while (true) {
        try {
            lab::s3_upload upload(endpoint_, "made-up", "made-up");
            upload.send("PUT", "lines", "", {});
            upload.send("PUT", "lines", "first", {&one, 1});
            return;
        } catch (const std::runtime_error& error) {
            if (std::chrono::steady_clock::now() > deadline) {
                throw std::runtime_error(std::string("the cluster takes no object: ") +
                                         error.what() + "; " + last_words("filer") + "; " +
                                         last_words("master"));
            }
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
    }
}

}  // namespace freehold::testing_support
