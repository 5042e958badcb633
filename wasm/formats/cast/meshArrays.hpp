// Arrays of a mesh in the file.
#pragma once

#include <cstdint>

#include "core/vector.hpp"
#include "formats/cast/values.hpp"

namespace rigcast {

struct CastContext;

/// A layer property and the number in its name.
struct CastLayer {
    std::uint32_t number;
    CastProperty property;
};

/// The UV sets or colours that a mesh declares, in order.
struct CastLayers {
    CastName counter;
    Vector<CastLayer> list;
    std::size_t beyond = 0;   // number of omitted layers above the declared count
    bool areMissing = false;  // fewer layers than declared
};

/// Memory for some entries of an array.
struct CastWindow {
    Vector<std::uint8_t> raw;
    Vector<float> repaired;
};

class CastMeshArrays {
public:
    /// Finds the arrays. An array of a wrong type is treated as absent.
    CastMeshArrays(CastContext& context, std::uint32_t node);

    CastProperty positions, normals, tangents, faces, bones, weights, legacyColor;
    CastLayers uvs, colors;
    std::uint32_t influences = 0;  // per vertex

    std::uint32_t vertices() const { return positions.count; }
    /// Returns true if a layer can follow `sets` UV sets, with at most 8 blank sets between.
    static bool isUv(const CastLayer& layer, std::size_t sets) { return layer.property.type == CastType::vec2 && layer.number <= sets + 8; }

    /// Returns the bytes of some entries: a part of the file, or `buffer`, valid until its next
    /// use.
    Bytes part(const CastProperty& all, std::size_t first, std::size_t count, Vector<std::uint8_t>& buffer) const;
    /// Returns some entries of an array of integers.
    CastIntegers integers(const CastProperty& all, std::size_t first, std::size_t count, Vector<std::uint8_t>& buffer) const;
    /// Returns some entries of an array of floats, repaired as by `makeFinite`. Adds the number of
    /// repaired floats to `damaged`.
    Bytes finite(const CastProperty& all, std::size_t first, std::size_t count, CastWindow& window, std::size_t group,
                 std::uint64_t& damaged) const;
    /// Returns some positions, repaired.
    Bytes points(std::size_t first, std::size_t count, CastWindow& window) const;

private:
    CastLayers layersOf(char letter, CastName counter);

    CastContext& context_;
    std::uint32_t node_;
};

}  // namespace rigcast
