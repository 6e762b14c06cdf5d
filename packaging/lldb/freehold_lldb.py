# SPDX-License-Identifier: BSL-1.0
"""Summaries of freehold for lldb: a handle shows what it points to, and its counts in words.

    (lldb) command script import freehold_lldb.py
    (lldb) frame variable request
    (...) request = shared_ptr to 0x5555557a, 2 owners, 1 weak reference {
      pointee = 42
    }

They read memory and call nothing, so they work on core files. The gdb printers beside these say the same.
"""
import re

import lldb  # noqa: F401  without it the interpreter has no classes for what is passed here

WEAK_BITS = 29  # count/detail/weak_word.hpp
OWNER = 1 << WEAK_BITS


def plural(number, noun):
    return f"{number} {noun}{'' if number == 1 else 's'}"


def member(value, *names):
    """The first member of one of these names, also of a base class; None if there is none."""
    for name in names:
        found = value.GetChildMemberWithName(name)
        if found.IsValid():
            return found.GetNonSyntheticValue()
    for i in range(value.GetType().GetNumberOfDirectBaseClasses()):
        found = member(value.GetChildAtIndex(i), *names)
        if found is not None:
            return found
    return None


def number(value):
    """An integer, also in an atomic of this library, of libstdc++ or of libc++."""
    inner = member(value, "held_", "_M_i", "_M_p", "_M_b", "_M_base", "__a_", "__a_value")
    return value.GetValueAsSigned() if inner is None else number(inner)


def counts_in_words(count):
    """The counts of a control block, of an intrusive object or of a counted_ptr's block."""
    word = member(count, "word_")
    if word is None:
        return plural(number(member(count, "value_")), "owner")
    ordinary = member(word, "ordinary_")  # a sharded count: beside the number of its shards' column
    if ordinary is not None:
        return "shared out" if number(member(word, "column_")) else counts_in_words(ordinary)
    inner = member(word, "word_")  # a biased count: a word beside its owner
    word = number(word if inner is None else inner)
    if not re.search("with_weak|block<", count.GetType().GetName()):
        return plural(word, "owner")
    if word < 0:
        return "no owners, gone"
    owners, weak = word >> WEAK_BITS, word & (OWNER - 1)
    if owners > 0:
        weak -= 1  # all owners together have one
    return plural(owners, "owner") + (f", {plural(weak, 'weak reference')}" if weak > 0 else "")


def counts_of_shared(value, _):
    control = member(value, "control_")
    return counts_in_words(control.Dereference()) if control.GetValueAsUnsigned() else "owns nothing"


# How g++ spells in debug information what lldb calls otherwise, and then finds without its namespace only.
SPELLED_BY_GCC = {
    "short": "short int",
    "unsigned short": "short unsigned int",
    "long": "long int",
    "unsigned long": "long unsigned int",
    "long long": "long long int",
    "unsigned long long": "long long unsigned int",
}


def counts_of_arc(value, pointer):
    """The counts stand before the object, in a block whose type follows from the handle's."""
    name = value.GetType().GetUnqualifiedType().GetCanonicalType().GetName().removeprefix("const ")
    prefix, element, others = re.match(r"(.*?::)(?:weak_)?arc<(.*?)(?:\[\])?(, .*)", name).groups()
    for kind in ("object_block", "open_block", "element_block"):
        by_gcc = SPELLED_BY_GCC.get(element, element)
        for block_name in (f"{prefix}detail::{kind}<{element}{others}", f"{kind}<{by_gcc}{others}"):
            block = value.GetTarget().FindFirstType(block_name)
            if block.IsValid() and block.GetName().startswith(prefix):
                start = pointer.GetValueAsUnsigned() - offset_of_object(block)
                return counts_in_words(value.CreateValueFromAddress("block", start, block))
    return ""


def offset_of_object(block):
    for i in range(block.GetNumberOfFields()):
        field = block.GetFieldAtIndex(i)
        if field.GetName() == "object_" or not field.GetName():
            return field.GetOffsetInBytes()
    return block.GetByteSize()


def counts_of_intrusive(_, pointer):
    return counts_in_words(member(pointer.Dereference(), "count_"))


def counts_of_counted(value, _):
    return counts_in_words(member(member(value, "block_").Dereference(), "count"))


