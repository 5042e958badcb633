// The documentation of the codes, printed from the one table.
#pragma once

#include <string>

#include "core/codeTexts.hpp"
#include "core/diagnostics.hpp"

namespace rigcast::test {

/// What wasm/core/codes.md holds.
inline std::string codesPage() {
    std::string page =
        "# Codes of findings\n\n"
        "Printed by `npm run codes -- --write` from `codes.def`. A code is stable; severities are defaults: `strict` raises warnings to "
        "errors.\n\n"
        "| code | severity | meaning |\n"
        "|---|---|---|\n";
    for (std::size_t i = 0; i < codeTable().size(); ++i)
        page.append("| `")
            .append(codeTable()[i].name)
            .append("` | ")
            .append(nameOf(codeTable()[i].severity))
            .append(" | ")
            .append(codeTexts()[i].sentence)
            .append(" |\n");
    return page;
}

/// As a string of TypeScript.
inline std::string quoted(std::string_view text) {
    std::string out = "'";
    for (const char c : text) {
        if (c == '\'' || c == '\\') out += '\\';
        out += c;
    }
    return out + "'";
}

/// What web/src/core/codeTable.ts holds.
inline std::string codesModule() {
    std::string module =
        "// Printed by `npm run codes -- --write` from wasm/core/codes.def.\n"
        "import type { CodeInfo } from './codeInfo.ts';\n\n"
        "export const codeTable: CodeInfo[] = [\n";
    for (std::size_t i = 0; i < codeTable().size(); ++i)
        module.append("  { code: ")
            .append(quoted(codeTable()[i].name))
            .append(", severity: ")
            .append(quoted(nameOf(codeTable()[i].severity)))
            .append(", ids: ")
            .append(quoted(codeTexts()[i].ids))
            .append(", sentence: ")
            .append(quoted(codeTexts()[i].sentence))
            .append(" },\n");
    return module + "];\n";
}

}  // namespace rigcast::test
