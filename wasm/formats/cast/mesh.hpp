// Converts a mesh. Reads arrays and writes columns in windows, so that arrays and columns need not
// be in the heap.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/vector.hpp"
#include "formats/cast/bulk.hpp"
#include "formats/cast/meshArrays.hpp"
#include "formats/cast/scene.hpp"
#include "scene/bounds.hpp"
#include "scene/lower.hpp"

namespace rigcast {

/// Divides `entries` elements into windows and calls `visit(first, count)` for each. Stops and
/// returns false when `visit` returns false.
template <class Visit>
void everyWindow(std::uint32_t entries, Visit visit) {
    for (std::uint32_t first = 0; first < entries; first += windowRecords)
        if (!visit(first, std::min<std::uint32_t>(windowRecords, entries - first))) return;
}

template <class T>
void writeZeros(StreamingColumn<T>& to, std::uint32_t count) {
    everyWindow(count, [&](std::uint32_t, std::uint32_t some) {
        std::fill_n(to.next(some), some, T{0});
        to.commit(some);
        return true;
    });
}

class CastMeshReader final : Patches {
public:
    CastMeshReader(CastContext& context, std::uint32_t node, CastModel& model)
        : context_(context), node_(node), model_(model), arrays_(context, node) {}

    void read();

private:
    // ---- Defined in mesh.cpp
    bool canStream() const;
    std::uint64_t columnBytes() const;
    bool fits(const CastProperty& property);
    bool writeFloats(const CastProperty& from, Column<float>& column);
    bool writePositions();
    double farthestIn(const Patch& patch, const Vec3& center) override;

    // ---- Defined in meshFaces.cpp
    bool writeFaces();
    template <class Index>
    bool writeFaces(Column<Index>& column);
    bool isWithoutFaces();
    bool isInsideOut();

    // ---- Defined in meshNormals.cpp
    bool writeNormals();
    bool writeSmooth(StreamingColumn<float> to);
    bool addTangents();

    // ---- Defined in meshLayers.cpp
    bool writeLayers();
    void report(const CastLayers& layers);
    bool writeColors(const CastProperty& from);

    // ---- Defined in meshWeights.cpp
    bool writeWeights();
    bool isRigid() const;
    bool writeFour(InfluenceSummary& summary);
    bool writeAll(InfluenceSummary& summary);
    CastIntegers bonesOf(std::size_t first, std::size_t count);
    Bytes weightsOf(std::size_t first, std::size_t count);
    PointInfluences usableInfluences(const CastIntegers& bones, Bytes weights, std::uint32_t count);
    bool makeBoxes();

    std::uint32_t vertices() const { return arrays_.vertices(); }

    template <class T>
    StreamingColumn<T> streamColumn(std::uint64_t perVertex) {
        return context_.arena.streamColumn<T>(mesh_.block, perVertex * vertices());
    }

    /// Writes a column of floats and reports damage. Calls `visit(first, count, values)` for each
    /// window.
    template <class Visit>
    bool writeFloats(const CastProperty& from, std::size_t group, StreamingColumn<float> to, Visit visit) {
        if (!to) return false;
        std::uint64_t damaged = 0;
        everyWindow(vertices(), [&](std::uint32_t first, std::uint32_t count) {
            const Bytes values = arrays_.finite(from, first, count, window_, group, damaged);
            to.append(values);
            visit(first, count, values);
            return true;
        });
        if (damaged) context_.warn(Code::NON_FINITE, node_, {}, from.name, damaged);
        return true;
    }

    CastContext& context_;
    std::uint32_t node_;
    CastModel& model_;
    CastMeshArrays arrays_;
    // If true, bounds are computed while columns are written, because columns may be outside the
    // heap.
    bool isStreamed_ = false;
    bool isInsideOut_ = false, isReversed_ = false;
    TriangleCounts triangles_;
    std::uint64_t outsideBones_ = 0, damagedWeights_ = 0;
    Mesh mesh_;
    CastWindow window_;
    Vector<std::uint8_t> boneWindow_, weightWindow_;
};

}  // namespace rigcast
