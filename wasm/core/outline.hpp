// Outline: the content of a file as a generic tree, for inspectors and tests. Built on demand,
// lossless, in file order.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/value.hpp"
#include "core/vector.hpp"

namespace rigcast {

/// A field of a node: position of its raw bytes (strings without terminator) and, if it is small,
/// its value.
struct OutlineField {
    using MadeOf = MovableParts;
    std::string name;
    std::string type;  // as the format spells it
    std::uint64_t count = 0;
    std::uint64_t offset = 0;
    std::uint64_t byteLength = 0;
    Value value = {};  // null: omitted
    /// Bytes that the file does not contain as such (VGO: sparse accessors, external resources). If
    /// set, the hash covers them.
    std::optional<Vector<std::uint8_t>> expanded = std::nullopt;
};

struct OutlineNode {
    using MadeOf = MovableParts;
    std::string kind;
    std::string name = {};
    bool isNamed = false;  // false: no name; a name can also be empty (events)
    std::string id = {};
    std::string hash = {};
    std::uint64_t offset = 0;
    std::uint64_t size = 0;  // bytes, header included
    Vector<OutlineField> fields = {};
    Vector<OutlineNode> children = {};
};

using Outline = Vector<OutlineNode>;

}  // namespace rigcast
