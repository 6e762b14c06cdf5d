#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""filter.py FOLDER HEADER...: writes headers of include/freehold/ as Doxygen reads them, with their paths, to FOLDER.

Lines keep their numbers, so that Doxygen's warnings name the header's lines.

- The block before `#pragma once` documents the class, the concept or the alias with the file's name. If there is none,
  it documents the file.
- A comment before declarations documents all declarations up to the next blank line or comment.
- VOCABULARY describes the names that mean the same in every class. Its sentence precedes a comment of the header's own.
- A comment at the end of a declaration's line documents that declaration.
- A deleted function is documented as such. Friend classes, deduction guides and static_asserts are left out.
- Namespace `detail` is left out, except the classes in PUBLIC_BASES.
"""
import re
import sys
from pathlib import Path

# The inner pair of parentheses may have another within it.
ATTRIBUTE = re.compile(r"(?:\[\[.*?\]\]|__attribute__\s*\(\(.*?\)\)(?!\)))\s?")
# Classes of namespace detail whose public members are members of a public class that derives from them.
PUBLIC_BASES = {"owner_words", "atomic_handle", "bucket_policy", "basic_biased_count"}
# What names mean that have the same meaning in every class of a folder: folder, declaration, sentence.
VOCABULARY = [(folder, re.compile(names), sentence) for folder, names, sentence in (
    ("handle", r"using element_type\b", "The type of the object, or of an array's elements."),
    ("handle", r"using weak_type\b", "The weak handle that belongs to this handle."),
    ("handle", r"using count_type\b", "The count of owners."),
    ("handle", r"using allocator_type\b", "The allocator of the object's memory."),
    ("handle", r"(constexpr )?(\w+)\((std::nullptr_t)?\) noexcept", "Makes a null handle."),
    ("handle", r"(constexpr )?(\w+)\(const \2(<.*>)?& \w+\)", "Refers to the same object as the other handle."),
    ("handle", r"(constexpr )?(\w+)\(\2(<.*>)?&& \w+\)", "Takes the other handle's object. The other handle is null afterwards."),
    ("handle", r"(constexpr )?~\w+\(", "Releases the object, if there is one."),
    ("handle", r".*\boperator=\((const )?[\w:]+(<.*>)?&&? \w+\)",
     "As the constructor. Then releases the object that this handle had before."),
    ("handle", r".*\boperator=\(std::nullptr_t\)|(constexpr )?void reset\(\)",
     "Releases the object, if there is one. The handle is null afterwards."),
    ("handle", r".*\bswap\(", "Exchanges the objects of two handles."),
    ("handle", r".*\* get\(", "Returns the object's address, or null."),
    ("handle", r".*\boperator(\*|->)\(", "Accesses the object. The handle must not be null."),
    ("handle", r".*\boperator\[\]\(", "Accesses an element of the array. The handle must not be null."),
    ("handle", r".*\boperator bool\(", "Returns whether the handle is not null."),
    ("handle", r".*\buse_count\(", "Returns the number of owners, or 0 if there are none."),
    ("handle", r".*\bexpired\(", "Returns whether the object has no owners any more."),
    ("shared", r".*\b(make_shared|allocate_shared)(_for_overwrite)?\(|.*_pointer_cast\(|.*\batomic_\w+\("
     r"|.*\b(shared|weak)_from_this\(|.*\bowner_(before|equal|hash)\(", "As the function of std with this name."),
    ("shared", r"using is_transparent\b|bool operator\(\)\(|std::size_t operator\(\)\(|struct owner_",
     "As the class of std with this name."),
    ("", r"using (value_type|propagate_on_container_\w+|is_always_equal)\b|struct rebind\b|using other\b",
     "As the standard requires of an allocator."),
    ("", r".*\b(allocate\(std::size_t n\)|deallocate\(T\* \w+, std::size_t( \w+)?\)|select_on_container_copy_construction\()",
     "As the standard requires of an allocator."),
    ("memory", r".*_allocator\(const \w+_allocator<.*>&( \w+)?\)", "As the standard requires of an allocator."),
    ("buffer", r".*\b(per_thread =|capacity_for\(|take\(buffer_request|keep\(buffer_block|trim\(std::size_t bytes, buffer_context"
     r"|trim_older\(std::uint64_t|idle_bytes\()", "As the concept buffer_policy says."),
    ("line", r"void (fetch|start)\(line_read&", "As the concept line_source says."),
    ("count", r".*\b(is_thread_safe =|with_weak =|increment(_weak)?(_held)?\(|try_increment\(|decrement(_weak|_held)?\(|value\("
     r"|depart\(|settle\(|rests_alone\(|leaves_owners\(|is_at_rest\()|enum (class )?departure",
     "As the concepts reference_count and weak_reference_count say."),
)]
FIELDS = ("What it is", "When to use it", "When not", "Example", "Units", "Complexity", "Thread safety", "Exceptions",
          "Ownership", "Source", "Invariant")
NO_TEXT = re.compile(r"\s*(NOLINT|clang-format |IWYU|freehold/\S+$)")
DECLARABLE = ("namespace", "class", "enum")


class Line:
    def __init__(self):
        self.code = ""           # without comments
        self.bare = ""           # and with the contents of strings blanked
        self.comment = None      # the text after //
        self.column = 0          # where the comment starts
        self.directive = False   # of the preprocessor
        self.scope = None        # the kind of scope that the line starts in
        self.fresh = True        # whether no declaration is unfinished where the line starts
        self.depth = 0           # the number of scopes that the line starts in
        self.hidden = False      # whether it is in namespace detail


class Scope:
    def __init__(self, kind, hidden=False):
        self.kind, self.hidden = kind, hidden


class Declaration:
    def __init__(self, first, last, text, scope):
        self.first, self.last, self.text, self.scope = first, last, text, scope


def split_comment(text):
    """The code of a line, the same with blanked strings, and the comment with its column."""
    bare, i, quote = [], 0, None
    while i < len(text):
        c = text[i]
        if quote:
            bare.append("_" if c != quote else c)
            if c == "\\":
                i += 1
                bare.append("_")
            elif c == quote:
                quote = None
        elif text.startswith("//", i):
            return text[:i], "".join(bare), text[i + 2:], i
        elif c == '"' or (c == "'" and not (i and text[i - 1].isalnum())):
            quote = c
            bare.append(c)
        else:
            bare.append(c)
        i += 1
    return text, "".join(bare), None, 0


def without_template_heads(text):
    while True:
        text = text.strip()
        if not text.startswith("template"):
            return text
        depth, i = 0, text.find("<")
        while i < len(text):
            depth += {"<": 1, ">": -1}.get(text[i], 0)
            i += 1
            if depth == 0:
                break
        text = text[i:]


def kind_of_brace(head, parentheses):
    """The kind and the name of the scope that a brace after `head` opens."""
    if parentheses:
        return "body", ""
    head = without_template_heads(ATTRIBUTE.sub("", head))
    found = re.match(r"(?:inline\s+)?namespace\s*([\w:\s]*)", head)
    if found:
        return "namespace", found[1].strip()
    found = re.match(r"enum\s+(?:class\s+|struct\s+)?([\w:]*)", head)
    if found:
        return "enum", found[1]
    found = re.search(r"(?:^|[\s)>])(?:class|struct|union)\s+(?:alignas\s*\(.*?\)\s*)?([\w:]+)"
                      r"\s*(?:<[^()]*>)?\s*(?:final)?\s*(?::[^:].*)?$", head)
    if found and not re.search(r"=\s*$|\boperator\b", head):
        return "class", found[1]
    return "body", ""


def read(text):
    lines, continued = [], False
    for each in text.split("\n"):
        line = Line()
        line.code, line.bare, line.comment, line.column = split_comment(each)
        line.directive = continued or line.code.lstrip().startswith("#")
        continued = line.directive and each.endswith("\\")
        lines.append(line)
    return lines


def parse(lines):
    """Sets each line's scope, and returns the declarations outside function bodies."""
    scopes, declarations = [Scope("namespace")], []
    head, start, parentheses, opened = "", None, 0, []

    def end(number):
        nonlocal head, start
        if start is not None and scopes[-1].kind in DECLARABLE and not scopes[-1].hidden:
            declarations.append(Declaration(start, number, head, scopes[-1].kind))
        head, start = "", None

    for number, line in enumerate(lines):
        scope = scopes[-1]
        line.scope, line.hidden, line.fresh = scope.kind, scope.hidden, start is None
        line.depth = len(scopes)
        if line.directive:
            continue
        code = line.bare
        for i, c in enumerate(code):
            scope = scopes[-1]
            if c in "([":
                parentheses += 1
            elif c in ")]":
                parentheses -= 1
            if c == "{":
                kind, name = kind_of_brace(head, parentheses)
                if scope.kind == "body":
                    kind = "body"
                hidden = scope.hidden
                if kind == "namespace":
                    hidden = hidden or "detail" in name
                    head, start = "", None
                elif kind == "class" and name in PUBLIC_BASES and scope.hidden:
                    hidden = False
                opened.append((head, start, parentheses, kind))
                scopes.append(Scope(kind, hidden))
                if kind == "class" and scope.hidden and not hidden:  # a public base: its head was hidden
                    for each in range(start, number + 1):
                        lines[each].hidden = False
                    if start > 0:
                        above = start - 1
                        while lines[above].comment is not None and not lines[above].bare.strip():
                            lines[above].hidden = False
                            lines[above].scope = "namespace"
                            above -= 1
                    declarations.append(Declaration(start, number, head, "namespace"))
                if kind != "body":
                    head, start = "", None
                parentheses = 0
                continue
            if c == "}":
                if scope.kind == "enum":
                    end(number)
                closed = scopes.pop()
                head, start, parentheses, kind = opened.pop()
                before, head = head, head + "{}"
                if closed.kind == "namespace":
                    head, start = "", None
                    line.hidden = scopes[-1].hidden
                elif kind == "body" and not parentheses:
                    rest = code[i + 1:].strip()
                    follows = rest[:1]
                    in_requires = re.search(r"(requires|=|&&|\|\||\(|!)\s*requires\s*(\([^{}()]*(\([^{}()]*\)[^{}()]*)*\))?\s*$",
                                            before)
                    if not in_requires and follows not in tuple(";,{)&|") and scopes[-1].kind != "body":
                        if follows == "" and re.search(r"=\s*$", before):
                            pass
                        else:
                            end(number)
                elif closed.kind == "class" and scopes[-1].hidden and not closed.hidden:
                    line.hidden = False
                continue
            if scope.kind not in DECLARABLE:
                continue
            if not c.isspace() and start is None:
                start = number
            head += c
            if not parentheses:
                if c == ";" or (scope.kind == "enum" and c == ","):
                    end(number)
                elif c == ":" and re.fullmatch(r"\s*(public|protected|private)\s*:", head):
                    head, start = "", None
        if start is not None:
            head += " "
    return declarations


