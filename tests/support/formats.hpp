// Generates TypeScript from the list of formats.
#pragma once

#include <string>

namespace rigcast::test {

/// Returns the content of web/src/core/formatTable.ts, which has one row per format.
std::string formatTable();

/// Returns the content of web/src/core/moduleAddresses.ts, which has the URL of each WebAssembly
/// module.
std::string moduleAddresses();

}  // namespace rigcast::test
