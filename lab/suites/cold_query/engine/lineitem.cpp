// SPDX-License-Identifier: BSL-1.0
#include "suites/cold_query/engine/lineitem.hpp"

#include "suites/cold_query/engine/checked.hpp"
#include "suites/cold_query/engine/queries.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <random>
#include <string_view>
#include <utility>

#include <arrow/api.h>
#include <arrow/io/file.h>
#include <parquet/arrow/writer.h>

namespace lab::cold_query {
namespace {

constexpr std::uint64_t seed = 19920101;
constexpr std::int64_t rows_of_the_sample = 1000;

constexpr std::array<std::string_view, 4> instructions = {"DELIVER IN PERSON", "COLLECT COD",
                                                          "NONE", "TAKE BACK RETURN"};
constexpr std::array<std::string_view, 7> modes = {"REG AIR", "AIR",  "RAIL", "SHIP",
                                                   "TRUCK",   "MAIL", "FOB"};
constexpr std::array<std::string_view, 24> words = {
    "furiously",   "carefully", "quickly",  "blithely", "slyly",   "ironic",
    "final",       "bold",      "regular",  "special",  "express", "pending",
    "packages",    "requests",  "accounts", "deposits", "foxes",   "ideas",
    "theodolites", "pinto",     "beans",    "sleep",    "haggle",  "nag"};

struct row {
    std::int64_t order, part, supplier, quantity, price, discount, tax;
    std::int32_t number, shipped, committed, received;
    std::string_view flag, status;
};

class order_lines {
public:
    row next() {
        if (left_ == 0) begin_order();
        --left_;
        row made{};
        made.order = order_;
        made.number = ++number_;
        made.part = between(1, 200'000);
        made.supplier = between(1, 10'000);
        made.quantity = between(1, 50);
        made.price = made.quantity * (90'000 + made.part / 10 % 20'001 + 100 * (made.part % 1000));
        made.discount = between(0, 10);
        made.tax = between(0, 8);
        made.shipped = date_ + day_between(1, 121);
        made.committed = date_ + day_between(30, 90);
        made.received = made.shipped + day_between(1, 30);
        made.flag = made.received > current_date ? "N" : between(0, 1) != 0 ? "R" : "A";
        made.status = made.shipped > current_date ? "O" : "F";
        return made;
    }

    template <std::size_t N>
    std::string_view one_of(const std::array<std::string_view, N>& all) {
        return all[random_() % N];
    }
    /// 10 to 43 characters, as TPC-H has it.
    std::string_view comment() {
        const auto size = static_cast<std::size_t>(between(10, 43));
        comment_.clear();
        while (comment_.size() < size) (comment_ += one_of(words)) += ' ';
        comment_.resize(size);
        return comment_;
    }

private:
    static constexpr std::int32_t current_date = day_of(1995, 6, 17);

    void begin_order() {
        ++order_;
        left_ = between(1, 7);
        number_ = 0;
        date_ = static_cast<std::int32_t>(between(day_of(1992, 1, 1), day_of(1998, 8, 2)));
    }
    // Distributions of the standard library differ between libraries.
    std::int64_t between(std::int64_t least, std::int64_t most) {
        return least +
               static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(most - least + 1));
    }
    std::int32_t day_between(std::int64_t least, std::int64_t most) {
        return static_cast<std::int32_t>(between(least, most));
    }

    std::mt19937_64 random_{seed};
    std::int64_t order_ = 0;
    std::int64_t left_ = 0;
    std::int32_t number_ = 0;
    std::int32_t date_ = 0;
    std::string comment_;
};

/// Answers the queries row by row, in plain C++.
class plain_answers {
public:
    void add(const row& one) {
        if (one.shipped >= q6_begin && one.shipped < q6_end && one.discount >= 5 &&
            one.discount <= 7 && one.quantity < 24) {
            revenue_ += one.price * one.discount;
        }
        if (one.shipped > q1_last) return;
        auto& group = groups_[{one.flag, one.status}];
        const std::int64_t reduced = one.price * (100 - one.discount);
        const std::array<std::int64_t, 6> more = {
            one.quantity, one.price, reduced, reduced * (100 + one.tax), one.discount, 1};
        for (std::size_t i = 0; i != more.size(); ++i) group[i] += more[i];
    }
    expected_results results() const {
        expected_results all;
        all.q6 = {revenue_};
        for (std::size_t i = 0; i != 6; ++i) {
            for (const auto& [key, group] : groups_) all.q1.push_back(group[i]);
        }
        return all;
    }

private:
    std::int64_t revenue_ = 0;
    std::map<std::pair<std::string_view, std::string_view>, std::array<std::int64_t, 6>> groups_;
};

const std::shared_ptr<arrow::Schema> schema = arrow::schema(
    {arrow::field("l_orderkey", arrow::int64()), arrow::field("l_partkey", arrow::int64()),
     arrow::field("l_suppkey", arrow::int64()), arrow::field("l_linenumber", arrow::int32()),
     arrow::field("l_quantity", arrow::int64()), arrow::field("l_extendedprice", arrow::int64()),
     arrow::field("l_discount", arrow::int64()), arrow::field("l_tax", arrow::int64()),
     arrow::field("l_returnflag", arrow::utf8()), arrow::field("l_linestatus", arrow::utf8()),
     arrow::field("l_shipdate", arrow::date32()), arrow::field("l_commitdate", arrow::date32()),
     arrow::field("l_receiptdate", arrow::date32()), arrow::field("l_shipinstruct", arrow::utf8()),
     arrow::field("l_shipmode", arrow::utf8()), arrow::field("l_comment", arrow::utf8())});

std::shared_ptr<arrow::RecordBatch> next_rows(order_lines& from, std::int64_t count,
                                              plain_answers* answers) {
    arrow::Int64Builder order, part, supplier, quantity, price, discount, tax;
    arrow::Int32Builder number;
    arrow::Date32Builder shipped, committed, received;
    arrow::StringBuilder flag, status, instruction, mode, comment;
    for (std::int64_t i = 0; i != count; ++i) {
        const row one = from.next();
        if (answers != nullptr) answers->add(one);
        for (const arrow::Status& added :
             {order.Append(one.order), part.Append(one.part), supplier.Append(one.supplier),
              number.Append(one.number), quantity.Append(one.quantity), price.Append(one.price),
              discount.Append(one.discount), tax.Append(one.tax), flag.Append(one.flag),
              status.Append(one.status), shipped.Append(one.shipped),
              committed.Append(one.committed), received.Append(one.received),
              instruction.Append(from.one_of(instructions)), mode.Append(from.one_of(modes)),
              comment.Append(from.comment())}) {
            check(added);
        }
    }
    arrow::ArrayVector columns;
    for (arrow::ArrayBuilder* const each : std::initializer_list<arrow::ArrayBuilder*>{
             &order, &part, &supplier, &number, &quantity, &price, &discount, &tax, &flag, &status,
             &shipped, &committed, &received, &instruction, &mode, &comment}) {
        columns.push_back(checked(each->Finish()));
    }
    return arrow::RecordBatch::Make(schema, count, std::move(columns));
}

std::shared_ptr<parquet::WriterProperties> properties_of(encoding how) {
    parquet::WriterProperties::Builder builder;
    if (how == encoding::plain) return builder.disable_dictionary()->build();
    return builder.compression(parquet::Compression::SNAPPY)->build();
}

std::uint64_t write_file(const std::filesystem::path& file, encoding how, order_lines& from,
                         int groups, std::int64_t rows_of_each, plain_answers* answers) {
    const auto out = checked(arrow::io::FileOutputStream::Open(file.string()));
    const auto writer = checked(parquet::arrow::FileWriter::Open(
        *schema, arrow::default_memory_pool(), out, properties_of(how),
        parquet::ArrowWriterProperties::Builder().store_schema()->build()));
    for (int i = 0; i != groups; ++i) {
        const auto rows =
            checked(arrow::Table::FromRecordBatches({next_rows(from, rows_of_each, answers)}));
        check(writer->WriteTable(*rows, rows_of_each));
    }
    check(writer->Close());
    check(out->Close());
    return std::filesystem::file_size(file);
}

}  // namespace

written_table write_lineitem(const std::filesystem::path& folder, std::uint64_t bytes,
                             encoding how) {
    std::filesystem::create_directories(folder);
    order_lines of_the_sample;
    write_file(folder / "sample.parquet", how, of_the_sample, 1, rows_of_the_sample, nullptr);
    written_table table;
    order_lines all;
    plain_answers answers;
    while (table.bytes < bytes) {
        table.files.push_back("lineitem." + std::to_string(table.files.size()) + ".parquet");
        table.bytes += write_file(folder / table.files.back(), how, all, groups_of_a_file,
                                  rows_of_a_group, &answers);
    }
    table.results = answers.results();
    return table;
}

}  // namespace lab::cold_query
