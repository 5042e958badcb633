// The list of formats as TypeScript.
#pragma once

#include <string>

namespace rigcast::test {

/// The contents of web/src/core/formatTable.ts: a row per format.
std::string formatTable();

/// The contents of web/src/core/moduleAddresses.ts: the address of each WebAssembly module.
std::string moduleAddresses();

}  // namespace rigcast::test
