// Prints the list of formats as TypeScript.
#pragma once

#include <string>

namespace rigcast::test {

/// Returns web/src/core/formatTable.ts: one row per format.
std::string formatTable();

/// Returns web/src/core/moduleAddresses.ts: the URL of each WebAssembly module.
std::string moduleAddresses();

}  // namespace rigcast::test
