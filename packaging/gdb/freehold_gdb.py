# SPDX-License-Identifier: BSL-1.0
"""Pretty printers of freehold for gdb: a handle shows what it points to, and its counts in words.

    (gdb) print request
    $1 = shared_ptr to 0x5555557a, 2 owners, 1 weak reference = {id = 42}

The installed library has a file beside it that gdb loads by itself, where its auto-load safe-path allows that
folder. Otherwise: `source freehold_gdb.py`. The printers read memory and call nothing, so they work on core files. The
command `freehold-owners` says who keeps what alive.
"""
import os
import re
import shutil
import subprocess
import tempfile

import gdb
import gdb.printing

WEAK_BITS = 29  # count/detail/weak_word.hpp
OWNER = 1 << WEAK_BITS


def plural(number, noun):
    return f"{number} {noun}{'' if number == 1 else 's'}"


def plain(value):
    """The value in an atomic of this library, of libstdc++ or of libc++, or the value itself."""
    for inner in ("held_", "_M_i", "_M_p", "_M_b", "__a_", "__a_value"):
        try:
            return plain(value[inner])
        except gdb.error:
            continue
    return value


def text(string):
    """A std::string, also without the printers of its library."""
    try:
        return string["_M_dataplus"]["_M_p"].string()
    except gdb.error:
        return string.format_string()


def making_thread(owner):
    """In words, the thread that counts plainly beside a biased word whose `owner_` this is."""
    if owner <= 2:  # count/detail/bias.hpp: at rest, shared, fresh
        return ""
    record = gdb.Value(owner).cast(gdb.lookup_type("char").pointer())
    pointer = gdb.lookup_type("unsigned long").pointer()
    thread = int(record.cast(pointer).dereference())
    for each in gdb.selected_inferior().threads():
        if int.from_bytes(each.handle()[:8], "little") == thread:
            return f", made by thread {each.ptid[1]}"
    return ", made by another thread" if thread else ""


def counts_in_words(count):
    """The counts of a control block, of an intrusive object or of a counted_ptr's block."""
    try:  # a sharded count: an ordinary one beside the number of its shards' column
        sharded = count["word_"]
        ordinary = sharded["ordinary_"]
        return "shared out" if int(plain(sharded["column_"])) else counts_in_words(ordinary)
    except gdb.error:
        pass
    try:
        word = count["word_"]
    except gdb.error:
        return plural(int(plain(count["value_"])), "owner")
    made_by = ""
    try:  # a biased count: a word beside its owner
        made_by = making_thread(int(plain(word["owner_"])))
        word = word["word_"]
    except gdb.error:
        pass
    word = int(plain(word))
    if "with_weak" not in str(count.type.strip_typedefs()) and "control_block" not in str(count.type):
        return plural(word, "owner") + made_by
    if word < 0:
        return "no owners, gone"
    owners, weak = word >> WEAK_BITS, word & (OWNER - 1)
    if owners > 0:
        weak -= 1  # all owners together have one
    text = plural(owners, "owner")
    if weak > 0:
        text += ", " + plural(weak, "weak reference")
    return text + made_by


def field_offset(block, name):
    """In bytes, of a member, also of an anonymous union, or of a base class whose name contains `name`."""
    for field in block.fields():
        if field.is_base_class:
            if name in field.name:
                return field.bitpos // 8
        elif field.name == name:
            return field.bitpos // 8
        elif not field.name and field.type.code == gdb.TYPE_CODE_UNION:
            return field.bitpos // 8 + field_offset(field.type, name)
    raise KeyError(name)


def base_named(value, name):
    """The base class of `value` whose name contains `name`, also of its bases."""
    for field in value.type.fields():
        if field.is_base_class:
            base = value[field]
            if f"::{name}" in str(field.type.strip_typedefs()):
                return base
            found = base_named(base, name)
            if found is not None:
                return found
    return None


class handle:
    """A handle: its name, its pointee and what is said of its counts."""

    def __init__(self, value, name):
        self.value, self.name = value, name

    def pointer(self):
        for member in ("pointer_", "object_", "pointee_"):
            try:
                return self.value[member]
            except gdb.error:
                continue
        raise gdb.error(f"no pointer in {self.value.type}")

    def to_string(self):
        pointer = self.pointer()
        if int(pointer) == 0:
            return f"{self.name}, null"
        try:
            counts = self.counts(pointer)
        except (gdb.error, KeyError):
            counts = ""
        return f"{self.name} to {int(pointer):#x}" + (f", {counts}" if counts else "")

    def counts(self, pointer):
        return ""

    def children(self):
        pointer = self.pointer()
        if int(pointer) == 0 or self.is_gone(pointer):
            return
        yield "pointee", pointer.dereference()

    def is_gone(self, pointer):
        return False


class shared_handle(handle):
    def counts(self, pointer):
        control = self.value["control_"]
        return "owns nothing" if int(control) == 0 else counts_in_words(control.dereference())

    def is_gone(self, pointer):
        return self.name == "weak_ptr" and self.counts(pointer).startswith(("0 owners", "no owners"))


