// Parses the subset of BSON that VGO files use. The result is the same tree as for JSON. Checks
// that every length fits into the parent.
#pragma once

#include "core/bytes.hpp"
#include "core/json.hpp"

namespace rigcast {

/// Parses a document that must use all of `bytes`. Binary values become Base64 texts, which the
/// same writer uses in JSON.
Tree readBson(Bytes bytes, std::size_t depth = 128);

}  // namespace rigcast
