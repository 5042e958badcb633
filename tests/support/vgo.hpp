// Small VGO files for tests, and reading them as documents.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/vector.hpp"
#include "formats/vgo/document.hpp"
#include "support/writers/vgo.hpp"

namespace rigcast::test {

/// A list for a layout.
inline Value listOf(Vector<Value> values) { return values; }

/// Root and an untextured quad of two triangles in the plane z = 0, shown by the second node.
/// Accessors: 0 transforms, 1 positions, 2 normals, 3 UVs, 4 indices.
VgoBuilder quadVgo();

/// A document with the memory that it points into.
struct ReadVgo {
    Vector<std::uint8_t> bytes;
    Vector<Supplied> supplied;
    Diagnostics diagnostics;
    VgoDocument document;
    bool complete = false;

    /// Returns the finding with this code, or nullptr.
    const Finding* finding(Code code) const;
    bool isClean() const { return diagnostics.findings().empty(); }
};

std::unique_ptr<ReadVgo> readVgoBytes(Vector<std::uint8_t> bytes, Vector<Supplied> supplied = {}, std::string_view name = "quad.vgo");

}  // namespace rigcast::test
