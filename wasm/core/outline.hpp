// Outline: the content of a file as a generic tree, for inspection and tests. Complete and in file
// order.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/value.hpp"
#include "core/vector.hpp"

namespace rigcast {

/// A field of a node: the range of its bytes in the file (strings without terminator) and, if it is
/// small, its value.
struct OutlineField {
    using Relocation = Bytewise;
    std::string name;
    std::string type;  // as the format spells it
    std::uint64_t count = 0;
    std::uint64_t offset = 0;
    std::uint64_t byteLength = 0;
    Value value = {};  // null: omitted
    /// The content, if the file stores it in another form (VGO: sparse accessors, external
    /// resources). The hash is then that of these bytes.
    std::optional<Vector<std::uint8_t>> expanded = std::nullopt;
};

struct OutlineNode {
    using Relocation = Bytewise;
    std::string kind;
    std::string name = {};
    bool isNamed = false;  // false: the node has no name; an empty name is possible (events)
    std::string id = {};
    std::string hash = {};
    std::uint64_t offset = 0;
    std::uint64_t size = 0;  // bytes, header included
    Vector<OutlineField> fields = {};
    Vector<OutlineNode> children = {};
};

using Outline = Vector<OutlineNode>;

}  // namespace rigcast
