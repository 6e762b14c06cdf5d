// SPDX-License-Identifier: BSL-1.0
// atomic_arc: a configuration that one thread replaces while others serve. A request takes a
// snapshot, which counts nothing, and keeps it until it is answered. A configuration never changes.
// It is destroyed when the last request that uses it has been answered.
#include <freehold/handle/atomic_arc.hpp>

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

freehold::atomic_arc<const configuration> current(freehold::make_arc<const configuration>(1));

// Whether the settings that one request reads are consistent for its whole duration.
bool answer_request() {
    const auto mine = current.snapshot();
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
    while (busy > 0) {
        current.update([](const auto& now) {
            return freehold::make_arc<const configuration>(now->version + 1);
        });
    }
    for (std::thread& reader : readers) reader.join();
    require(answered_wrongly == 0, "every request saw one configuration from start to end");
    require(configuration::alive == 1, "and all but the last are gone");

    std::puts("A request that takes long:");
    auto old = current.snapshot();
    const int version = old->version;
    current.store(freehold::make_arc<const configuration>(version + 1));
    require(old->version == version, "it keeps the configuration that it began with");
    const freehold::arc<const configuration> kept = std::move(old);
    require(kept.unique(), "which may be kept for longer, as an owner");
    require(configuration::alive == 2 && current.load()->version == version + 1,
            "while others already have the next");
}
