// The documentation of the codes, printed from the one table.
#pragma once

#include <string>

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
    for (const CodeInfo& info : codeTable())
        page.append("| `")
            .append(info.name)
            .append("` | ")
            .append(nameOf(info.severity))
            .append(" | ")
            .append(info.sentence)
            .append(" |\n");
    return page;
}

}  // namespace rigcast::test
