// The mesh of a Cast file in which nothing is to be repaired, window by window.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/vector.hpp"
#include "formats/cast/bulk.hpp"
#include "formats/cast/scene.hpp"
#include "scene/bounds.hpp"

namespace rigcast {

/// A mesh as exporters write it: whole triangles and normals, all announced layers, up to four influences a vertex. Its arrays are looked at once, through windows, and its
/// columns are written as they come, so that neither lie in memory whole. Where a mesh is not so, nothing has been added and nothing told: `addCastMesh` makes the
/// same of it, and of all others.
class PlainCastMesh final : private Patches {
public:
    PlainCastMesh(CastContext& context, std::uint32_t node, CastModel& model) : context_(context), node_(node), model_(model) {}

    bool add();

private:
    bool looksPlain();
    bool take(const CastProperty& property);
    bool haveLayersCome();
    bool haveWeightsCome();
    std::uint64_t columnBytes() const;
    bool make();
    bool writePositions();
    template <class Index>
    bool writeFaces(Column<Index>& to);
    /// Whether nearly all triangles face against their normals; none where that would take too much of the file at once.
    std::optional<bool> isInsideOut();
    /// `areGood`: what the entries of a window have to be beside finite.
    bool writeFloats(const CastProperty& from, Column<float>& to, bool (*areGood)(const std::uint8_t*, std::size_t) = nullptr);
    bool writeColors(const CastProperty& from);
    bool writeWeights();
    void tell();
    double farthestIn(const Patch& patch, const Vec3& center) override;

    std::uint32_t vertices() const { return positions_.count; }
    /// Some of a property's bytes, where they lie or, until the next call, in `buffer`.
    Bytes part(const CastProperty& all, std::size_t first, std::size_t count, std::size_t width, Vector<std::uint8_t>& buffer) const {
        return context_.part(all.payload, first * width, count * width, buffer);
    }
    CastIntegers integers(const CastProperty& all, std::uint32_t first, std::uint32_t count, Vector<std::uint8_t>& buffer) const;

    CastContext& context_;
    std::uint32_t node_;
    CastModel& model_;
    CastProperty positions_, normals_, tangents_, faces_, joints_, weights_, perVertex_, uvCount_, colorCount_, oneColor_, method_;
    Vector<CastProperty> uvs_, colors_;
    std::uint32_t influences_ = 0;  // a vertex; 0: no weights
    bool isTurned_ = false;         // triangles are turned over, for they are against their normals
    TriangleCounts triangles_;
    InfluenceSummary summary_;
    Mesh mesh_;
    Vector<std::uint8_t> window_, normalWindow_, jointWindow_, weightWindow_;
};

}  // namespace rigcast
