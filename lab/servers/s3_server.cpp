// SPDX-License-Identifier: BSL-1.0
#include "servers/s3_server.hpp"

#include "servers/s3_upload.hpp"
#include "support/process.hpp"
#include "support/programs.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <random>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace lab {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds patience{20};
constexpr int attempts = 5;  // with a free port each

// Reads its orders from descriptor 0. The server alone keeps descriptor 3 open.
constexpr const char* keeper_script = R"sh(
folder=$1; shift
"$@" </dev/null >"$folder/log" 2>&1 3>&3 &
server=$!
exec 3>&-
echo $server >"$folder/process.new" && mv "$folder/process.new" "$folder/process"
read -r order
kill $server 2>/dev/null
( sleep 5; kill -9 $server ) >/dev/null 2>&1 & late=$!
wait $server 2>/dev/null
kill $late 2>/dev/null
rm -rf -- "$folder"
)sh";

[[noreturn]] void fail(const char* call) {
    throw std::system_error(errno, std::generic_category(), call);
}

std::string random_text(std::size_t size) {
    constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    std::random_device random;
    std::string text;
    while (text.size() != size) text += letters[random() % letters.size()];
    return text;
}

sockaddr_in loopback(std::uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(port);
    return address;
}

// Returns a port on which no process listens yet.
std::uint16_t free_port() {
    const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listener < 0) fail("socket");
    sockaddr_in address = loopback(0);
    socklen_t size = sizeof address;
    const bool bound =
        bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
        getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size) == 0;
    close(listener);
    if (!bound) fail("bind");
    return ntohs(address.sin_port);
}

std::vector<std::string> lines_of(const fs::path& file) {
    std::vector<std::string> lines;
    std::ifstream stream(file);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

bool is_executable(const fs::path& file) {
    return fs::is_regular_file(file) && access(file.c_str(), X_OK) == 0;
}

std::string variable(const char* name) {
    const char* const value = std::getenv(name);
    return value == nullptr ? "" : value;
}

}  // namespace

std::optional<fs::path> find_versitygw() {
    if (const std::string named = variable("FREEHOLD_VERSITYGW"); !named.empty()) {
        if (is_executable(named)) return named;
        throw std::runtime_error("FREEHOLD_VERSITYGW names '" + named +
                                 "', which is not executable: set it to the path of versitygw");
    }
    if (auto found = support::find_program("versitygw")) return found;
    fs::path cache = variable("XDG_CACHE_HOME");
    if (cache.empty()) cache = fs::path(variable("HOME")) / ".cache";
    std::error_code none;
    std::optional<fs::path> newest;
    for (const auto& entry : fs::directory_iterator(cache / "freehold", none)) {
        const bool is_one = entry.path().filename().string().starts_with("versitygw-");
        if (is_one && is_executable(entry.path()) &&
            (!newest || entry.last_write_time() > fs::last_write_time(*newest))) {
            newest = entry.path();
        }
    }
    return newest;
}

s3_server::s3_server(const fs::path& executable, const fs::path& below)
    : access_key_(random_text(20)), secret_key_(random_text(40)) {
    for (int attempt = 1;; ++attempt) {
        folder_.emplace("s3", below);
        const std::uint16_t port = free_port();
        endpoint_ = "http://localhost:" + std::to_string(port);
        start(executable, port);
        const auto give_up = std::chrono::steady_clock::now() + patience;
        while (!has_ended() && std::chrono::steady_clock::now() < give_up) {
            if (answers()) return;
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
        const std::string said = last_words();
        const bool ended = has_ended();
        stop();
        // The server ends at once if another process has taken the port meanwhile.
        if (!ended || attempt == attempts) {
            throw std::runtime_error(executable.string() + " does not answer" +
                                     (said.empty() ? "" : ": " + said));
        }
    }
}

s3_server::~s3_server() {
    stop();
}

fs::path s3_server::file_of(std::string_view bucket, std::string_view object) const {
    return *folder_ / "data" / bucket / object;
}

std::size_t s3_server::reads_of(std::string_view object) const {
    const std::string words = " s3_GetObject " + std::string(object) + " ";
    const std::vector<std::string> lines = lines_of(*folder_ / "requests");
    return static_cast<std::size_t>(std::count_if(
        lines.begin(), lines.end(),
        [&](const std::string& line) { return line.find(words) != std::string::npos; }));
}

void s3_server::make_bucket(std::string_view bucket) const {
    s3_upload(*this).send("PUT", bucket, "", {});
}

void s3_server::put(std::string_view bucket, std::string_view object,
                    std::span<const std::byte> bytes) const {
    s3_upload(*this).send("PUT", bucket, object, bytes);
}

void s3_server::remove(std::string_view bucket, std::string_view object) const {
    s3_upload(*this).send("DELETE", bucket, object, {});
}

void s3_server::start(const fs::path& executable, std::uint16_t port) {
    fs::create_directory(*folder_ / "data");
    support::pipe_ends order;
    support::pipe_ends alive;

    const std::string port_text = std::to_string(port);
    std::vector<std::string> words = {"sh",
                                      "-c",
                                      keeper_script,
                                      "sh",
                                      folder_->path(),
                                      executable,
                                      "--port",
                                      "127.0.0.1:" + port_text,
                                      "--virtual-domain",
                                      "localhost:" + port_text,
                                      "--region",
                                      std::string(region),
                                      "--keep-alive",
                                      "--quiet",
                                      "--access-log",
                                      *folder_ / "requests",
                                      "posix",
                                      *folder_ / "data"};
    // The keys are not among the arguments, because every user of this machine can read those. The
    // keeper has its own process group: an interrupt from the terminal reaches only this process,
    // which then ends the keeper.
    keeper_ = support::start(
        {.command = std::move(words),
         .descriptors = {{order.read.get(), 0}, {alive.write.get(), 3}},
         .environment = {"ROOT_ACCESS_KEY=" + access_key_, "ROOT_SECRET_KEY=" + secret_key_,
                         "PATH=" + variable("PATH"), "HOME=" + variable("HOME")},
         .has_only_this_environment = true,
         .in = support::program_to_start::group::own});
    order_ = std::move(order.write);
    alive_ = std::move(alive.read);
    while (!fs::exists(*folder_ / "process") && !has_ended()) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    std::ifstream(*folder_ / "process") >> server_;
}

void s3_server::stop() noexcept {
    if (order_.get() >= 0) {
        // A child of this process may keep the pipe open, so closing this end would not be enough.
        static_cast<void>(!write(order_.get(), "\n", 1));
    }
    order_.reset();
    alive_.reset();
    if (keeper_ > 0) support::wait_for(keeper_);
    folder_.reset();
    keeper_ = server_ = -1;
}

// Another server that has taken the port meanwhile does not know this server's keys.
bool s3_server::answers() const {
    try {
        s3_upload(*this).send("GET", "", "", {});
        return true;
    } catch (const std::runtime_error&) {
        return false;
    }
}

bool s3_server::has_ended() const {
    pollfd end{alive_.get(), 0, 0};
    return poll(&end, 1, 0) == 1 && (end.revents & POLLHUP) != 0;
}

std::string s3_server::last_words() const {
    const std::vector<std::string> lines = lines_of(*folder_ / "log");
    return lines.empty() ? "" : lines.back();
}

}  // namespace lab
