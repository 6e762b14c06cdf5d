// SPDX-License-Identifier: BSL-1.0
// Parses a TOML document of about 0.3 MB, then looks up, clones and prints values.
#include "driver.hpp"

#include <sstream>
#include <string>

#include <cpptoml.h>

namespace {

constexpr int services = 1000;

std::string document() {
    std::string text = "title = 'measured'\n[owner]\nname = \"someone\"\nsince = 1979-05-27\n";
    for (int i = 0; i < services; ++i) {
        const std::string number = std::to_string(i);
        text += "[[service]]\nname = \"service" + number +
                "\"\nport = " + std::to_string(8000 + i) + "\nweights = [ 0.5, 1.5, " + number +
                ".25 ]\nhosts = [ \"alpha" + number + "\", \"beta\" ]\npairs = [ [ " + number +
                ", 2 ], [ 3, 4 ] ]\n[service.limits]\nmemory = " + std::to_string(64 * (i % 32)) +
                "\nburst = { soft = " + number + ", hard = 9000 }\n";
    }
    return text;
}

}  // namespace

std::uint64_t driver::workload() {
    static const std::string text = document();
    std::istringstream in(text);
    const auto root = cpptoml::parser(in).parse();
    const auto list = root->get_table_array("service");
    require(list && list->get().size() == services, "services are missing");
    std::uint64_t sum = 0;
    for (const auto& service : *list) {
        sum += static_cast<std::uint64_t>(*service->get_as<std::int64_t>("port"));
        sum += static_cast<std::uint64_t>(
            *service->get_qualified_as<std::int64_t>("limits.burst.soft"));
        const auto hosts = service->get_array_of<std::string>("hosts");
        for (const auto& host : *hosts) sum += host.size();
        const auto weights = service->get_array_of<double>("weights");
        for (const double weight : *weights) sum += static_cast<std::uint64_t>(weight);
        const auto copy = cpptoml::make_table();
        for (const auto& [key, value] : *service) copy->insert(key, value->clone());
        sum += copy->contains_qualified("limits.memory") ? 1 : 0;
    }
    std::ostringstream out;
    out << *list->get().front() << *root->get_table("owner");
    return sum + out.str().size();
}
