#include "support/printed.hpp"

#include <array>

#include "core/codeTexts.hpp"
#include "core/diagnostics.hpp"
#include "support/formats.hpp"
#include "support/schema.hpp"

namespace rigcast::test {
namespace {

/// Returns a TypeScript string literal.
std::string quoted(std::string_view text) {
    std::string out = "'";
    for (const char c : text) {
        if (c == '\'' || c == '\\') out += '\\';
        out += c;
    }
    return out + "'";
}

/// Returns the content of web/src/core/codeTable.ts.
std::string codesModule() {
    std::string module =
        "// Printed by `npm run print` from wasm/core/codes.def.\n"
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

constexpr std::array files = {
    PrintedFile{"web/src/core/codeTable.ts", codesModule},   PrintedFile{"web/src/core/sceneTypes.ts", sceneTypes},
    PrintedFile{"web/src/core/sceneWords.ts", sceneWords},   PrintedFile{"docs/scene.md", scenePage},
    PrintedFile{"web/src/core/formatTable.ts", formatTable}, PrintedFile{"web/src/core/moduleAddresses.ts", moduleAddresses},
};

}  // namespace

std::span<const PrintedFile> printedFiles() { return files; }

}  // namespace rigcast::test