def escaped(text):
    return re.sub(r"[\\@#%$]", lambda found: "\\" + found[0],
                  text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")).replace("*", "\\*")


class Prose:
    """Turns the lines of a comment into Doxygen's, one for one. Code between backticks may span lines."""

    def __init__(self):
        self.in_code = False

    def line(self, text):
        parts, result = text.split("`"), []
        for i, part in enumerate(parts):
            if i:
                self.in_code = not self.in_code
                result.append("<code>" if self.in_code else "</code>")
            result.append(escaped(part))
        return "".join(result)


def documented(texts, fields=False):
    prose, result, in_list, block = Prose(), [], False, None

    def end_block():
        nonlocal block
        if block:
            result[-1] += " @endcode"
        block = None

    for text in texts:
        text = text[1:] if text.startswith(" ") else text
        if block and (text.startswith("  ") or (not text.strip() and block == "cpp")):
            result.append(text)
            continue
        end_block()
        if not text.strip():
            in_list = False
            result.append("")
        elif text.startswith("- "):
            in_list = True
            result.append("- " + prose.line(text[2:]))
        elif in_list:
            result.append("  " + prose.line(text.strip()))
        elif text.startswith("  ") and not prose.in_code:
            block = "cpp" if result and result[-1].endswith("Example:</b> ") else "text"
            if result:
                result[-1] += " @code" + ("{.cpp}" if block == "cpp" else "{.unparsed}")
                result.append(text)
            else:
                result.append(f"@code{{.unparsed}} {text}")
        else:
            field = re.match(r"(%s): ?(.*)" % "|".join(FIELDS), text) if fields else None
            if not field:
                result.append(prose.line(text))
            elif field[1] == "What it is":
                rest = re.sub(r"^(a|an|the|all|one|two|what|how|declarations|functions?|memory)\b",
                              lambda found: found[0].capitalize(), field[2])
                result.append(prose.line(rest))
            else:
                result.append(f"<p><b>{field[1]}:</b> " + prose.line(field[2]))
    end_block()
    return result


def is_left_out(declaration):
    text = without_template_heads(ATTRIBUTE.sub("", declaration.text))
    text = re.sub(r"^requires\b.*?(?=friend\b)", "", text)
    if re.match(r"static_assert\b|using namespace\b|extern\b", text):
        return True
    if re.match(r"friend\b", text):
        return "(" not in text
    if re.match(r"(explicit\s*(\(.*?\))?\s*)?\w+\s*\(.*\)\s*->", text) and declaration.scope == "namespace":
        return True  # a deduction guide
    return bool(re.match(r"(class|struct)\s+[\w:]+\s*;", text))


def deleted(declaration):
    return re.search(r"=\s*delete\s*;?$", declaration.text.strip())


def subject_of(path, text):
    """What the block at the head of a public header documents, as a command of Doxygen."""
    stem = path.stem
    if "detail" in path.parts:
        return None
    if re.search(rf"/{stem}_class\.hpp>", text):
        return f"@class freehold::{stem}"
    found = re.search(rf"^(class|struct|concept|using)\s+(?:{ATTRIBUTE.pattern})?{stem}\b(?!\s*;)", text, re.M)
    if not found:
        return "@file"
    return {"using": "@typedef"}.get(found[1], "@" + found[1]) + f" freehold::{stem}"


def meaning(path, declaration):
    text = without_constraints(ATTRIBUTE.sub("", declaration.text))
    text = re.sub(r"^explicit ", "", " ".join(without_template_heads(text).split()))
    return next((sentence for folder, names, sentence in VOCABULARY
                 if (not folder or folder in path.parts) and names.match(text)), None)


def plain_code(line):
    code = line.code if line.directive else ATTRIBUTE.sub("", line.code)
    code = re.sub(r"\bFREEHOLD_(API|CORE)\b\s?", "", code)
    code = re.sub(r"\bnamespace freehold::inline FREEHOLD_ABI", "namespace freehold", code)
    return "" if "abi_tag" in code else code.rstrip()


def end_of_constraint(text, i):
    """The index after the constraint of a requires-clause that starts at i."""
    def spaces(i):
        return i + len(text[i:]) - len(text[i:].lstrip())

    def balanced(i, opening, closing):
        depth = 0
        while i < len(text):
            depth += (text[i] == opening) - (text[i] == closing)
            i += 1
            if depth == 0:
                break
        return i

    while True:
        i = spaces(i)
        nested = re.match(r"requires\b\s*", text[i:])
        if nested:
            i += nested.end()
            i = spaces(balanced(i, "(", ")")) if text[i] == "(" else i
            i = balanced(i, "{", "}")
        elif text[i] == "(":
            i = balanced(i, "(", ")")
        else:
            i += len(re.match(r"[!\w:]*", text[i:])[0])
            while text[i] == "<":
                i = balanced(i, "<", ">")
                i += len(re.match(r"[\w:]*", text[i:])[0])
        joined = re.match(r"\s*(&&|\|\|)", text[i:])
        if not joined:
            return i
        i += joined.end()


def without_constraints(text):
    """Doxygen 1.9.4 loses a class if it reads a requires-clause after a function's parameters."""
    found = re.compile(r"(?<=[>)\w&]) *\n?\s*\brequires\b(?!\s*\{)")
    at = 0
    while True:
        match = found.search(text, at)
        if not match:
            return text
        begin = text.rfind("requires", match.start(), match.end())
        at = match.end()
        statement = max(text.rfind(each, 0, begin) for each in ";{}")
        if re.search(r"\bconcept\b|=\s*$", text[statement + 1:begin]) or "concept" in text[statement + 1:begin]:
            continue
        end = end_of_constraint(text, begin + len("requires"))
        text = text[:begin] + re.sub(r"[^\n]", " ", text[begin:end]) + text[end:]


def filtered(path, text):
    lines = read(text)
    declarations = parse(lines)
    begins = {each.first: each for each in declarations}
    ends = {each.last: each for each in declarations}
    code = "\n".join("" if line.hidden else plain_code(line) for line in lines)
    result = [each.rstrip() for each in without_constraints(code).split("\n")]

    body = next((i for i, line in enumerate(lines) if line.code.startswith("#pragma once")), 0)
    subject = subject_of(path, text)
    if body and subject:
        for i, each in enumerate([subject] + documented([line.comment or "" for line in lines[1:body]], fields=True)):
            result[i] = "/// " + each
        result[body] = ""
        if subject != "@file":
            result[body] = f"/** @brief Defines {subject.split()[1]}. @file */"

    block, texts, uses, trailing, depth = [], [], 0, None, 0

    for i, line in enumerate(lines[body:], start=body):
        if line.hidden or line.directive:
            if line.directive and re.match(r"\s*#\s*define\b", line.code):
                if block and not uses:
                    for number, each in zip(block, documented(texts)):
                        result[number] = "/// " + each
                    uses = 1
                elif not lines[i - 1].code.endswith("\\") and not line.comment:
                    result[i] = ""  # a macro without a comment is the library's own
            elif line.directive and not line.code.lstrip().startswith("#") and not result[i - 1]:
                result[i] = ""
            continue
        code = line.bare.strip()
        if line.depth != depth and line.fresh:
            block, texts, uses, trailing, depth = [], [], 0, None, line.depth
        if not code and line.comment is None:
            block, texts, uses, trailing = [], [], 0, None
            continue
        if not code:
            if trailing == line.column and line.comment:
                result[i] = "///< " + documented([line.comment])[0]
                continue
            trailing = None
            if line.scope in DECLARABLE and line.fresh:
                if uses:
                    block, texts, uses = [], [], 0
                if not NO_TEXT.match(line.comment):
                    block.append(i)
                    texts.append(line.comment)
            continue
        trailing = None
        begun = begins.get(i)
        if re.fullmatch(r"(public|protected|private)\s*:", code):
            block, texts, uses = [], [], 0
        elif begun and is_left_out(begun):
            for number in range(begun.first, begun.last + 1):
                result[number] = ""
            uses += 1
        elif begun and deleted(begun):
            result[i] = "/** Deleted. */ " + result[i]
            uses += 1
        elif begun:
            ended = lines[begun.last]
            own = ended.comment is not None and begun.last in ends and not NO_TEXT.match(ended.comment) and \
                not ended.comment.startswith(" namespace")
            if block and uses == 0:
                for number, each in zip(block, documented(texts)):
                    result[number] = "/// " + each
                if meaning(path, begun):
                    result[block[0]] = result[block[0]].replace("///", f"/// {meaning(path, begun)}", 1)
            elif not own and meaning(path, begun):
                result[i] = f"/** {meaning(path, begun)} */ " + result[i]
            elif block and not own:
                result[i] = "/** " + " ".join(documented(texts)) + " */ " + result[i]
            uses += 1
        if line.comment is not None and not NO_TEXT.match(line.comment) and i in ends and \
                not line.comment.startswith(" namespace") and not is_left_out(ends[i]):
            result[i] += "  ///< " + documented([line.comment])[0]
            trailing = line.column
    return "\n".join(result)


if __name__ == "__main__":
    for header in map(Path, sys.argv[2:]):
        target = Path(sys.argv[1]) / header
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(filtered(header, header.read_text()) + "\n")
