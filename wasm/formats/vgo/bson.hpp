// Reads the subset of BSON that VGO files use, as the same tree as JSON. Every length is checked
// against its parent.
#pragma once

#include "core/bytes.hpp"
#include "core/json.hpp"

namespace rigcast {

/// Reads a document that fills `bytes`; trailing bytes are an error. Binary values become Base64,
/// which the same writer uses in JSON.
Tree readBson(Bytes bytes, std::size_t depth = 128);

}  // namespace rigcast