class arc_handle(handle):
    """The counts stand before the object, in a block whose type follows from the handle's."""

    def counts(self, pointer):
        handle_type = self.value.type.strip_typedefs().unqualified()
        namespace = re.match(r"(.*::)weak_arc<|(.*::)arc<", str(handle_type))
        prefix = namespace.group(1) or namespace.group(2)
        element, arguments = handle_type.template_argument(0), []
        for i in (1, 2):
            arguments.append(str(handle_type.template_argument(i)))
        stripped = str(element.unqualified())
        for kind in ("object_block", "open_block", "element_block"):
            try:
                block = gdb.lookup_type(f"{prefix}detail::{kind}<{stripped.removesuffix('[]')}, {', '.join(arguments)}>")
            except gdb.error:
                continue
            if kind == "element_block":
                alignment = pointer.dereference().type.alignof
                to_object = (block.sizeof + alignment - 1) // alignment * alignment
            else:
                to_object = field_offset(block, "object_")
            start = gdb.Value(int(pointer) - to_object).cast(block.pointer()).dereference()
            counts = base_named(start, "control_block")
            return counts_in_words(counts)
        return ""

    def is_gone(self, pointer):
        return self.name == "weak_arc" and self.counts(pointer).startswith(("0 owners", "no owners"))


class intrusive_handle(handle):
    def counts(self, pointer):
        base = base_named(pointer.dereference(), "intrusive_base")
        return counts_in_words(base["count_"])


class counted_handle(handle):
    def counts(self, pointer):
        return counts_in_words(self.value["block_"]["count"])


class cyclic_handle(handle):
    def pointer(self):
        element = self.value.type.strip_typedefs().template_argument(0)
        return self.value["object"].cast(element.pointer())

    def counts(self, pointer):
        # The owners less one; the two highest bits say whether the object is watched.
        owners = int(self.value["node"]["owners"]) + 1
        return plural(owners & ((1 << 62) - 1), "owner")


class pool_printer:
    def __init__(self, value, name):
        self.value = value

    def to_string(self):
        options, counts = self.value["options_"], self.value["counts_"].referenced_value()
        capacity, free, most = (int(plain(counts[each])) for each in ("capacity", "free", "high_water"))
        return (
            f"pool \"{text(options['name'])}\" of {plural(capacity, 'block')} of "
            f"{int(options['block_size'])} bytes, {free} free in the depot, "
            f"at most {most} in use or cached"
        )


class buffer_cache_printer:
    def __init__(self, value, name):
        self.value = value

    def to_string(self):
        figures = self.value["core_"]["figures_"].referenced_value()
        most = int(figures["options"]["max_idle"])
        kept = most - int(figures["quota"]["left_"])
        threads = int(figures["thread_caches"])
        return (
            f"buffer_cache \"{text(figures['options']['name'])}\", at most {kept} bytes idle of {most} allowed, "
            f"{plural(threads, 'thread cache')}"
        )


class line_cache_printer:
    def __init__(self, value, name):
        self.value = value

    def to_string(self):
        figures = self.value["figures_"].referenced_value()
        size, held, taken, most = (int(figures[each]) for each in ("line_size", "held", "taken", "max_slots"))
        return f"line_cache of {plural(most, 'line')} of {size} bytes, memory for {held}, {taken} in use"


PRINTERS = {
    "shared_ptr": shared_handle,
    "weak_ptr": shared_handle,
    "arc": arc_handle,
    "weak_arc": arc_handle,
    "intrusive_ptr": intrusive_handle,
    "counted_ptr": counted_handle,
    "linked_ptr": handle,
    "cyclic_ptr": cyclic_handle,
    "weak_cyclic_ptr": handle,
    "dumb_ptr": handle,
    "pool": pool_printer,
    "buffer_cache": buffer_cache_printer,
    "line_cache": line_cache_printer,
}


class owners_command(gdb.Command):
    """Say who keeps which objects of this core or process alive, and which are kept alive only by one another.

    freehold-owners [--who TYPE|ADDRESS] [--top NUMBER] [-o FILE.html] [--json FILE]

It calls `freehold owners`, which is found in PATH, or is named by the environment variable FREEHOLD. Of a process that
runs, it writes a core to a temporary file first."""

    def __init__(self):
        super().__init__("freehold-owners", gdb.COMMAND_DATA)

    def invoke(self, argument, from_tty):
        options = gdb.string_to_argv(argument)
        core = re.search("core dump file:\n\t`(.*)', file type", gdb.execute("info files", to_string=True))
        if core:
            return self.look(core.group(1), options)
        if not gdb.selected_inferior().pid:
            raise gdb.GdbError("There is no core and no process: give a core by `core FILE`, or start the program.")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "core")
            gdb.execute(f"generate-core-file {path}", to_string=True)
            self.look(path, options)

    def look(self, core, options):
        program = shutil.which(os.environ.get("FREEHOLD", "freehold"))
        if program is None:
            raise gdb.GdbError("freehold is not in PATH: install it, or name it by the environment variable FREEHOLD.")
        command = [program, "owners", "--core", core]
        executable = gdb.current_progspace().filename
        if executable:
            command += ["--exe", executable]
        ended = subprocess.run(command + options, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        gdb.write(ended.stdout)
        if ended.returncode != 0:
            raise gdb.GdbError(ended.stderr.strip())


def register(objfile):
    """For one file of the program's, or for all where it is None."""
    collection = gdb.printing.RegexpCollectionPrettyPrinter("freehold")
    for name, printer in PRINTERS.items():
        # In the inline namespace of the ABI (docs/abi.md).
        collection.add_printer(
            name, rf"^freehold::(\w+::)?{name}(<.*>)?$", lambda value, p=printer, n=name: p(value, n)
        )
    gdb.printing.register_pretty_printer(objfile, collection, replace=True)


register(None)
owners_command()
