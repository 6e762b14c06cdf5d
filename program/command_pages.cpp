// SPDX-License-Identifier: BSL-1.0
#include "command_pages.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace freehold {

const char exit_statuses[] =
    "0  success; compare: no regression; check: nothing found\n"
    "1  an error, which one line on standard error describes\n"
    "2  compare: a regression; check: something found\n"
    "3  compare: the results are too noisy to tell\n"
    "record ends with the status of the command that it ran.\n";

namespace {

/// Text for man. No line of it is a request, and hyphens stay hyphens.
std::string escaped(const std::string& text) {
    std::string result;
    bool starts_line = true;
    for (const char c : text) {
        if (starts_line && (c == '.' || c == '\'')) result += "\\&";
        if (c == '\\') {
            result += "\\e";
        } else if (c == '-') {
            result += "\\-";
        } else {
            result += c;
        }
        starts_line = c == '\n';
    }
    return result;
}

/// Prints the lines without filling them.
std::string as_lines(const std::string& text) {
    return fmt::format(".PP\n.nf\n{}\n.fi\n", escaped(text));
}

bool takes_value(const CLI::Option& option) {
    return option.get_items_expected_max() != 0;
}

bool is_positional(const CLI::Option& option) {
    return option.get_snames().empty() && option.get_lnames().empty();
}

std::string man_option(const CLI::Option& option) {
    std::string name = option.get_name(is_positional(option), true);
    if (!is_positional(option) && takes_value(option)) name += " " + option.get_type_name();
    return fmt::format(".TP\n.B {}\n{}\n", escaped(name), escaped(option.get_description()));
}

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
    return app.get_subcommands([](const CLI::App* each) { return !each->get_name().empty(); });
}

std::vector<const CLI::Option*> options_of(const CLI::App& app) {
    return app.get_options([](const CLI::Option* each) { return !each->get_group().empty(); });
}

std::string joined_names(const CLI::App& app) {
    std::string names;
    for (const auto* option : options_of(app)) {
        for (const auto& each : option->get_snames()) names += " -" + each;
        for (const auto& each : option->get_lnames()) names += " --" + each;
    }
    return names;
}

enum class value_kind { suite, file, other };

/// The kind of value that completes this option or positional.
value_kind kind_of(const CLI::Option& option) {
    const std::string& type = option.get_type_name();
    if (option.get_name() == "--suite" || option.get_name(true) == "suite")
        return value_kind::suite;
    const bool is_file = type.rfind("BYTES", 0) != 0 && type.rfind("REGEX", 0) != 0;
    return is_file ? value_kind::file : value_kind::other;
}

/// The line of bash that completes the value.
const char* bash_line(value_kind kind) {
    if (kind == value_kind::suite) return "_freehold_words \"$_freehold_suites\"";
    return kind == value_kind::file ? "_freehold_files" : ":";
}

/// A string in fish's single quotes, in one line.
std::string fish_quoted(const std::string& text) {
    std::string result = "'";
    for (const char c : text) {
        if (c == '\\' || c == '\'') result += '\\';
        result += c == '\n' ? ' ' : c;
    }
    return result + "'";
}

/// The arguments of fish's `complete` for an option, or for a positional.
std::string fish_arguments(const CLI::Option& option, const std::string& suites) {
    std::string arguments;
    for (const auto& each : option.get_snames()) arguments += " -s " + each;
    for (const auto& each : option.get_lnames()) arguments += " -l " + each;
    const bool has_values = is_positional(option) || takes_value(option);
    if (has_values && !is_positional(option)) arguments += " -r";
    if (has_values) {
        const value_kind kind = kind_of(option);
        arguments += kind == value_kind::file ? " -F" : " -f";
        if (kind == value_kind::suite) arguments += " -a " + fish_quoted(suites);
    }
    if (!is_positional(option)) arguments += " -d " + fish_quoted(option.get_description());
    return arguments;
}

}  // namespace

