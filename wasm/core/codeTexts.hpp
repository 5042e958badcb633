// The texts of the codes, for tools and tests. No WebAssembly module links them: pages load web/src/core/codeTable.ts, which is printed from the same table,
// when they show a report.
#pragma once

#include <span>
#include <string_view>

namespace rigcast {

/// The texts of a row of core/codes.def, in the order of codeTable().
struct CodeText {
    std::string_view ids;       // ids of the format documents that this code stands for, separated by blanks, or empty
    std::string_view sentence;  // what it means
    std::string_view advice;    // what to do about it, with code and links as in Markdown
};

std::span<const CodeText> codeTexts();

}  // namespace rigcast
