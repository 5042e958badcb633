// Vertices and triangles of a PSK (psk-psa.md section 6.2).
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "core/diagnostics.hpp"
#include "core/vector.hpp"
#include "formats/unreal/psk.hpp"
#include "formats/unreal/tally.hpp"
#include "scene/lower.hpp"

namespace rigcast::unreal {

/// Maps vertices to wedges.
struct WedgeVertices {
    // Wedges of the first `ofWedges` vertices; empty if vertex = wedge.
    std::span<const std::uint32_t> wedges;
    // Further vertices belong to lone points and have no wedge.
    std::size_t ofWedges = 0;
    std::size_t count = 0;
};

/// Converts wedges and faces to vertices and triangles. Reads both chunks in windows. Vertices are
/// the wedges that triangles use in file order, then copies for smoothing groups, then one per lone
/// point.
class Topology {
public:
    Topology(Psk& psk, const Windows& windows) : psk_(psk), windows_(windows) {}

    /// Reads the wedges and determines the width of their indices from their values. Returns false
    /// if the budget is exceeded.
    bool readWedges(Diagnostics& diagnostics);
    /// Checks the faces, counts triangles per material and numbers the vertices. Also writes the
    /// indices, assuming the usual case of `hasExpectedIndices`. Returns false if no triangle is
    /// left or the budget is exceeded.
    bool readFaces(Mesh& mesh, Arena& arena, Diagnostics& diagnostics);
    /// Splits vertices by smoothing groups. Returns their normals, 3 floats per vertex; empty if
    /// the budget is exceeded.
    Vector<float> split(float scale);
    /// Adds a vertex for each point that no triangle uses. Returns false if the budget is exceeded.
    bool addLonePoints();
    /// True if the indices that `readFaces` wrote are correct: every wedge is a vertex, and every
    /// face is a triangle, in material order.
    bool hasExpectedIndices() const { return isComplete() && isSorted_ && wedges_.empty() && loneVertices() == 0; }
    /// Writes the triangles counter-clockwise, sorted by material, unless the mesh has them
    /// already. Adds the groups. Returns false if the budget is exceeded.
    bool writeIndices(Mesh& mesh, Arena& arena);

    /// True if faces have different smoothing groups.
    bool hasSmoothingGroups() const { return hasGroups_; }
    bool hasWideIndices() const { return points_.size() > narrowVertices; }
    std::size_t triangleCount() const { return triangleCount_; }
    std::size_t materialCount() const;
    WedgeVertices vertices() const { return {wedges_, wedgeVertices_, points_.size()}; }
    std::size_t loneVertices() const { return points_.size() - wedgeVertices_; }
    /// Point of each vertex.
    std::span<const std::uint32_t> points() const { return points_; }
    /// Same; empty if vertex = point.
    std::span<const std::uint32_t> pointsUnlessSame() const { return isPointVertex_ ? std::span<const std::uint32_t>{} : points(); }

private:
    std::size_t resolveWedges();
    bool isComplete() const { return triangleCount_ == psk_.faces.size(); }
    template <class Index>
    Column<Index> checkAllFaces(StreamingColumn<Index> to);
    template <class FaceIndex, class Index>
    void checkFaces(const Records& faces, std::size_t first, Index* to);
    void numberVertices();
    std::array<std::size_t, 256> firstTriangles() const;
    template <class Index>
    std::size_t writeTriangles(const Faces& faces, Index* to, std::uint32_t* groups) const;
    template <class Index>
    Column<Index> writeColumn(StreamingColumn<Index> to);

    Psk& psk_;
    const Windows& windows_;
    Vector<std::uint8_t> window_;
    // `none` if the point does not exist; empty after numbering if vertex = wedge.
    Vector<std::uint32_t> pointOfWedge_;
    Vector<std::uint8_t> materialOfWedge_, isUsed_;
    Tally badPoints_, dirtyPadding_;
    // Number of points that wedges first use in ascending order; in most files all points.
    std::uint32_t pointsInOrder_ = 0;
    std::array<std::size_t, 256> triangles_{};  // per material
    std::size_t triangleCount_ = 0;
    std::uint32_t material_ = 0;  // of the last triangle
    bool isSorted_ = true;        // the triangles are in material order
    std::uint32_t firstGroup_ = 0;
    bool hasGroups_ = false;
    Tally outOfRange_, degenerate_, disagrees_, placeholder_;
    Vector<std::uint32_t> vertexOfWedge_;  // empty if vertex = wedge
    Vector<std::uint32_t> wedges_, points_;
    std::size_t wedgeVertices_ = 0;
    bool isPointVertex_ = false;
    Vector<std::uint32_t> splitIndices_;  // empty unless vertices were split
};

}  // namespace rigcast::unreal
