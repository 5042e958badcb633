// The vertices and triangles of a PSK (psk-psa.md section 6.2).
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

/// Wedges of vertices.
struct WedgeVertices {
    std::span<const std::uint32_t> wedges;  // of the first `ofWedges` vertices; empty if vertex = wedge
    std::size_t ofWedges = 0;               // the vertices of lone points follow; they have no wedge
    std::size_t count = 0;
};

/// Turns wedges and faces into vertices and triangles. Both chunks are read in windows.
/// One vertex per wedge that a triangle uses, in file order. Then follow the copies for smoothing groups, then one vertex per lone point.
class Topology {
public:
    Topology(Psk& psk, const Windows& windows) : psk_(psk), windows_(windows) {}

    /// Reads the wedges and decides their width by their values. Returns false if the budget is spent.
    bool readWedges(Diagnostics& diagnostics);
    /// Checks the faces, counts triangles per material and numbers the vertices. Writes the indices on the way, as `hasExpectedIndices` expects them.
    /// Returns false if no triangle is left or the budget is spent.
    bool readFaces(Mesh& mesh, Arena& arena, Diagnostics& diagnostics);
    /// Splits vertices by smoothing groups. Returns their normals, 3 floats per vertex; empty if the budget is spent.
    Vector<float> split(float scale);
    /// Adds a vertex for each point that no triangle uses. Returns false if the budget is spent.
    bool addLonePoints();
    /// True if the indices that `readFaces` wrote are right: every wedge is a vertex, and every face is a triangle, in material order.
    bool hasExpectedIndices() const { return isComplete() && isSorted_ && wedges_.empty() && loneVertices() == 0; }
    /// Writes the triangles, ordered by material, counter-clockwise, unless the mesh has them. Adds the groups. Returns false if the arena is spent.
    bool writeIndices(Mesh& mesh, Arena& arena);

    /// True if faces are in different smoothing groups.
    bool hasSmoothingGroups() const { return hasGroups_; }
    bool hasWideIndices() const { return points_.size() > narrowVertices; }
    std::size_t triangleCount() const { return triangleCount_; }
    std::size_t materialCount() const;
    WedgeVertices vertices() const { return {wedges_, wedgeVertices_, points_.size()}; }
    std::size_t loneVertices() const { return points_.size() - wedgeVertices_; }
    /// The point of each vertex.
    std::span<const std::uint32_t> points() const { return points_; }
    /// The same; empty if vertex = point.
    std::span<const std::uint32_t> pointsUnlessSame() const { return isPointVertex_ ? std::span<const std::uint32_t>{} : points(); }

private:
    std::size_t resolveWedges();
    bool isComplete() const { return triangleCount_ == psk_.faces.size(); }
    template <class Index>
    Column<Index> checkAllFaces(Outlet<Index> to);
    template <class FaceIndex, class Index>
    void checkFaces(const Records& faces, std::size_t first, Index* to);
    void numberVertices();
    std::array<std::size_t, 256> firstTriangles() const;
    template <class Index>
    std::size_t writeTriangles(const Faces& faces, Index* to, std::uint32_t* groups) const;
    template <class Index>
    Column<Index> writeColumn(Outlet<Index> to);

    Psk& psk_;
    const Windows& windows_;
    Vector<std::uint8_t> window_;
    Vector<std::uint32_t> pointOfWedge_;  // `none` if there is no such point; empty after numbering if vertex = wedge
    Vector<std::uint8_t> materialOfWedge_, isUsed_;
    Tally badPoints_, dirtyPadding_;
    std::uint32_t pointsInOrder_ = 0;           // that a wedge uses after all earlier points were used: all points, in most files
    std::array<std::size_t, 256> triangles_{};  // per material
    std::size_t triangleCount_ = 0;
    std::uint32_t material_ = 0;  // of the last triangle
    bool isSorted_ = true;        // the triangles are in material order
    std::uint32_t firstGroup_ = 0;
    bool hasGroups_ = false;
    Tally outside_, degenerate_, disagrees_, placeholder_;
    Vector<std::uint32_t> vertexOfWedge_;  // empty if vertex = wedge
    Vector<std::uint32_t> wedges_, points_;
    std::size_t wedgeVertices_ = 0;
    bool isPointVertex_ = false;
    Vector<std::uint32_t> splitIndices_;  // empty unless vertices were split
};

}  // namespace rigcast::unreal
