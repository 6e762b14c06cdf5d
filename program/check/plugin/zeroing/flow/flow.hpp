// SPDX-License-Identifier: BSL-1.0
// The data-flow analysis. It follows one zeroed object through the control-flow graph of a
// function, and of those functions of the translation unit that get the object. It decides whether
// any path reads a byte that is still zero.
#pragma once

#include "check/plugin/zeroing/filled_counts/filled_counts.hpp"
#include "check/plugin/zeroing/fillers/fillers.hpp"
#include "check/plugin/zeroing/values/facts.hpp"
#include "check/plugin/zeroing/values/values.hpp"
#include "control_flow.hpp"
#include "side_effects.hpp"

#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace freehold::check {

/// How many bytes one construct zeroes.
struct zeroed_extent {
    enum class growth {
        fixed,     ///< `bytes` bytes from the offset.
        counted,   ///< `count` elements.
        resized,   ///< From the container's size up to `count` elements.
        appended,  ///< One more element of the container.
        unknown,   ///< The whole object, which has an unknown size.
    };
    growth how = growth::fixed;
    std::int64_t offset = 0;
    std::int64_t bytes = 0;
    const clang::Expr* count = nullptr;
    const clang::Expr* second_count = nullptr;  ///< If it is not null, `count` is multiplied by it.
    /// Bytes that never need the zeroes: members with their own initialisers.
    std::vector<std::pair<std::int64_t, std::int64_t>> initialised;
    /// The arguments of a factory's call, for the parameters in `count`.
    std::vector<std::pair<const clang::ParmVarDecl*, const clang::Expr*>> arguments;
    /// The other members of the object to which the factory's list gives values.
    std::vector<std::pair<step, const clang::Expr*>> beside;
};

/// A place of the program that zeroes one object.
struct zeroing {
    const void* start = nullptr;  ///< The statement or constructor initialiser that zeroes.
    zeroed_object object;
    zeroed_extent extent;
    bool is_local = true;  ///< The object ends with the function.
    /// Others may look at the object while the function runs, and after an exception.
    bool is_shared = false;
    /// The object is a member of `whole`, which this expression constructs.
    const clang::Expr* creation = nullptr;
    path whole;
    std::int64_t least_bytes = 0;  ///< The smallest number of bytes to report.
    bool is_storage =
        false;  ///< A local array, aggregate or pointer, which optimisers can analyse.
    /// If it is set, the verdict says whether these statements overwrite all bytes before any
    /// other.
    const std::set<const clang::Stmt*>* filling = nullptr;
};

/// A function that the check cannot see, and its argument that leads to the zeroes.
struct unknown_reader {
    const clang::FunctionDecl* callee = nullptr;
    unsigned argument = 0;
};

struct verdict {
    bool needed = false;           ///< Some path reads a zeroed byte, or may read one.
    bool overwritten = false;      ///< Some path overwrites zeroed bytes and then uses them.
    bool returned = false;         ///< Some path returns the object with its zeroes.
    bool large = false;            ///< Some path zeroes enough bytes for a report.
    bool gave_up = false;          ///< The analysis of the file takes too long.
    bool optimised = false;        ///< g++ and clang++ remove the zeroing.
    bool padding_left = false;     ///< At the function's end, some padding has its zeroes.
    bool left_by_filling = false;  ///< The statements of `filling` leave zeroes.
    /// Each `resize` of the same container on the paths: true if it never makes the container
    /// larger.
    std::map<const clang::Stmt*, bool> shrinks;
    clang::SourceLocation filled_at;
    unknown_reader needed_by;  ///< If `callee` is null, no such function made the zeroes needed.
};

/// What a loop has written becomes a function of this variable. In nested loops, a running index is
/// itself a function of the counters. One that rises in some passes only is a function of none.
enum class loop_variable { counter, running_index };

class flow {
public:
    /// `work_left` says how many steps the analysis of the file may still take.
    flow(clang::ASTContext& context, graphs& graphs, filled_counts& counts,
         const std::vector<filler>& more_fillers, const zeroing& what, std::int64_t& work_left,
         loop_variable preferred = loop_variable::counter);
    /// Follows the object from its zeroing in this function.
    verdict follow(const clang::FunctionDecl* function);
    /// Follows a parameter with bytes that count as zeroed when the function begins.
    verdict follow_parameter(const clang::FunctionDecl* function);
    /// True if a loop that was followed writes to `x[at++]` or `*to++`.
    [[nodiscard]] bool has_running_index() const { return !running_indices_.empty(); }

private:
    using states = std::vector<facts>;
    static constexpr int most_steps = 4000;
    /// What is known about one function while one call of it is followed.
    struct function_uses {
        // For each statement: the expressions in it that refer to the object.
        std::map<const void*, std::vector<const clang::Expr*>> uses;
        std::map<const clang::Stmt*, const clang::Stmt*> parents;
    };
    struct call_parts {
        const clang::Expr* expression = nullptr;
        const clang::FunctionDecl* callee = nullptr;
        const clang::Expr* object = nullptr;
        std::vector<const clang::Expr*> arguments;
        std::string name;
    };

