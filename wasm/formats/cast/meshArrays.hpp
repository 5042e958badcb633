// Finds the arrays of a mesh in the file.
#pragma once

#include <cstdint>

#include "core/vector.hpp"
#include "formats/cast/values.hpp"

namespace rigcast {

struct CastContext;

/// A UV or colour layer: its property, and the number in the name of the property.
struct CastLayer {
    std::uint32_t number;
    CastProperty property;
};

/// The UV sets or colour layers that a mesh declares, in order.
struct CastLayers {
    CastName counter;
    Vector<CastLayer> list;
    std::size_t beyond = 0;   // number of layers that were omitted because they exceed the declared count
    bool areMissing = false;  // true: fewer layers than declared
};

/// Scratch memory for one window of an array.
struct CastWindow {
    Vector<std::uint8_t> raw;
    Vector<float> repaired;
};

class CastMeshArrays {
public:
    /// Finds the arrays of a mesh. An array of the wrong type is treated as absent.
    CastMeshArrays(CastContext& context, std::uint32_t node);

    CastProperty positions, normals, tangents, faces, bones, weights, legacyColor;
    CastLayers uvs, colors;
    std::uint32_t influences = 0;  // influences per vertex

    std::uint32_t vertices() const { return positions.count; }
    /// Returns true if a UV layer can follow `sets` UV sets. Its number may exceed `sets` by at
    /// most 8, because blank sets are added for missing numbers.
    static bool isUv(const CastLayer& layer, std::size_t sets) { return layer.property.type == CastType::vec2 && layer.number <= sets + 8; }

    /// Returns the bytes of `count` elements starting at `first`. The result refers to the file if
    /// it is in memory, otherwise to a copy in `buffer`.
    Bytes part(const CastProperty& all, std::size_t first, std::size_t count, Vector<std::uint8_t>& buffer) const;
    /// Returns `count` integers starting at `first`. The result may refer to a copy in `buffer`.
    CastIntegers integers(const CastProperty& all, std::size_t first, std::size_t count, Vector<std::uint8_t>& buffer) const;
    /// Returns the floats of `count` elements starting at `first`, after repairs by `makeFinite`.
    /// Adds the number of non-finite floats to `damaged`.
    Bytes finite(const CastProperty& all, std::size_t first, std::size_t count, CastWindow& window, std::size_t group,
                 std::uint64_t& damaged) const;
    /// Returns `count` repaired positions starting at `first`.
    Bytes points(std::size_t first, std::size_t count, CastWindow& window) const;

private:
    CastLayers layersOf(char letter, CastName counter);

    CastContext& context_;
    std::uint32_t node_;
};

}  // namespace rigcast
