// Texts of the finding codes for native tools and tests. WebAssembly modules do not contain them:
// pages load the same texts from web/src/core/codeTable.ts when they show a report.
#pragma once

#include <span>
#include <string_view>

namespace rigcast {

/// The texts of one finding code, from core/codes.def. The table has the same order as `codeTable`.
struct CodeText {
    std::string_view ids;       // ids in the format documents, separated by spaces; may be empty
    std::string_view sentence;  // describes the finding
    std::string_view advice;    // advice in Markdown
};

std::span<const CodeText> codeTexts();

}  // namespace rigcast
