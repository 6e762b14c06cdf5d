// SPDX-License-Identifier: BSL-1.0
// Parses a YAML document of about 0.8 MB, walks its tree twice, changes it, and emits a part of it.
#include "driver.hpp"

#include <string>

#include <yaml-cpp/yaml.h>

namespace {

std::string document() {
    std::string text =
        "defaults: &defaults {retries: 3, timeout: 30, hosts: [alpha, beta]}\nservices:\n";
    for (int i = 0; i < 3000; ++i) {
        const std::string number = std::to_string(i);
        text += "  - name: service" + number +
                "\n    <<: *defaults\n    port: " + std::to_string(8000 + i) +
                "\n    labels: {team: team" + std::to_string(i % 17) + ", tier: \"" +
                std::to_string(i % 3) + "\", owner: 'someone " + number +
                "'}\n    paths:\n      - /srv/" + number + "/data\n      - /srv/" + number +
                "/logs\n    limits: {memory: " + std::to_string(64 * (i % 32)) +
                ", cores: 0.5, burst: [1, 2, 4, 8]}\n";
    }
    return text;
}

std::uint64_t walk(const YAML::Node& node) {
    std::uint64_t sum = 1;
    if (node.IsScalar()) return sum + node.Scalar().size();
    if (node.IsMap()) {
        for (const auto& entry : node) sum += walk(entry.first) + walk(entry.second);
    } else if (node.IsSequence()) {
        for (const auto& element : node) sum += walk(element);
    }
    return sum;
}

}  // namespace

std::uint64_t driver::workload() {
    static const std::string text = document();
    YAML::Node root = YAML::Load(text);
    std::uint64_t sum = walk(root);
    YAML::Node services = root["services"];
    require(services.size() == 3000, "services are missing");
    for (std::size_t i = 0; i < services.size(); i += 3) {
        YAML::Node service = services[i];
        sum += service["port"].as<unsigned>() + service["labels"]["team"].as<std::string>().size();
        service["port"] = 80;
        service["paths"].push_back("/tmp");
        service["limits"].remove("burst");
    }
    sum += walk(root);
    YAML::Emitter out;
    for (std::size_t i = 0; i < 200; ++i) out << services[i];
    return sum + out.size();
}
