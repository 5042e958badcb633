// The outline: the complete content of a file as a generic tree in file order, for inspection and
// tests.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/value.hpp"
#include "core/vector.hpp"

namespace rigcast {

/// A field of a node: the range of its bytes in the file (without the terminator of a string) and,
/// if the value is small, the value itself.
struct OutlineField {
    using Relocation = Bytewise;
    std::string name;
    std::string type;  // name of the type in the format
    std::uint64_t count = 0;
    std::uint64_t offset = 0;
    std::uint64_t byteLength = 0;
    Value value = {};  // null if it is omitted
    /// Decoded content of a field that the file stores in another form (in VGO: sparse accessors
    /// and external resources). The hash is then computed from these bytes.
    std::optional<Vector<std::uint8_t>> expanded = std::nullopt;
};

struct OutlineNode {
    using Relocation = Bytewise;
    std::string kind;
    std::string name = {};
    bool isNamed = false;  // true: the node has a name, which can be empty (event names)
    std::string id = {};
    std::string hash = {};
    std::uint64_t offset = 0;
    std::uint64_t size = 0;  // size in bytes, including the header
    Vector<OutlineField> fields = {};
    Vector<OutlineNode> children = {};
};

using Outline = Vector<OutlineNode>;

}  // namespace rigcast
