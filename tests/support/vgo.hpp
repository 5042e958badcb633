// Builds small VGO files for tests, and reads files as documents.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/vector.hpp"
#include "formats/vgo/document.hpp"
#include "support/writers/vgo.hpp"

namespace rigcast::test {

/// Returns a list as a Value, for a layout.
inline Value listOf(Vector<Value> values) { return values; }

/// Returns a file with a root and an untextured quad of two triangles in the plane z = 0, shown by
/// the second node. Accessors: 0 transforms, 1 positions, 2 normals, 3 UVs, 4 indices.
VgoBuilder quadVgo();

/// A document and the memory to which it refers.
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
