// SPDX-License-Identifier: BSL-1.0
#include "servers/s3_server.hpp"

#include "servers/s3_upload.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <random>
#include <sstream>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <vector>

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace lab {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds patience{20};
constexpr int attempts = 5;  // at a port that is free

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

fs::path new_folder(const fs::path& below) {
    std::string name = ((below.empty() ? fs::temp_directory_path() : below) / "freehold-s3-XXXXXX");
    if (mkdtemp(name.data()) == nullptr) fail("mkdtemp");
    return name;
}

sockaddr_in loopback(std::uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(port);
    return address;
}

// One that nobody listens on, as yet.
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
                                 "', which is no executable: set it to the path of versitygw");
    }
    std::istringstream folders(variable("PATH"));
    for (std::string folder; std::getline(folders, folder, ':');) {
        if (is_executable(fs::path(folder) / "versitygw")) return fs::path(folder) / "versitygw";
    }
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
        folder_ = new_folder(below);
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
        // It ends at once if another process has taken the port meanwhile.
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
    return folder_ / "data" / bucket / object;
}

std::size_t s3_server::reads_of(std::string_view object) const {
    const std::string words = " s3_GetObject " + std::string(object) + " ";
    const std::vector<std::string> lines = lines_of(folder_ / "requests");
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
    fs::create_directory(folder_ / "data");
    std::array<int, 2> order{};
    std::array<int, 2> alive{};
    if (pipe2(order.data(), O_CLOEXEC) != 0) fail("pipe");
    if (pipe2(alive.data(), O_CLOEXEC) != 0) fail("pipe");

    const std::string port_text = std::to_string(port);
    std::vector<std::string> words = {"sh",
                                      "-c",
                                      keeper_script,
                                      "sh",
                                      folder_,
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
                                      folder_ / "requests",
                                      "posix",
                                      folder_ / "data"};
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);

    // The keys are not among the arguments, which every user of this machine can read.
    std::vector<std::string> settings = {"ROOT_ACCESS_KEY=" + access_key_,
                                         "ROOT_SECRET_KEY=" + secret_key_,
                                         "PATH=" + variable("PATH"), "HOME=" + variable("HOME")};
    std::vector<char*> environment;
    for (std::string& setting : settings) environment.push_back(setting.data());
    environment.push_back(nullptr);

    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, order[0], 0);
    posix_spawn_file_actions_adddup2(&files, alive[1], 3);
    // A group of its own: an interrupt from the terminal is for this process, which ends it then.
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    const int failure =
        posix_spawnp(&keeper_, "sh", &files, &attributes, arguments.data(), environment.data());
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    close(order[0]);
    close(alive[1]);
    order_ = order[1];
    alive_ = alive[0];
    if (failure != 0) {
        keeper_ = -1;
        stop();
        throw std::system_error(failure, std::generic_category(), "sh");
    }
    while (!fs::exists(folder_ / "process") && !has_ended()) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    std::ifstream(folder_ / "process") >> server_;
}

void s3_server::stop() noexcept {
    if (order_ >= 0) {
        // Also where a child of this process has the pipe open, so that closing it says nothing.
        static_cast<void>(!write(order_, "\n", 1));
        close(order_);
    }
    if (alive_ >= 0) close(alive_);
    order_ = alive_ = -1;
    if (keeper_ > 0) {
        while (waitpid(keeper_, nullptr, 0) < 0 && errno == EINTR) {
        }
    } else {
        std::error_code ignored;
        fs::remove_all(folder_, ignored);
    }
    keeper_ = server_ = -1;
}

// Another server that has taken the port meanwhile knows other keys.
bool s3_server::answers() const {
    try {
        s3_upload(*this).send("GET", "", "", {});
        return true;
    } catch (const std::runtime_error&) {
        return false;
    }
}

bool s3_server::has_ended() const {
    pollfd end{alive_, 0, 0};
    return poll(&end, 1, 0) == 1 && (end.revents & POLLHUP) != 0;
}

std::string s3_server::last_words() const {
    const std::vector<std::string> lines = lines_of(folder_ / "log");
    return lines.empty() ? "" : lines.back();
}

}  // namespace lab
