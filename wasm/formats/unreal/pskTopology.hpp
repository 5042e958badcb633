// Builds the vertices and triangles of a PSK (psk-psa.md section 6.2).
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
    // Wedge indices of the first `ofWedges` vertices. Empty if vertex i has wedge i.
    std::span<const std::uint32_t> wedges;
    // Number of vertices that have a wedge. All other vertices belong to lone points, which no
    // triangle uses.
    std::size_t ofWedges = 0;
    std::size_t count = 0;
};

/// Converts wedges and faces to vertices and triangles. Reads both chunks in windows. There is a
/// vertex for each wedge that triangles use, in file order, followed by copies for smoothing groups
/// and one vertex for each lone point.
class Topology {
public:
    Topology(Psk& psk, const Windows& windows) : psk_(psk), windows_(windows) {}

    /// Reads the wedges. Determines from their values whether their indices have 16 or 32 bits.
    /// Returns false if the budget is exceeded.
    bool readWedges(Diagnostics& diagnostics);
    /// Checks the faces, counts triangles per material and numbers the vertices. Also writes the
    /// indices, assuming that `hasExpectedIndices` will be true, which is usually the case. Returns
    /// false if there are no valid triangles or the budget is exceeded.
    bool readFaces(Mesh& mesh, Arena& arena, Diagnostics& diagnostics);
    /// Splits vertices by smoothing groups. Returns the normals, 3 floats per vertex, or an empty
    /// list if the budget is exceeded.
    Vector<float> split(float scale);
    /// Adds a vertex for each lone point (a point that no triangle uses). Returns false if the
    /// budget is exceeded.
    bool addLonePoints();
    /// Returns true if the indices that `readFaces` wrote are correct: every wedge is a vertex,
    /// every face is a valid triangle, and faces are sorted by material.
    bool hasExpectedIndices() const { return isComplete() && isSorted_ && wedges_.empty() && loneVertices() == 0; }
    /// Writes the triangles counter-clockwise and sorted by material, unless `readFaces` has
    /// already written them. Adds a group per material. Returns false if the budget is exceeded.
    bool writeIndices(Mesh& mesh, Arena& arena);

    /// Returns true if not all faces have the same smoothing groups.
    bool hasSmoothingGroups() const { return hasGroups_; }
    bool hasWideIndices() const { return points_.size() > narrowVertices; }
    std::size_t triangleCount() const { return triangleCount_; }
    std::size_t materialCount() const;
    WedgeVertices vertices() const { return {wedges_, wedgeVertices_, points_.size()}; }
    std::size_t loneVertices() const { return points_.size() - wedgeVertices_; }
    /// Returns the point index of each vertex.
    std::span<const std::uint32_t> points() const { return points_; }
    /// Returns `points()`, or an empty list if vertex i has point i.
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
    // Point index of each wedge, or `none` if the point does not exist. Cleared by `numberVertices`
    // if vertex i has wedge i.
    Vector<std::uint32_t> pointOfWedge_;
    Vector<std::uint8_t> materialOfWedge_, isUsed_;
    Tally badPoints_, dirtyPadding_;
    // Number of leading points that wedges use for the first time in ascending order. In most
    // files, this is the number of all points.
    std::uint32_t pointsInOrder_ = 0;
    std::array<std::size_t, 256> triangles_{};  // number of triangles per material
    std::size_t triangleCount_ = 0;
    std::uint32_t material_ = 0;  // material of the last triangle
    bool isSorted_ = true;        // true: the triangles are in material order
    std::uint32_t firstGroup_ = 0;
    bool hasGroups_ = false;
    Tally outOfRange_, degenerate_, disagrees_, placeholder_;
    Vector<std::uint32_t> vertexOfWedge_;  // empty if vertex i has wedge i
    Vector<std::uint32_t> wedges_, points_;
    std::size_t wedgeVertices_ = 0;
    bool isPointVertex_ = false;
    Vector<std::uint32_t> splitIndices_;  // empty unless vertices were split
};

}  // namespace rigcast::unreal
