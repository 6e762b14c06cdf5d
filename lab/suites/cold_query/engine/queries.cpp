// SPDX-License-Identifier: BSL-1.0
#include "suites/cold_query/engine/queries.hpp"

#include "suites/cold_query/engine/checked.hpp"

#include <stdexcept>
#include <utility>

#include <arrow/acero/exec_plan.h>
#include <arrow/acero/options.h>
#include <arrow/api.h>
#include <arrow/compute/api.h>
#include <arrow/dataset/api.h>
#include <arrow/dataset/file_parquet.h>
#include <parquet/properties.h>

namespace lab::cold_query {
namespace {

namespace ac = arrow::acero;
namespace cp = arrow::compute;
namespace ds = arrow::dataset;

cp::Expression column(const char* name) {
    return cp::field_ref(name);
}
cp::Expression date(std::int32_t day) {
    return cp::literal(arrow::Datum(std::make_shared<arrow::Date32Scalar>(day)));
}
cp::Expression number(std::int64_t value) {
    return cp::literal(value);
}
cp::Expression product(cp::Expression a, cp::Expression b) {
    return cp::call("multiply", {std::move(a), std::move(b)});
}
cp::Expression of_100_less(const char* name) {
    return cp::call("subtract", {number(100), column(name)});
}

/// A query: the columns that it reads, which rows it takes, what it makes of each, and the sums.
struct plan_of_a_query {
    std::vector<std::string> columns;
    cp::Expression filter;
    std::vector<std::pair<std::string, cp::Expression>> projected;
    std::vector<std::string> keys;
};

plan_of_a_query plan_q6() {
    return {{"l_quantity", "l_extendedprice", "l_discount", "l_shipdate"},
            cp::and_({cp::greater_equal(column("l_shipdate"), date(q6_begin)),
                      cp::less(column("l_shipdate"), date(q6_end)),
                      cp::greater_equal(column("l_discount"), number(5)),
                      cp::less_equal(column("l_discount"), number(7)),
                      cp::less(column("l_quantity"), number(24))}),
            {{"revenue", product(column("l_extendedprice"), column("l_discount"))}},
            {}};
}

plan_of_a_query plan_q1() {
    const cp::Expression reduced = product(column("l_extendedprice"), of_100_less("l_discount"));
    return {{"l_quantity", "l_extendedprice", "l_discount", "l_tax", "l_returnflag", "l_linestatus",
             "l_shipdate"},
            cp::less_equal(column("l_shipdate"), date(q1_last)),
            {{"quantity", column("l_quantity")},
             {"price", column("l_extendedprice")},
             {"reduced", reduced},
             {"charged", product(reduced, cp::call("add", {number(100), column("l_tax")}))},
             {"discount", column("l_discount")},
             {"count", number(1)}},
            {"l_returnflag", "l_linestatus"}};
}

plan_of_a_query plan_of(const std::string& query) {
    if (query == "q6") return plan_q6();
    if (query == "q1") return plan_q1();
    throw std::runtime_error("there is no query '" + query + "': the queries are q1 and q6");
}

std::shared_ptr<ds::Dataset> open(const std::shared_ptr<arrow::fs::FileSystem>& files,
                                  const std::vector<std::string>& paths) {
    const auto factory = checked(ds::FileSystemDatasetFactory::Make(
        files, paths, std::make_shared<ds::ParquetFileFormat>(), {}));
    return checked(factory->Finish());
}

std::shared_ptr<ds::ScanOptions> scan_options(const plan_of_a_query& plan,
                                              const query_settings& settings,
                                              const std::shared_ptr<ds::Dataset>& table) {
    ds::ScannerBuilder builder(table);
    check(builder.Project(plan.columns));
    check(builder.Filter(plan.filter));
    check(builder.UseThreads(settings.on_all_threads));
    const auto parquet = std::make_shared<ds::ParquetFragmentScanOptions>();
    parquet->arrow_reader_properties->set_pre_buffer(settings.pre_buffer);
    check(builder.FragmentScanOptions(parquet));
    return checked(builder.GetScanOptions());
}

ac::Declaration declare(const plan_of_a_query& plan, std::shared_ptr<ds::Dataset> table,
                        std::shared_ptr<ds::ScanOptions> options) {
    std::vector<cp::Expression> projected;
    std::vector<std::string> names;
    std::vector<cp::Aggregate> sums;
    for (const auto& [name, what] : plan.projected) {
        projected.push_back(what);
        names.push_back(name);
        sums.push_back(
            {plan.keys.empty() ? "sum" : "hash_sum", nullptr, arrow::FieldRef(name), name});
    }
    std::vector<arrow::FieldRef> keys;
    std::vector<cp::SortKey> order;
    for (const std::string& key : plan.keys) {
        projected.push_back(cp::field_ref(key));
        names.push_back(key);
        keys.emplace_back(key);
        order.emplace_back(key);
    }
    std::vector<ac::Declaration> steps = {
        {"scan", ds::ScanNodeOptions{std::move(table), std::move(options)}},
        {"filter", ac::FilterNodeOptions(plan.filter)},
        {"project", ac::ProjectNodeOptions(std::move(projected), std::move(names))},
        {"aggregate", ac::AggregateNodeOptions(std::move(sums), std::move(keys))}};
    if (!order.empty()) {
        steps.emplace_back("order_by", ac::OrderByNodeOptions(cp::Ordering(std::move(order))));
    }
    return ac::Declaration::Sequence(std::move(steps));
}

}  // namespace

std::vector<std::int64_t> answer(const query_settings& settings,
                                 const std::shared_ptr<arrow::fs::FileSystem>& files,
                                 const std::vector<std::string>& paths) {
    const plan_of_a_query plan = plan_of(settings.query);
    const std::shared_ptr<ds::Dataset> table = open(files, paths);
    const auto result = checked(ac::DeclarationToTable(
        declare(plan, table, scan_options(plan, settings, table)), settings.on_all_threads));
    std::vector<std::int64_t> numbers;
    for (const auto& each : plan.projected) {
        for (const auto& chunk : result->GetColumnByName(each.first)->chunks()) {
            const auto& values = static_cast<const arrow::Int64Array&>(*chunk);
            for (std::int64_t i = 0; i != values.length(); ++i) numbers.push_back(values.Value(i));
        }
    }
    return numbers;
}

}  // namespace lab::cold_query