    verdict follow_from(const clang::FunctionDecl* function, bool is_zeroed);
    void look(const clang::FunctionDecl* function, bool is_zeroed);
    /// The atoms in the order of the program, but running indices last if they are preferred.
    [[nodiscard]] std::vector<atom> in_order(const std::set<atom>& changed) const;
    void learn(const clang::CFGBlock* head, const facts& after_pass, const facts& entry,
               const std::vector<atom>& changed);
    states run(const clang::FunctionDecl* function, const function_uses& uses, const facts& entry);
    function_uses collect(const clang::FunctionDecl* function);
    void collect_from(const clang::Stmt* part, const void* parent, bool within_place,
                      function_uses& into);
    void find_aliases(const clang::Stmt* part);
    bool is_alias_type(clang::QualType type) const;

    bool lets_others_look(const clang::Stmt* statement, const function_uses& uses);
    /// Calls the function for each one that the call may run: null for one that is not known.
    void for_each_code_of(const call_parts& call,
                          const std::function<void(const clang::FunctionDecl*)>& use);
    states transfer(const clang::Stmt* statement, const function_uses& uses, states before);
    states assigned(atom which, const clang::Expr& value, const states& before);
    void use(const clang::Stmt* statement, const clang::Expr* place_expression, const place& where,
             const function_uses& uses, facts& now);
    states use_in_call(const call_parts& call, const function_uses& uses, const facts& now);
    std::optional<place> object_of(const call_parts& call);
    static const clang::LambdaExpr* lambda_of(const clang::Expr* argument);
    bool fills_parameter(const clang::LambdaExpr* lambda);
    std::optional<polynomial> distance_within(const clang::Expr* count);
    std::optional<polynomial> kept_bytes(const call_parts& call, const facts& now);
    /// The states after a number was extracted from a stream into the object, or was not.
    std::optional<states> extracted(const call_parts& call, const facts& before);
    bool use_filler(const call_parts& call, facts& now);
    bool use_room(const call_parts& call, const filler& how, facts& now);
    bool use_parts(const clang::Expr* call, const clang::Expr* array, const polynomial& count,
                   facts& now);
    bool use_message(const call_parts& call, const filler& how, facts& now);
    void use_string_filler(const call_parts& call, const filler& how, const polynomial& low,
                           facts& now);
    /// The end of the terminated string around the place. Empty if no string is known there.
    [[nodiscard]] std::optional<polynomial> string_end(const polynomial& at,
                                                       const facts& now) const;
    void know_of_string(const call_parts& call, facts& now);
    bool use_algorithm(const call_parts& call, facts& now);
    bool use_method(const call_parts& call, const place& on, facts& now);
    bool tells_whole(const call_parts& call, const place& where, std::int64_t element,
                     const facts& now);
    void use_argument(const call_parts& call, std::size_t index, const place& where,
                      const function_uses& uses, facts& now);
    std::optional<polynomial> viewed_count(const clang::Expr* argument);
    std::optional<states> inlined(const call_parts& call, const facts& now);
    /// The path of a member of the object that a constructor creates.
    [[nodiscard]] path member_of_this(const clang::FunctionDecl* constructor,
                                      const clang::FieldDecl* member) const;
    void effects(const clang::Stmt* statement, facts& now);
    void effects_of_declaration(const clang::VarDecl* variable, facts& now);
    void effects_of_call(const call_parts& call, facts& now);
    /// The effects of the end of an object of this type.
    void end_of(clang::QualType type, facts& now);
    void forget_all_but_room(facts& now, const clang::Expr* argument);
    void assign_parts(const path& within, const clang::Expr* initial, facts& now);
    void activate(facts& now);
    /// Updates the verdict from the states before a statement. Null means the function's end.
    void watch(const clang::Stmt* statement, const states& before);
    states assume(const clang::Expr* condition, bool truth, const facts& before);
    bool may_be_error(const polynomial& number, const facts& now) const;

