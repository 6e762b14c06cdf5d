// SPDX-License-Identifier: BSL-1.0
// shared_ptr: a configuration that is replaced while the program runs. Readers take a snapshot from
// a std::atomic handle, and keep it for one request. A snapshot never changes. It is destroyed when
// the last request that uses it has been answered.
#include <freehold/handle/shared_ptr.hpp>

#include "require.hpp"

#include <atomic>
#include <map>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

struct configuration {
    explicit configuration(int number)
        : version(number),
          settings{{"host", "server" + std::to_string(number)},
                   {"path", "/api/" + std::to_string(number)}} {
        ++alive;
    }
    configuration(const configuration&) = delete;
    configuration& operator=(const configuration&) = delete;
    ~configuration() { --alive; }

    const int version;
    const std::map<std::string, std::string> settings;
    static inline std::atomic<int> alive{0};
};

using snapshot = freehold::shared_ptr<const configuration>;

std::atomic<snapshot> current{freehold::make_shared<const configuration>(1)};

// Whether the settings that one request reads are consistent for its whole duration.
bool answer_request() {
    const snapshot mine = current.load();
    const std::string suffix = std::to_string(mine->version);
    return mine->settings.at("host") == "server" + suffix &&
           mine->settings.at("path") == "/api/" + suffix;
}

}  // namespace

int main() {
    std::puts("Three threads answer requests while a fourth replaces the configuration:");
    std::atomic<int> answered_wrongly{0};
    std::atomic<int> busy{3};
    std::vector<std::thread> readers;
    for (int i = 0; i < 3; ++i) {
        readers.emplace_back([&] {
            for (int request = 0; request < 5000; ++request) {
                if (!answer_request()) ++answered_wrongly;
            }
            --busy;
        });
    }
    int version = 1;
    while (busy > 0) current.store(freehold::make_shared<const configuration>(++version));
    for (std::thread& reader : readers) reader.join();
    require(answered_wrongly == 0, "every request saw one configuration from start to end");
    require(configuration::alive == 1, "and all but the last are gone");

    std::puts("A request that takes long:");
    snapshot old = current.exchange(freehold::make_shared<const configuration>(version + 1));
    require(old->version == version, "it keeps the configuration that it began with");
    const freehold::weak_ptr<const configuration> observed = old;
    old.reset();
    require(observed.expired() && configuration::alive == 1, "which is gone when it is answered");
}
