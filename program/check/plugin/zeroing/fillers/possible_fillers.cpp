// SPDX-License-Identifier: BSL-1.0
#include "possible_fillers.hpp"

#include "check/plugin/syntax/syntax.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>

namespace freehold::check {
namespace {

using namespace clang;

using words = std::vector<std::string>;

/// The words of a name, in small letters: `ReadBytes`, `read_bytes`.
words words_in(llvm::StringRef name) {
    const auto is_upper = [](char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; };
    const auto is_lower = [](char c) { return std::islower(static_cast<unsigned char>(c)) != 0; };
    words result(1);
    for (std::size_t i = 0; i < name.size(); ++i) {
        const bool begins =
            is_upper(name[i]) && i > 0 &&
            (!is_upper(name[i - 1]) || (i + 1 < name.size() && is_lower(name[i + 1])));
        if (begins || name[i] == '_') result.emplace_back();
        if (name[i] != '_')
            result.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(name[i])));
    }
    return result;
}

/// True if a word of the name begins with one of the stems, or ends with it if `at_end`: `recvall`,
/// `ioread`.
template <class Stems>
bool has_word_of(llvm::StringRef name, const Stems& stems, bool at_end = false) {
    const words all = words_in(name);
    return std::any_of(all.begin(), all.end(), [&](const std::string& word) {
        return std::any_of(stems.begin(), stems.end(), [&](std::string_view stem) {
            return word.rfind(stem, 0) == 0 ||
                   (at_end && word.size() > stem.size() &&
                    word.compare(word.size() - stem.size(), stem.size(), stem) == 0);
        });
    });
}

bool is_called_like_a_filler(llvm::StringRef name) {
    constexpr std::array<std::string_view, 17> fillers = {
        "read",    "recv",    "receive", "get",    "fill",       "load",
        "fetch",   "copy",    "peek",    "decode", "decompress", "uncompress",
        "inflate", "decrypt", "extract", "unpack", "random"};
    constexpr std::array<std::string_view, 8> others = {"write", "send", "put",  "print",
                                                        "store", "save", "hash", "encode"};
    return has_word_of(name, fillers, true) && !has_word_of(name, others);
}

bool takes_bytes(QualType type) {
    if (!type->isPointerType()) return false;
    const QualType target = type->getPointeeType();
    return !target.isConstQualified() &&
           (target->isVoidType() || target->isIntegerType() || target->isStdByteType());
}

/// An integer that is not called like something else than a size.
bool may_be_size(const ParmVarDecl& parameter) {
    constexpr std::array<std::string_view, 23> others = {
        "off",  "pos",  "index",  "idx",   "flag",  "timeout", "mode",  "type",
        "id",   "chan", "strid",  "align", "seed",  "addr",    "start", "begin",
        "from", "fd",   "handle", "sock",  "level", "src",     "source"};
    const QualType type = parameter.getType();
    return type->isIntegerType() && !type->isBooleanType() && !type->isEnumeralType() &&
           !has_word_of(name_of(&parameter), others);
}

bool is_same(QualType a, QualType b) {
    return a.getCanonicalType().getUnqualifiedType() == b.getCanonicalType().getUnqualifiedType();
}

bool is_called_like_a_size(const ParmVarDecl& parameter) {
    constexpr std::array<std::string_view, 9> sizes = {"size", "len", "count", "num", "cnt",
                                                       "byte", "cap", "room",  "max"};
    return name_of(&parameter) == "n" || has_word_of(name_of(&parameter), sizes);
}

/// The parameters that may say how large the buffer is: behind the buffer, before it, or elsewhere.
std::vector<unsigned> sizes_for(const FunctionDecl& function, unsigned buffer) {
    const auto fits = [&](unsigned index) {
        return index < function.getNumParams() && may_be_size(*function.getParamDecl(index));
    };
    // As fread, the function may take the size of an element and the number of elements.
    if (fits(buffer + 1) && fits(buffer + 2) &&
        is_same(function.getParamDecl(buffer + 1)->getType(),
                function.getParamDecl(buffer + 2)->getType()))
        return {buffer + 1, buffer + 2};
    if (fits(buffer + 1)) return {buffer + 1};
    if (buffer > 0 && fits(buffer - 1)) return {buffer - 1};
    for (unsigned i = 0; i < function.getNumParams(); ++i)
        if (fits(i) && is_called_like_a_size(*function.getParamDecl(i))) return {i};
    return {};
}

/// An entry of FillFunctions is for all functions of this name.
bool suits_overloads(const FunctionDecl& function, unsigned buffer) {
    const std::vector<unsigned> sizes = sizes_for(function, buffer);
    if (sizes.empty()) return false;
    for (const NamedDecl* each :
         function.getDeclContext()->getRedeclContext()->lookup(function.getDeclName())) {
        const FunctionDecl* other = each->getAsFunction();
        if (other == nullptr || other->getNumParams() <= buffer) continue;
        const QualType type = other->getParamDecl(buffer)->getType();
        if (!type->isPointerType() || type->getPointeeType().isConstQualified()) continue;
        if (!takes_bytes(type) || sizes_for(*other, buffer) != sizes ||
            !is_same(other->getParamDecl(sizes.front())->getType(),
                     function.getParamDecl(sizes.front())->getType()) ||
            !is_same(other->getReturnType(), function.getReturnType()))
            return false;
    }
    return true;
}

std::vector<std::string_view> forms_of(QualType result) {
    if (result->isVoidType()) return {"all"};
    if (result->isBooleanType()) return {"nonzero"};
    if (result->isEnumeralType()) return {"zero", "nonzero"};
    if (result->isUnsignedIntegerType()) return {"result", "zero", "nonzero"};
    if (result->isIntegerType()) return {"result", "zero", "nonzero", "notnegative"};
    return {};
}

/// True for the functions of the C and C++ libraries.
bool is_standard(const FunctionDecl& function, const ASTContext& context) {
    return is_in_system_header(&function, context) &&
           (function.getDeclContext()->getRedeclContext()->isTranslationUnit() ||
            qualified_name(&function).rfind("std::", 0) == 0);
}

}  // namespace

std::vector<possible_filler> possible_fillers_of(const FunctionDecl& function, unsigned buffer,
                                                 const ASTContext& context) {
    std::vector<possible_filler> result;
    if (buffer >= function.getNumParams() || is_standard(function, context) ||
        !is_called_like_a_filler(name_of(&function)) ||
        !takes_bytes(function.getParamDecl(buffer)->getType()) ||
        !suits_overloads(function, buffer))
        return result;
    const std::vector<unsigned> sizes = sizes_for(function, buffer);
    for (const unsigned size : sizes) {
        possible_filler each{
            qualified_name(&function) + ":" + std::to_string(buffer) + ":" + std::to_string(size),
            forms_of(function.getReturnType())};
        // As that of fread, the result may be a number of elements, but not more than the last.
        if (size != sizes.back())
            each.forms.erase(std::remove(each.forms.begin(), each.forms.end(), "result"),
                             each.forms.end());
        result.push_back(std::move(each));
    }
    return result;
}

}  // namespace freehold::check
