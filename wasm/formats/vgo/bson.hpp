// Parses the subset of BSON that VGO files use, to the same tree as JSON. Checks every length
// against its parent.
#pragma once

#include "core/bytes.hpp"
#include "core/json.hpp"

namespace rigcast {

/// Parses a document that fills `bytes`. Trailing bytes are an error. Binary values become Base64,
/// because the same writer uses it in JSON.
Tree readBson(Bytes bytes, std::size_t depth = 128);

}  // namespace rigcast
