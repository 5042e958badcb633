// BSON, as far as VGO files use it: the same tree as JSON gives, every length checked against its parent.
#pragma once

#include "core/bytes.hpp"
#include "core/json.hpp"

namespace rigcast {

/// The document that fills `bytes` (what lies behind its end is an error). Binary values become Base64, as the same writer puts them into JSON.
Tree readBson(Bytes bytes, std::size_t depth = 128);

}  // namespace rigcast
