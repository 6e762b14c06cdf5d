// SPDX-License-Identifier: BSL-1.0
// Parses a Jinja script once, and renders it with data of a few hundred records.
#include "driver.hpp"

#include <string>

#include <minja/minja.hpp>

namespace {

constexpr char script[] = R"({%- macro fibonacci(n) -%}
{%- set pair = namespace(low=0, high=1) -%}
{%- for step in range(n) -%}
{%- set old = pair.low -%}{%- set pair.low = pair.high -%}{%- set pair.high = old + pair.high -%}
{%- endfor -%}{{ pair.low }}
{%- endmacro -%}
{%- macro row(order, position) -%}
{{ position }}: {{ order.customer | upper }} ({{ order.items | length }})
{%- for item in order.items if item.count > 1 %} {{ item.name }} x {{ item.count }}{% endfor -%}
{%- endmacro -%}
{%- set totals = namespace(count=0, sum=0, largest=0) -%}
{%- for order in orders -%}
  {%- for item in order.items -%}
    {%- set price = item.count * item.price -%}
    {%- set totals.sum = totals.sum + price -%}
    {%- set totals.count = totals.count + item.count -%}
    {%- if price > totals.largest -%}{%- set totals.largest = price -%}{%- endif -%}
  {%- endfor -%}
{{ row(order, loop.index) }}
{% endfor -%}
{%- set squares = namespace(values=[]) -%}
{%- for i in range(2000) -%}
  {%- set squares.values = squares.values + [i * i % 97] if i % 200 == 0 else squares.values -%}
  {%- set table = {'value': i, 'double': i * 2, 'name': 'entry ' ~ i} -%}
  {%- if table.double == 2 * table['value'] and table.name.startswith('entry') -%}.{%- endif -%}
{%- endfor -%}
{{ squares.values | unique | join(',') }} {{ orders | map(attribute='customer') | join(' ') | length }}
{%- for n in range(40) %} {{ fibonacci(n) }}{% endfor %}
{{ totals.count }} {{ totals.sum }} {{ totals.largest }})";

nlohmann::ordered_json records() {
    auto orders = nlohmann::ordered_json::array();
    for (int i = 0; i < 400; ++i) {
        auto items = nlohmann::ordered_json::array();
        for (int j = 0; j <= i % 7; ++j) {
            items.push_back({{"name", "item " + std::to_string(j)}, {"count", j}, {"price", i}});
        }
        orders.push_back({{"customer", "customer " + std::to_string(i)}, {"items", items}});
    }
    return {{"orders", orders}};
}

}  // namespace

std::uint64_t driver::workload() {
    static const nlohmann::ordered_json data = records();
    static const auto program = minja::Parser::parse(script, {});
    const std::string text = program->render(minja::Context::make(minja::Value(data)));
    require(text.find(" 63245986\n") != std::string::npos, "fibonacci(39) is wrong");
    std::uint64_t sum = text.size();
    for (const char c : text) sum = sum * 31 + static_cast<unsigned char>(c);
    return sum % 1'000'003;
}
