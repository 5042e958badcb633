// The outline: what one file says as a generic tree, for people, inspectors and tests. Made on demand, lossless, ordered as the file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/value.hpp"
#include "core/vector.hpp"

namespace rigcast {

/// One field of a node: where its raw bytes lie (strings without their terminator) and, where it is small, what they say.
struct OutlineField {
    using MadeOf = MovableParts;
    std::string name;
    std::string type;  // in the format's own spelling
    std::uint64_t count = 0;
    std::uint64_t offset = 0;
    std::uint64_t byteLength = 0;
    Value value = {};  // null: not given
    /// Bytes that do not lie in the file as such (VGO's expanded accessors); the hash is then over these.
    std::optional<Vector<std::uint8_t>> expanded = std::nullopt;
};

struct OutlineNode {
    using MadeOf = MovableParts;
    std::string kind;
    std::string name = {};
    bool isNamed = false;  // an empty name is a name too (markers)
    std::string id = {};
    std::string hash = {};
    std::uint64_t offset = 0;
    std::uint64_t size = 0;  // its own header counted
    Vector<OutlineField> fields = {};
    Vector<OutlineNode> children = {};
};

using Outline = Vector<OutlineNode>;

}  // namespace rigcast
