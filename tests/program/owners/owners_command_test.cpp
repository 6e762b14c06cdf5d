// SPDX-License-Identifier: BSL-1.0
// `freehold owners` as a user runs it, over programs of which it is known what is alive and what
// leaks. Skipped where ptrace is not permitted, or elfutils is missing.
#include "looked_at_program.hpp"

#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include <elf.h>
#include <sys/ptrace.h>

namespace freehold::owners_command_test {
namespace {

using testing::HasSubstr;
using testing::Not;

class owners : public looked_at_program {
protected:
    // family.cpp, at its end and before it.
    static numbers_by_type family(bool is_at_end) {
        numbers_by_type result = {{"tree", {1000, 1000, 0, 3000, 1000}},
                                  {"child", {3000, 3000, 0, 3000, 0}},
                                  {"session", {200, 200, 0, 200, 200}},
                                  {"healthy_tree", {500, 0, 0, 500, 1000}},
                                  {"healthy_child", {1000, 0, 0, 1000, 0}}};
        if (!is_at_end) result["entry"] = {50, 0, 0, 50, 0};
        return result;
    }

    static void expect_rings_of_family(const json& found) {
        ASSERT_EQ(found.at("cycles").size(), 2U) << found.dump(1);
        const json& trees = found.at("cycles").at(0);
        EXPECT_EQ(trees.at("instances"), 1000);
        ASSERT_EQ(trees.at("path").size(), 2U);
        EXPECT_EQ(trees.at("path").at(0).at("type"), "tree");
        EXPECT_EQ(trees.at("path").at(0).at("member"), "children");
        EXPECT_EQ(trees.at("path").at(1).at("type"), "child");
        EXPECT_EQ(trees.at("path").at(1).at("member"), "parent");
        EXPECT_EQ(trees.at("weaken").at("member"), "parent");
        const json& sessions = found.at("cycles").at(1);
        EXPECT_EQ(sessions.at("instances"), 200);
        ASSERT_EQ(sessions.at("path").size(), 1U);
        EXPECT_EQ(sessions.at("path").at(0).at("type"), "session");
        EXPECT_EQ(sessions.at("path").at(0).at("member"), "on_close.self");
        // The trees keep their names and the vectors alive, too.
        EXPECT_GT(trees.at("retained"), trees.at("bytes"));
    }