def counts_of_cyclic(value, _):
    # The owners less one; the two highest bits say whether the object is watched.
    owners = number(member(member(value, "node").Dereference(), "owners")) + 1
    return plural(owners & ((1 << 62) - 1), "owner")


COUNTS = {
    "shared_ptr": counts_of_shared,
    "weak_ptr": counts_of_shared,
    "arc": counts_of_arc,
    "weak_arc": counts_of_arc,
    "intrusive_ptr": counts_of_intrusive,
    "counted_ptr": counts_of_counted,
    "cyclic_ptr": counts_of_cyclic,
    "linked_ptr": None,
    "weak_cyclic_ptr": None,
    "dumb_ptr": None,
}


def name_of(value):
    return re.search(r"freehold::(?:\w+::)?(\w+)<", value.GetType().GetName())[1]


def pointer_of(value):
    return member(value, "pointer_", "object_", "pointee_", "object")


def summary_of_handle(value, _):
    value = value.GetNonSyntheticValue()
    name, pointer = name_of(value), pointer_of(value)
    if pointer.GetValueAsUnsigned() == 0:
        return f"{name}, null"
    find = COUNTS[name]
    counts = find(value, pointer) if find else ""
    return f"{name} to {pointer.GetValueAsUnsigned():#x}" + (f", {counts}" if counts else "")


class Handle:
    """Has the pointee as its only child."""

    def __init__(self, value, _):
        self.value = value
        self.update()

    def update(self):
        pointer = pointer_of(self.value)
        element = self.value.GetType().GetUnqualifiedType().GetTemplateArgumentType(0)
        if element.IsValid() and pointer.GetType().GetPointeeType().GetName() == "void":
            pointer = pointer.Cast(element.GetPointerType())
        gone = "no owners" in (summary_of_handle(self.value, None) or "") or pointer.GetValueAsUnsigned() == 0
        self.pointee = None if gone else pointer.Dereference()

    def has_children(self):
        return self.pointee is not None

    def num_children(self):
        return 0 if self.pointee is None else 1

    def get_child_index(self, name):
        return 0 if name == "pointee" else -1

    def get_child_at_index(self, index):
        if index != 0 or self.pointee is None:
            return None
        return self.pointee.Clone("pointee")


def summary_of_pool(value, _):
    value = value.GetNonSyntheticValue()
    options, counts = member(value, "options_"), member(value, "counts_")
    capacity, free, most = (number(member(counts, each)) for each in ("capacity", "free", "high_water"))
    return (
        f"pool {member(options, 'name').GetSummary()} of {plural(capacity, 'block')} of "
        f"{number(member(options, 'block_size'))} bytes, {free} free in the depot, "
        f"at most {most} in use or cached"
    )


def summary_of_buffer_cache(value, _):
    value = value.GetNonSyntheticValue()
    figures = member(member(value, "core_"), "figures_")
    options = member(figures, "options")
    most = number(member(options, "max_idle"))
    kept = most - number(member(member(figures, "quota"), "left_"))
    threads = number(member(figures, "thread_caches"))
    return (
        f"buffer_cache {member(options, 'name').GetSummary()}, at most {kept} bytes idle of {most} allowed, "
        f"{plural(threads, 'thread cache')}"
    )


def summary_of_line_cache(value, _):
    value = value.GetNonSyntheticValue()
    figures = member(value, "figures_")
    size, held, taken, most = (number(member(figures, each)) for each in ("line_size", "held", "taken", "max_slots"))
    return f"line_cache of {plural(most, 'line')} of {size} bytes, memory for {held}, {taken} in use"


def __lldb_init_module(debugger, _):
    module = __name__
    # In the inline namespace of the ABI (docs/abi.md), or without it, as lldb shows it.
    room = "^(const )?freehold::([A-Za-z0-9_]+::)?"
    handles = rf"{room}({'|'.join(COUNTS)})<.*>$"
    for command in (
        f'type summary add --expand -x "{handles}" -F {module}.summary_of_handle -w freehold',
        f'type synthetic add -x "{handles}" -l {module}.Handle -w freehold',
        f'type summary add -x "{room}pool$" -F {module}.summary_of_pool -w freehold',
        f'type summary add -x "{room}buffer_cache<.*>$" -F {module}.summary_of_buffer_cache -w freehold',
        f'type summary add -x "{room}line_cache<.*>$" -F {module}.summary_of_line_cache -w freehold',
        "type category enable freehold",
    ):
        debugger.HandleCommand(command)
