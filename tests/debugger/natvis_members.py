# SPDX-License-Identifier: BSL-1.0
"""Run in gdb, where the program of handles.cpp has stopped: whether NATVIS in the environment is well-formed, names the
types of the program's variables, and names only members that these have. What Microsoft's library has is not checked."""
import os
import re
import xml.etree.ElementTree as xml

import gdb

SPACE = "{http://schemas.microsoft.com/vstudio/debugger/natvis/2010}"
variables = {
    each.name: str(each.value(gdb.selected_frame()).type.strip_typedefs().unqualified())
    for each in gdb.selected_frame().block()
    if each.is_variable
}
missing = []


def expressions(kind):
    for each in kind.iter():
        if "Condition" in each.attrib:
            yield each.attrib["Condition"]
        if each.tag == SPACE + "DisplayString":
            yield from re.findall(r"\{(.*?)\}", each.text)
        elif each.tag in (SPACE + "Item", SPACE + "ExpandedItem"):
            yield each.text


def members(expression):
    for chain in re.findall(r"(?<![\w$.>])[a-z]\w*(?:(?:\.|->)\w+)*", re.sub(r"\(\$T1\*\)", "", expression)):
        if chain != "nullptr":
            yield re.sub(r"\._Storage.*", "", chain)


def exists(name, member):
    try:
        gdb.parse_and_eval(f"&({name}.{member})" if "->" not in member else f"sizeof({name}.{member})")
        return True
    except gdb.error:
        return False


for kind in xml.parse(os.environ["NATVIS"]).getroot().iter(SPACE + "Type"):
    names = [kind.attrib["Name"]] + [each.attrib["Name"] for each in kind.iter(SPACE + "AlternativeType")]
    patterns = [re.escape(each).replace(r"\*", ".*") + "$" for each in names]
    matching = [name for name, of in variables.items() if any(re.match(each, of) for each in patterns)]
    if not matching:
        missing.append(f"a variable of type {names[0]}")
    for member in {each for expression in expressions(kind) for each in members(expression)}:
        if not any(exists(name, member) for name in matching):
            missing.append(f"{names[0]}: {member}")
print("natvis lacks: " + "; ".join(missing) if missing else "every member of the natvis exists")