    void expect_family(const std::vector<std::string>& flags, const std::string& compiler,
                       const std::vector<std::string>& libraries = {}) {
        const fs::path program = compiled("family", flags, compiler, libraries);
        for (const char* const threads : {"one", "threads"}) {
            SCOPED_TRACE(threads);
            const json at_end = found_at_end({program.string(), "at_end", threads});
            EXPECT_EQ(numbers_in(at_end), family(true));
            expect_rings_of_family(at_end);
            EXPECT_EQ(end_.output, "built\nends\n");

            waiting_program waits({program.string(), "wait", threads});
            waits.read_until("built");
            const json running = found_in(waits.id());
            EXPECT_EQ(numbers_in(running), family(false));
            expect_rings_of_family(running);
            EXPECT_EQ(waits.finish(), 0);
        }
    }
};

TEST_F(owners, of_families_are_told_exactly) {
    for (const char* const level : {"-O0", "-O2"}) {
        SCOPED_TRACE(level);
        expect_family({level, "-g"}, FREEHOLD_COMPILER);
    }
}

TEST_F(owners, of_families_are_told_exactly_with_the_second_compiler) {
    if (*FREEHOLD_CLANG == '\0') return tests::skip_without("clang", "clang++ is not installed");
    for (const char* const level : {"-O0", "-O2"}) {
        SCOPED_TRACE(level);
        expect_family({level, "-g"}, FREEHOLD_CLANG);
    }
}

TEST_F(owners, of_a_static_program_are_told_exactly) {
    expect_family({"-O2", "-g", "-static"}, FREEHOLD_COMPILER);
}

TEST_F(owners, of_a_program_optimised_as_a_whole_are_told_exactly) {
    expect_family({"-O2", "-g", "-flto"}, FREEHOLD_COMPILER);
}

TEST_F(owners, of_freeholds_handles_are_told_exactly) {
    expect_family({"-O2", "-g", "-std=c++20", "-DHANDLES=freehold",
                   "-DHEADER=<freehold/handle/shared_ptr.hpp>", "-I" FREEHOLD_INCLUDE},
                  FREEHOLD_COMPILER, {FREEHOLD_CORE});
}

TEST_F(owners, of_boosts_handles_are_told_exactly) {
    if (!fs::exists("/usr/include/boost/smart_ptr.hpp"))
        return tests::skip_without("boost", "Boost is not installed");
    expect_family({"-O2", "-g", "-DHANDLES=boost", "-DHEADER=<boost/smart_ptr.hpp>"},
                  FREEHOLD_COMPILER);
}

TEST_F(owners, of_qts_handles_are_told_exactly) {
    const std::vector<std::string> flags = {"-g",
                                            "-std=c++17",
                                            "-fPIC",
                                            "-DHANDLES=qt",
                                            "-DHEADER=\"qt_handles.hpp\"",
                                            "-I" FREEHOLD_OWNERS_CASES};
    const auto with = [&flags](std::vector<std::string> more) {
        more.insert(more.end(), flags.begin(), flags.end());
        return more;
    };
    // Rebuilt ones, and those of Qt itself where it is installed.
    expect_family(with({"-O0"}), FREEHOLD_COMPILER);
    if (*FREEHOLD_CLANG != '\0') expect_family(with({"-O2"}), FREEHOLD_CLANG);
    const std::string headers = "/usr/include/x86_64-linux-gnu/qt5";
    if (!fs::exists(headers + "/QtCore/QSharedPointer")) return;
    expect_family(with({"-O2", "-I" + headers, "-I" + headers + "/QtCore"}), FREEHOLD_COMPILER,
                  {"-lQt5Core"});
}

TEST_F(owners, of_the_second_library_are_told_exactly) {
    if (*FREEHOLD_CLANG == '\0' || *FREEHOLD_LIBCXX == '\0')
        return tests::skip_without("libcxx", "libc++ is not installed");
    expect_family({"-O2", "-g", "-stdlib=libc++"}, FREEHOLD_CLANG);
}

TEST_F(owners, are_read_from_a_core) {
    if (!support::find_program("gcore"))
        return tests::skip_without("gdb", "gcore is not installed");
    const fs::path program = compiled("family", {"-O2", "-g"});
    waiting_program waits({program.string(), "wait", "threads"});
    waits.read_until("built");
    const json found = found_in_core_of(waits.id());
    EXPECT_EQ(numbers_in(found), family(false));
    expect_rings_of_family(found);
}

TEST_F(owners, without_debug_information_are_never_called_leaked_wrongly) {
    const fs::path program = compiled("family", {"-O2"});
    const json found = found_at_end({program.string()});
    numbers_by_type numbers = numbers_in(found);
    for (auto& [type, each] : family(true)) {
        EXPECT_EQ(numbers[type].alive, each.alive) << type;
        EXPECT_LE(numbers[type].leaked, each.leaked) << type;
    }
    EXPECT_THAT(found.at("incomplete").dump(), HasSubstr("debug information"));
}

TEST_F(owners, whose_handle_was_overwritten_are_lost) {
    const json found = found_at_end({compiled("lost", {"-O1", "-g"}).string()});
    const numbers_by_type expected = {
        {"overwritten", {7, 0, 7, 7, 0}}, {"owned", {4, 4, 0, 4, 0}}, {"healthy", {2, 0, 0, 2, 0}}};
    EXPECT_EQ(numbers_in(found), expected);
}

TEST_F(owners, on_stacks_and_in_variables_of_threads_are_reachable) {
    for (const char* const level : {"-O0", "-O2"}) {
        SCOPED_TRACE(level);
        waiting_program waits({compiled("threads", {level, "-g"}).string()});
        waits.read_until("built");
        const numbers_by_type expected = {{"ring", {360, 360, 0, 360, 0}},
                                          {"on_stack", {88, 0, 0, 88, 0}},
                                          {"in_thread", {8, 0, 0, 8, 0}}};
        EXPECT_EQ(numbers_in(found_in(waits.id())), expected);
        // It is unharmed.
        EXPECT_EQ(waits.finish(), 0);
    }
}

TEST_F(owners, of_a_process_are_unharmed_if_freehold_is_killed) {
    waiting_program waits({compiled("threads", {"-O2", "-g"}).string()});
    waits.read_until("built");
    for (int i = 0; i != 20; ++i) {
        program_run looks({"owners", std::to_string(waits.id())});
        ::usleep(static_cast<useconds_t>(1000 * i));
        looks.send(SIGKILL);
        looks.wait();
    }
    EXPECT_EQ(waits.finish(), 0);
}

TEST_F(owners, that_are_held_in_hidden_ways_are_reachable) {
    for (const char* const level : {"-O0", "-O2"}) {
        SCOPED_TRACE(level);
        waiting_program waits({compiled("hidden", {level, "-g"}).string()});
        waits.read_until("built");
        // What the part of the ring keeps leaks, too. But its memory is that of all parts.
        const numbers_by_type expected = {{"pooled", {10, 3, 0, 10, 0}},
                                          {"holder_of_part", {1, 1, 0, 1, 0}},
                                          {"kept", {7, 0, 0, 7, 0}},
                                          {"session", {1, 0, 0, 1, 0}},
                                          {"tagged", {1, 0, 0, 1, 0}}};
        EXPECT_EQ(numbers_in(found_in(waits.id())), expected);
        EXPECT_EQ(waits.finish(), 0);
    }
}

TEST_F(owners, of_objects_that_count_themselves_are_told_exactly) {
    const numbers_by_type expected = {
        {"node", {200, 200, 0, 200, 0}},
        {"whole", {40, 20, 0, 60, 0}},
        {"pair_half", {60, 60, 0, 60, 0}},
        {"watcher", {30, 30, 0, 30, 0}},
        {"published", {30, 30, 0, 30, 0}},
        {"owner_of_plain", {30, 30, 0, 30, 0}},
        {"(no destructor, in a block of 48 bytes)", {31, 30, 0, 31, 0}},
        {"twin", {20, 20, 0, 30, 0}},
        {"twins_owner", {10, 10, 0, 10, 0}},
        {"its_like or twin", {10, 10, 0, 10, 0}},
        {"in_both", {10, 10, 0, 10, 0}},
        {"element[]", {11, 10, 0, 12, 0}},
        {"large_element[]", {10, 10, 0, 20, 0}},
        {"linked", {15, 15, 0, 30, 0}},
        {"linked_leaf", {46, 45, 0, 62, 0}},
        {"float[]", {1, 0, 0, 1, 0}},
        {"plain_counted", {1, 0, 0, 1, 0}},
        {"shared_out", {11, 10, 0, 11, 0}}};
    for (const char* const level : {"-O0", "-O2"}) {
        SCOPED_TRACE(level);
        const fs::path program =
            compiled("counted", {level, "-g", "-std=c++20", "-I" FREEHOLD_INCLUDE},
                     FREEHOLD_COMPILER, {FREEHOLD_CORE});
        waiting_program waits({program.string()});
        waits.read_until("built");
        const json found = found_in(waits.id());
        EXPECT_EQ(numbers_in(found), expected);
        EXPECT_EQ(waits.finish(), 0);
        const std::string incomplete = found.at("incomplete").dump();
        for (const char* const each : {"seem to own 1 objects", "1 objects are shared out"})
            EXPECT_THAT(incomplete, HasSubstr(each));
    }
}

TEST_F(owners, of_blocks_that_pools_have_back_are_none) {
    std::vector<std::pair<std::string, std::string>> builds = {{FREEHOLD_COMPILER, "-O2"},
                                                               {FREEHOLD_CLANG, "-O0"}};
    for (const auto& [compiler, level] : builds) {
        if (compiler.empty()) continue;
        SCOPED_TRACE(compiler + " " + level);
        waiting_program waits(
            {compiled("pooled", {level, "-g", "-std=c++20", "-I" FREEHOLD_INCLUDE}, compiler,
                      {FREEHOLD_CORE})
                 .string()});
        waits.read_until("built");
        const numbers_by_type expected = {{"counted", {10, 0, 0, 10, 0}},
                                          {"pointed_at", {10, 0, 0, 10, 0}}};
        EXPECT_EQ(numbers_in(found_in(waits.id())), expected);
        EXPECT_EQ(waits.finish(), 0);
    }
}

TEST_F(owners, of_boosts_objects_that_count_themselves_are_told_exactly) {
    if (!fs::exists("/usr/include/boost/smart_ptr.hpp"))
        return tests::skip_without("boost", "Boost is not installed");
    waiting_program waits({compiled("counted", {"-O2", "-g", "-DBOOST"}).string()});
    waits.read_until("built");
    const json found = found_in(waits.id());
    const numbers_by_type expected = {{"node", {200, 200, 0, 200, 0}},
                                      {"whole", {40, 20, 0, 60, 0}}};
    EXPECT_EQ(numbers_in(found), expected);
    EXPECT_EQ(found.at("cycles").size(), 2U) << found.dump(1);
}

TEST_F(owners, are_named_by_who) {
    const fs::path program = compiled("family", {"-O0", "-g"});
    const json children = found_by({"--who", "child"}, {program.string()}).at("who");
    EXPECT_EQ(children.at("objects"), 3000);
    EXPECT_EQ(children.at("holders").at(0).at("holder"), "tree::children");
    EXPECT_EQ(children.at("holders").at(0).at("owners"), 3000);
    EXPECT_TRUE(children.at("path").empty());

    waiting_program waits({program.string(), "wait"});
    waits.read_until("built");
    const json entries = found_by({std::to_string(waits.id()), "--who", "entry"}).at("who");
    ASSERT_FALSE(entries.at("path").empty());
    EXPECT_THAT(entries.at("path").at(0).get<std::string>(), HasSubstr("table"));
    EXPECT_THAT(complaint({std::to_string(waits.id()), "--who", "no_such_type"}),
                HasSubstr("no_such_type"));
    EXPECT_THAT(complaint({std::to_string(waits.id()), "--who", "0x10"}), HasSubstr("0x10"));
}

TEST_F(owners, are_shown_on_a_page) {
    const fs::path page = folder_.path() / "owners.html";
    found_by({"-o", page.string()}, {compiled("family", {"-O2", "-g"}).string()});
    std::ifstream file(page);
    const std::string text(std::istreambuf_iterator<char>(file), {});
    for (const char* const each :
         {"\"kind\":\"rings\"", "child::parent", "on_close.self", "healthy_tree", "\"weaken\":true",
          // Rows open the way around, and the way to an object.
          R"(-> child::parent  (family.cpp:22)\n-> tree\n)", R"(\n-> healthy_tree at 0x)"})
        EXPECT_THAT(text, HasSubstr(each));
    EXPECT_THAT(complaint({"-o", (folder_.path() / "no_folder" / "x.html").string(), "1"}),
                HasSubstr("no_folder"));
    EXPECT_THAT(complaint({"-o", page.string(), "--json", page.string(), "1"}),
                HasSubstr("same file"));
}

TEST_F(owners, that_grow_are_told_by_several_looks) {
    const fs::path program = compiled("growing", {"-O2", "-g"});
    {
        waiting_program grows({program.string()});
        grows.read_until("built");
        const json found = found_by({std::to_string(grows.id()), "--every", "0.2", "--looks", "4"});
        const json& growth = found.at("growth");
        EXPECT_EQ(growth.at("seconds").size(), 4U);
        ASSERT_FALSE(growth.at("types").empty());
        EXPECT_EQ(growth.at("types").at(0).at("type"), "cached");
        EXPECT_EQ(growth.at("types").at(0).at("only_rises"), true);
        EXPECT_EQ(growth.at("types").at(0).at("alive").size(), 4U);
        for (const json& each : growth.at("types")) EXPECT_NE(each.at("type"), "kept");
        EXPECT_EQ(grows.finish(), 0);
    }
    // It ends between two looks.
    waiting_program ends({program.string()});
    ends.read_until("built");
    const std::string number = std::to_string(ends.id());
    std::thread later([&ends] {
        std::this_thread::sleep_for(std::chrono::milliseconds(700));
        ends.finish();
    });
    const json found = found_by({number, "--every", "1.5", "--looks", "9"});
    later.join();
    EXPECT_EQ(found.at("growth").at("seconds").size(), 1U);
    EXPECT_THAT(found.at("incomplete").dump(), HasSubstr("only 1 of 9 looks"));
    EXPECT_THAT(complaint({"--every", "1", "--", "/bin/true"}), HasSubstr("--every"));
}

TEST_F(owners, of_two_looks_are_compared) {
    const fs::path program = compiled("family", {"-O2", "-g"});
    waiting_program waits({program.string(), "wait"});
    waits.read_until("built");
    const auto saved = [this](const char* name, const json& found) {
        return folder_.write(name, found.dump()).string();
    };
    const json found = found_in(waits.id());
    json less = found;
    for (json& each : less.at("types"))
        if (each.at("type") == "tree") each.at("leaked") = 900;
    less.at("cycles").erase(1);
    const auto compared = [](const std::string& before, const std::string& after) {
        return run_program({"compare", before, after});
    };
    const std::string before = saved("before", less);
    const std::string after = saved("after", found);
    const program_end more = compared(before, after);
    EXPECT_EQ(more.exit_status, 2) << more.diagnostics;
    EXPECT_THAT(more.output, testing::AllOf(HasSubstr("tree"), HasSubstr("on_close.self"),
                                            HasSubstr("100 objects")));
    EXPECT_EQ(compared(after, before).exit_status, 0);
    EXPECT_THAT(compared(after, after).output, HasSubstr("No number changed"));

    json other = found;
    other.at("version") = 7;
    EXPECT_THAT(compared(after, saved("other", other)).diagnostics, HasSubstr("version 7"));
    EXPECT_THAT(compared(after, folder_.write("text", "{}").string()).diagnostics,
                HasSubstr("owners --json"));
    other.at("version") = 1;
    other.erase("types");
    const program_end damaged = compared(after, saved("damaged", other));
    EXPECT_EQ(damaged.exit_status, 1);
    EXPECT_THAT(damaged.diagnostics, HasSubstr("damaged"));
}

/// Waits for the program of this name, and returns its number, or 0.
static pid_t process_named(const std::string& name) {
    for (int i = 0; i != 100; ++i) {
        for (const auto& each : fs::directory_iterator("/proc")) {
            std::ifstream file(each.path() / "comm");
            std::string found;
            if (std::getline(file, found) && found == name)
                return std::atoi(each.path().filename().c_str());
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    return 0;
}

TEST_F(owners, on_stacks_are_named_by_function_and_variable) {
    for (const std::string compiler : {FREEHOLD_COMPILER, FREEHOLD_CLANG}) {
        if (compiler.empty()) continue;
        SCOPED_TRACE(compiler);
        waiting_program waits({compiled("many_threads", {"-O0", "-g"}, compiler).string()});
        waits.read_until("built");
        const json who = found_by({std::to_string(waits.id()), "--who", "local"}).at("who");
        EXPECT_EQ(waits.finish(), 0);
        EXPECT_EQ(who.at("objects"), 200);
        EXPECT_EQ(who.at("holders").at(0).at("owners"), 200);
        const auto holder = who.at("holders").at(0).at("holder").get<std::string>();
        EXPECT_EQ(holder.find("`kept` (many_threads.cpp:"), 0U) << holder;
        EXPECT_THAT(holder, HasSubstr("in work"));
    }
}

TEST_F(owners, of_leaks_that_public_reports_describe_are_named) {
    const auto rings_of = [this](const std::string& compiler) {
        const json found =
            found_at_end({compiled("public_leaks", {"-O2", "-g"}, compiler).string()});
        std::map<std::string, std::uint64_t> result;
        for (const json& each : found.at("cycles")) {
            std::string text;
            for (const json& step : each.at("path"))
                text += step.at("type").get<std::string>() +
                        "::" + step.at("member").get<std::string>() + " ";
            // Compilers name a lambda's type in their own ways.
            if (const auto argument = text.find("subscription<"); argument != std::string::npos)
                text.erase(argument + 13, text.find(">::unsubscribe") - argument - 13);
            EXPECT_FALSE(each.at("weaken").is_null()) << text;
            const auto closure = each.at("path").back().value("closure", std::string());
            text += closure.substr(0, closure.rfind(' '));
            result[text] += each.at("instances").get<std::uint64_t>();
        }
        return result;
    };
    const std::map<std::string, std::uint64_t> expected = {
        {"web_socket::on_message.socket a lambda made at", 40},
        {"std::function<void (unsigned int)>::next a lambda made at", 30},
        {"node::left node::parent ", 20},
        {"context::values.second std::function<void ()>::macro_context a lambda made at", 10},
        {"binder::state lifetime::subscriptions "
         "subscription<>::unsubscribe_call.keep_alive a lambda made at",
         9},
        {"session::ws stream::ctrl_cb std::bind", 8},
        {"door::on_close.kept the function object", 7},
        {"served::pimpl.keep_alive std::bind", 6}};
    EXPECT_EQ(rings_of(FREEHOLD_COMPILER), expected);
    if (*FREEHOLD_CLANG == 0) return;
    EXPECT_EQ(rings_of(FREEHOLD_CLANG), expected);
}

TEST_F(owners, in_another_namespace_are_told_exactly) {
    if (std::system("unshare -rpfm --mount-proc true 2>/dev/null") != 0)
        return tests::skip_without("namespaces", "unshare is not permitted");
    const fs::path program = compiled("family", {"-O2", "-g"});
    const fs::path mount = folder_.path() / "mount";
    fs::create_directory(mount);
    const std::string name = "apart" + std::to_string(::getpid() % 100000);
    // Only there does the path of the program exist.
    const std::string script = "mount -t tmpfs none " + mount.string() + " && cp " +
                               program.string() + " " + (mount / name).string() + " && exec " +
                               (mount / name).string() + " wait";
    waiting_program waits({"unshare", "-rpfm", "--mount-proc", "sh", "-c", script});
    waits.read_until("built");
    const pid_t number = process_named(name);
    ASSERT_NE(number, 0);
    EXPECT_EQ(numbers_in(found_in(number)), family(false));
    EXPECT_FALSE(fs::exists(mount / name));
}

TEST_F(owners, of_many_threads_are_told_exactly) {
    const fs::path program = compiled("many_threads", {"-O2", "-g"});
    waiting_program waits({program.string()});
    waits.read_until("built");
    const numbers_by_type expected = {{"ring", {400, 400, 0, 400, 0}},
                                      {"local", {200, 0, 0, 200, 0}}};
    for (int i = 0; i != 3; ++i) EXPECT_EQ(numbers_in(found_in(waits.id())), expected);
    EXPECT_EQ(waits.finish(), 0);
}

TEST_F(owners, of_a_program_that_fails_are_told_with_its_status) {
    found_at_end({compiled("family", {"-O2", "-g"}).string(), "fail"});
    EXPECT_THAT(end_.diagnostics, HasSubstr("status 3"));
}

TEST_F(owners, of_no_process_are_refused) {
    EXPECT_THAT(complaint({"2147483647"}), HasSubstr("no such process"));
    EXPECT_THAT(complaint({"word"}), HasSubstr("no number"));
    EXPECT_THAT(complaint({}), HasSubstr("--core"));
    EXPECT_THAT(complaint({"1", "--core", "x"}), HasSubstr("one of the three"));
    EXPECT_THAT(complaint({"1", "--exe", "x"}), HasSubstr("--core"));
    EXPECT_THAT(complaint({"--", "/no/such/program"}), HasSubstr("/no/such/program"));
}

TEST_F(owners, of_a_zombie_are_refused) {
    const pid_t child = support::start({.command = {"/bin/true"}});
    siginfo_t ended{};
    ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT), 0);
    EXPECT_THAT(complaint({std::to_string(child)}), HasSubstr("zombie"));
    support::wait_for(child);
}

TEST_F(owners, of_another_users_process_are_refused) {
    if (::geteuid() != 0 || !support::find_program("su"))
        return tests::skip_without("root", "only root can become another user");
    const auto as_nobody = [](const std::string& command) {
        return support::run({.command = {"su", "nobody", "-s", "/bin/sh", "-c", command}});
    };
    // The build may lie in a folder of root's alone, so the other user gets a copy.
    const fs::path copy = folder_.path() / "freehold";
    fs::copy_file(FREEHOLD_PROGRAM, copy);
    fs::permissions(folder_.path(), fs::perms::others_exec, fs::perm_options::add);
    ASSERT_EQ(as_nobody("test -x " + copy.string()).status, 0);
    const std::string looks = copy.string() + " owners ";
    const support::finished_process other = as_nobody(looks + std::to_string(::getpid()));
    EXPECT_EQ(other.status, 1);
    EXPECT_THAT(other.output, HasSubstr("another user's process"));
    // Of its own process it says something else.
    EXPECT_THAT(as_nobody("sleep 5 > /dev/null 2>&1 & " + looks + "$!").output,
                Not(HasSubstr("another user")));
}

TEST_F(owners, are_refused_with_the_remedy_if_the_kernel_does_not_permit_a_look) {
    const waiting_program waits({compiled("family", {"-O2", "-g"}).string(), "wait"});
    const std::string kernel =
        compiled("refusing_kernel", {"-shared", "-fPIC"}, FREEHOLD_COMPILER, {"-ldl"}).string();
    const auto refusal_with = [&](const std::string& scope) {
        const program_end end = run_program({"owners", std::to_string(waits.id())},
                                            {{"LD_PRELOAD", kernel},
                                             {"SCOPE", scope},
                                             {"ASAN_OPTIONS", "verify_asan_link_order=0"}});
        EXPECT_EQ(end.exit_status, 1) << end.output;
        return end.diagnostics;
    };
    EXPECT_THAT(refusal_with("1\n"), testing::AllOf(HasSubstr("ptrace_scope is 1"),
                                                    HasSubstr("sysctl kernel.yama.ptrace_scope=0"),
                                                    HasSubstr("freehold owners -- PROGRAM")));
    for (const char* const scope : {"0\n", ""})
        EXPECT_THAT(refusal_with(scope),
                    testing::AllOf(HasSubstr("SYS_PTRACE"), Not(HasSubstr("yama"))));
}

TEST_F(owners, of_a_process_that_is_traced_are_refused) {
    const waiting_program waits({compiled("family", {"-O2", "-g"}).string(), "wait"});
    ASSERT_EQ(::ptrace(PTRACE_SEIZE, waits.id(), nullptr, nullptr), 0);
    EXPECT_THAT(complaint({std::to_string(waits.id())}), HasSubstr("traces it already"));
}

TEST_F(owners, of_no_core_are_refused) {
    const fs::path program = compiled("family", {"-O2", "-g"});
    EXPECT_THAT(complaint({"--core", "/no/such/core"}), HasSubstr("cannot be read"));
    EXPECT_THAT(complaint({"--core", folder_.write("text", "no core").string()}),
                HasSubstr("no core dump"));
    EXPECT_THAT(complaint({"--core", folder_.write("empty", "").string()}),
                HasSubstr("no core dump"));
    EXPECT_THAT(complaint({"--core", program.string()}), HasSubstr("--exe"));
    EXPECT_THAT(complaint({"--core", folder_.write("packed", "\x28\xb5\x2f\xfd").string()}),
                HasSubstr("unzstd"));
    EXPECT_THAT(complaint({"--core", folder_.path().string()}), HasSubstr("no core dump"));
}

TEST_F(owners, of_a_damaged_core_are_refused) {
    if (!support::find_program("gcore"))
        return tests::skip_without("gdb", "gcore is not installed");
    const fs::path program = compiled("family", {"-O2", "-g"});
    waiting_program waits({program.string(), "wait"});
    waits.read_until("built");
    const fs::path prefix = folder_.path() / "core";
    ASSERT_EQ(
        support::run({.command = {"gcore", "-o", prefix.string(), std::to_string(waits.id())}})
            .status,
        0);
    const fs::path core = prefix.string() + "." + std::to_string(waits.id());
    EXPECT_THAT(
        complaint({"--core", core.string(), "--exe", compiled("lost", {"-O1", "-g"}).string()}),
        HasSubstr("another build"));
    const std::uintmax_t size = fs::file_size(core);
    for (const std::uintmax_t left : {size - 5000, size / 2, std::uintmax_t{1000}}) {
        fs::resize_file(core, left);
        EXPECT_THAT(complaint({"--core", core.string()}), HasSubstr("truncated"));
    }
}

TEST_F(owners, of_a_program_without_symbols_are_refused) {
    const fs::path program = compiled("family", {"-O2", "-s"});
    EXPECT_THAT(complaint({"--", program.string()}), HasSubstr("no symbols"));
}

TEST_F(owners, of_a_program_of_32_bits_are_refused) {
    // Two headers, and the instructions of exit(0).
    Elf32_Ehdr header{};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS32;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_ident[EI_VERSION] = EV_CURRENT;
    header.e_type = ET_EXEC;
    header.e_machine = EM_386;
    header.e_version = EV_CURRENT;
    header.e_phoff = sizeof header;
    header.e_ehsize = sizeof header;
    header.e_phentsize = sizeof(Elf32_Phdr);
    header.e_phnum = 1;
    constexpr std::uint32_t base = 0x8048000;
    header.e_entry = base + sizeof(Elf32_Ehdr) + sizeof(Elf32_Phdr);
    const std::string code("\x31\xdb\xb8\x01\x00\x00\x00\xcd\x80", 9);
    Elf32_Phdr part{};
    part.p_type = PT_LOAD;
    part.p_vaddr = base;
    part.p_filesz = part.p_memsz =
        static_cast<std::uint32_t>(sizeof header + sizeof part + code.size());
    part.p_flags = PF_R | PF_X;
    part.p_align = 4096;
    const fs::path program = folder_.write(
        "small", std::string(reinterpret_cast<const char*>(&header), sizeof header) +
                     std::string(reinterpret_cast<const char*>(&part), sizeof part) + code);
    fs::permissions(program, fs::perms::owner_all);
    const std::string found = complaint({"--", program.string()});
    if (found.find("cannot be run") != std::string::npos)
        return tests::skip_without("ia32", "the kernel runs no programs of 32 bits");
    EXPECT_THAT(found, HasSubstr("32 bits"));
}

TEST_F(owners, are_not_looked_for_if_the_file_cannot_be_written) {
    const fs::path made = folder_.path() / "made";
    EXPECT_THAT(complaint({"--json", (folder_.path() / "no_folder" / "x.json").string(), "--",
                           "/usr/bin/touch", made.string()}),
                HasSubstr("no_folder"));
    EXPECT_FALSE(fs::exists(made));
}

}  // namespace
}  // namespace freehold::owners_command_test
