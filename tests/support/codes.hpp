// The table of findings as TypeScript, for pages and documentation.
#pragma once

#include <string>

#include "core/codeTexts.hpp"
#include "core/diagnostics.hpp"

namespace rigcast::test {

/// A string literal of TypeScript.
inline std::string quoted(std::string_view text) {
    std::string out = "'";
    for (const char c : text) {
        if (c == '\'' || c == '\\') out += '\\';
        out += c;
    }
    return out + "'";
}

/// The contents of web/src/core/codeTable.ts.
inline std::string codesModule() {
    std::string module =
        "// Printed by `npm run codes -- --write` from wasm/core/codes.def.\n"
        "import type { CodeInfo } from './codeInfo.ts';\n\n"
        "export const codeTable: CodeInfo[] = [\n";
    for (std::size_t i = 0; i < codeTable().size(); ++i) {
        const auto& [ids, sentence, advice] = codeTexts()[i];
        module.append("  {\n    code: ").append(quoted(codeTable()[i].name));
        module.append(",\n    severity: ").append(quoted(nameOf(codeTable()[i].severity)));
        module.append(",\n    ids: ").append(quoted(ids));
        module.append(",\n    sentence: ").append(quoted(sentence));
        module.append(",\n    advice: ").append(quoted(advice)).append(",\n  },\n");
    }
    return module + "];\n";
}

}  // namespace rigcast::test