std::string man_page(const CLI::App& app, const std::string& version) {
    std::string page = fmt::format(
        ".TH FREEHOLD 1 \"\" \"freehold {}\" \"User Commands\"\n"
        ".SH NAME\nfreehold \\- {}\n"
        ".SH SYNOPSIS\n.B freehold\n.I COMMAND\n[OPTION]... [ARGUMENT]...\n"
        ".SH DESCRIPTION\n"
        "freehold measures what smart pointers, memory pools and caches cost on this machine, and\n"
        "examines programs that use memory. Each command has a section below.\n"
        ".SH OPTIONS\n",
        version, escaped("measure what smart pointers, memory pools and caches cost"));
    for (const auto* option : options_of(app)) page += man_option(*option);
    page += ".SH COMMANDS\n";
    for (const auto* command : commands_of(app)) {
        page += fmt::format(".SS freehold {}\n{}.\n", escaped(command->get_name()),
                            escaped(command->get_description()));
        for (const auto* option : options_of(*command)) page += man_option(*option);
        page += as_lines(command->get_footer());
    }
    page += ".SH EXIT STATUS\n" + as_lines(exit_statuses);
    page +=
        ".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nIf it is set and not empty, no output is coloured.\n";
    return page;
}

std::string bash_completion(const CLI::App& app, const std::string& suites) {
    std::string commands;
    std::string cases;
    for (const auto* command : commands_of(app)) {
        const auto& name = command->get_name();
        commands += name + " ";
        std::string of_words = "_freehold_files";
        for (const auto* option : options_of(*command)) {
            if (is_positional(*option)) of_words = bash_line(kind_of(*option));
            if (is_positional(*option) || !takes_value(*option)) continue;
            std::string names;
            for (const auto& each : option->get_snames())
                names += fmt::format("|{},-{},*", name, each);
            for (const auto& each : option->get_lnames())
                names += fmt::format("|{},--{},*", name, each);
            cases +=
                fmt::format("        {}) {} ;;\n", names.substr(1), bash_line(kind_of(*option)));
        }
        cases +=
            fmt::format("        {0},*,-*) _freehold_words \"{1}\" ;;\n        {0},*) {2} ;;\n",
                        name, joined_names(*command).substr(1), of_words);
    }
    return fmt::format(R"(# Completion of freehold for bash. `freehold --bash-completion` writes it.
_freehold_suites="{}"
_freehold_words() {{
    mapfile -t COMPREPLY < <(compgen -W "$1" -- "${{COMP_WORDS[COMP_CWORD]}}")
}}
_freehold_files() {{
    compopt -o filenames 2>/dev/null || :
    mapfile -t COMPREPLY < <(compgen -f -- "${{COMP_WORDS[COMP_CWORD]}}")
}}
_freehold() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD - 1]}}
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        _freehold_words "{}{}"
        return
    fi
    case ${{COMP_WORDS[1]}},$previous,$word in
{}    esac
}}
complete -F _freehold freehold
)",
                       suites, commands, joined_names(app).substr(1), cases);
}

std::string fish_completion(const CLI::App& app, const std::string& suites) {
    std::string script =
        "# Completion of freehold for fish. `freehold --fish-completion` writes it.\n";
    const std::string first_word = "complete -c freehold -n __fish_use_subcommand";
    for (const auto* option : options_of(app))
        script += first_word + fish_arguments(*option, suites) + "\n";
    for (const auto* command : commands_of(app)) {
        const auto& name = command->get_name();
        script += fmt::format("{} -f -a {} -d {}\n", first_word, name,
                              fish_quoted(command->get_description()));
        for (const auto* option : options_of(*command))
            script += fmt::format("complete -c freehold -n '__fish_seen_subcommand_from {}'{}\n",
                                  name, fish_arguments(*option, suites));
    }
    return script;
}

}  // namespace freehold
