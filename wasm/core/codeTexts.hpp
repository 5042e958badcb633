// What the codes mean, for people. Nothing that reads files needs it: pages get these sentences from web/src/core/codeTable.ts, which is printed
// from the same table, when they show a report.
#pragma once

#include <span>
#include <string_view>

namespace rigcast {

/// The texts of a row of core/codes.def, in the order of codeTable().
struct CodeText {
    std::string_view ids;       // ids of the format documents that this code stands for, separated by blanks, or empty
    std::string_view sentence;  // what it means
};

std::span<const CodeText> codeTexts();

}  // namespace rigcast
