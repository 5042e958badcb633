// Parses the subset of BSON that VGO files use. Returns the same kind of tree as the JSON parser.
// Checks that every length fits into the parent document.
#pragma once

#include "core/bytes.hpp"
#include "core/json.hpp"

namespace rigcast {

/// Parses a document that must end at the end of `bytes`. Converts binary values to Base64 texts,
/// as writers do in JSON.
Tree readBson(Bytes bytes, std::size_t depth = 128);

}  // namespace rigcast