    void read(facts& now, const byte_range& range, const clang::Stmt* where, bool raw = false);
    void read_all(facts& now, const clang::Stmt* where, bool raw = false);
    /// If a member says how many elements of an array are filled, covers the rest of the array,
    /// because no reader needs it.
    void cover_unfilled(facts& now);
    bool is_unnamed_from(const clang::Stmt* where, const facts& now);
    /// The paths that name the zeroed struct in the function: itself, or references to a new
    /// element.
    [[nodiscard]] std::vector<path> names_of_struct(const facts& now);
    [[nodiscard]] bool shows_padding(const clang::CastExpr& conversion) const;
    [[nodiscard]] bool is_raw(const clang::Expr* expression) const;
    /// Notes the variable of an assignment's target such as `x[at++]` or `*to++`.
    void note_running_index(const clang::Expr* target);
    void note_raw(const clang::VarDecl* variable, const clang::Expr* pointer);
    void write(facts& now, const byte_range& range, const clang::Stmt* where, bool one_operation);
    void cover_padding(facts& now) const;
    void needed();
    unknown_reader unknown_reader_in(const clang::Stmt* statement, const facts& now);
    void assign(facts& now, atom which, const polynomial& value);
    /// Assigns a value that the target may be too narrow for.
    void store(facts& now, const clang::Expr* target, atom which, const polynomial& value,
               clang::QualType computed_as);
    bool adds_error(const clang::BinaryOperator& assignment, atom target, const facts& now);
    void forget(facts& now, atom which);
    void forget_all(facts& now, const path& changed, bool itself);
    /// Forgets what others may have changed, but for containers that already have the new size.
    void forget_changed(facts& now, const side_effect& by, const path* target,
                        const polynomial* new_size = nullptr);
    void forget_changed_by_assignment(facts& now, const clang::Expr* assigned,
                                      const std::optional<path>& target);
    void forget_other_names(const call_parts& call, facts& now);
    /// Forgets the values that are computed from a variable, but not the variable's own value.
    void forget_dependents(facts& now, const path& changed);
    byte_range extent_of(const place& where);
    /// Whether there are bytes that an assignment need not write.
    [[nodiscard]] bool has_padding(const facts& now) const {
        return !padding_.empty() || has_padded_numbers_ || now.padding_left;
    }
    static bool is_discarded(const clang::BinaryOperator* comma, const clang::Expr* operand,
                             const function_uses& uses);
    bool is_returned(const clang::Expr* expression, const function_uses& uses) const;
    call_parts parts_of(const clang::Expr* call) const;
    bool reaches_object(const clang::Expr* expression) const;
    /// Finds the parts of a local variable that point to the object.
    void find_pointers(const path& within, const clang::Expr* initial);
    /// True if a part of it points to the object.
    bool holds_pointer(const path& whole) const;
    bool holds_pointer_at(const clang::Expr* address) const;
    struct room_left {
        path whole;
        atom next;
        atom left;
        std::optional<atom> position;
    };
    std::optional<room_left> room_of(const call_parts& call, const filler& how);
    void use_whole(const clang::Stmt* part, const void* parent, bool in_any, function_uses& into);

    values values_;
    side_effects effects_;
    std::set<const clang::VarDecl*> escaping_;
    graphs& graphs_;
    filled_counts& filled_counts_;
    std::map<std::string, filler> fillers_;
    const zeroing& what_;
    std::int64_t& work_left_;
    verdict verdict_;
    // Where padding of the object's type begins, and how long it is.
    std::map<std::int64_t, std::int64_t> padding_;
    // A destructor that the user wrote runs when the object ends.
    bool is_ended_by_code_ = false;
    // The object's type contains numbers with padding of their own.
    bool has_padded_numbers_ = false;
    // Blocks of the outermost function: the one that zeroes, and the one that is being followed.
    const clang::CFGBlock* start_block_ = nullptr;
    const clang::CFGBlock* block_ = nullptr;
    std::map<const clang::CFGBlock*, std::set<atom>> assigned_;
    std::map<const clang::CFGBlock*, std::set<atom>> declared_;
    std::map<std::pair<const clang::FunctionDecl*, const void*>, function_uses> collected_;
    // Pointers to characters that were converted from pointers to objects.
    std::set<const clang::VarDecl*> raw_;
    // Initialiser lists that store pointers to the object in a local variable.
    std::set<const clang::Stmt*> storing_;
    // The arrays of parts that messages point to, for recvmsg.
    std::map<path, const clang::Expr*> parts_;
    std::set<atom> running_indices_;
    const loop_variable preferred_;
    // The numbers of characters before terminators, or including them.
    std::set<atom> string_sizes_;
    // The writes of loops in columns, by the block where the loop begins.
    std::map<const clang::CFGBlock*, std::vector<column_write>> columns_;
    bool learnt_ = false;  // This look has found something that the next look can use.
    // The function that is being followed returns a pointer computed from a parameter.
    bool returns_parameter_ = false;
    // Both ways from the condition that is being followed lead through the same loop. The equality
    // of two variables there holds in some passes only.
    bool within_loop_ = false;
    int steps_left_ = most_steps;
    bool finished_ = false;
};

}  // namespace freehold::check
