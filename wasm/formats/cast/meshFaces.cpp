// Converts the triangles of a mesh and determines their winding.
#include "formats/cast/mesh.hpp"

#include <algorithm>

namespace rigcast {

namespace {

/// Maximum number of vertices that are loaded for a window of triangles. If the vertex indices in
/// the window span a larger range, all vertices are loaded.
constexpr std::uint32_t widestSpan = 16 * windowRecords;

}  // namespace

bool CastMeshReader::writeFaces() {
    using Winding = CastOptions::Winding;
    const Winding winding = context_.options.winding;
    isInsideOut_ = winding == Winding::automatic && arrays_.normals.count == vertices() && isInsideOut();
    isReversed_ = isInsideOut_ || winding == Winding::reversed;
    if (arrays_.faces.count % 3) context_.warn(Code::FACE_TAIL, node_, {"{} indices", {arrays_.faces.count}}, "f");
    if (!(vertices() <= narrowVertices ? writeFaces(mesh_.indices16) : writeFaces(mesh_.indices32))) return false;
    if (triangles_.outside)
        context_.add(Code::FACE_INDEX_RANGE, Severity::error, node_, {"{} vertices", {vertices()}}, "f", triangles_.outside);
    if (triangles_.degenerate) context_.warn(Code::FACE_DEGENERATE, node_, {}, "f", triangles_.degenerate);
    return true;
}

template <class Index>
bool CastMeshReader::writeFaces(Column<Index>& column) {
    const std::uint32_t usable = arrays_.faces.count - arrays_.faces.count % 3;
    StreamingColumn<Index> to = context_.arena.streamColumn<Index>(mesh_.block, usable);
    if (!to) return false;
    everyWindow(usable / 3, [&](std::uint32_t first, std::uint32_t count) {
        const CastIntegers faces = arrays_.integers(arrays_.faces, 3 * std::size_t{first}, 3 * std::size_t{count}, window_.raw);
        Index* const room = to.next(3 * std::size_t{count});
        const TriangleCounts counts = copyTriangles(faces, 3 * count, vertices(), room);
        if (isReversed_) reverseTriangles(std::span<Index>(room, counts.kept));
        to.commit(counts.kept);
        triangles_.kept += counts.kept;
        triangles_.outside += counts.outside;
        triangles_.degenerate += counts.degenerate;
        return true;
    });
    column = to.column().slice(0, triangles_.kept);
    writeZeros(to, usable - triangles_.kept);
    return true;
}

/// Reports a finding and returns true if the mesh has faces, but all of them are invalid.
bool CastMeshReader::isWithoutFaces() {
    if (triangles_.outside == 0 || triangles_.kept > 0) return false;
    context_.add(Code::MESH_UNUSABLE, Severity::error, node_, "no face is left");
    return true;
}

/// Returns true if almost all triangles face in the opposite direction of their normals, as in
/// files that Greyhound wrote before 2023-12-19 (cast.md section 6).
bool CastMeshReader::isInsideOut() {
    const std::uint32_t triangles = arrays_.faces.count / 3;
    Vector<std::uint32_t> corners(3 * std::min<std::size_t>(windowRecords, triangles));
    CastWindow pointWindow, normalWindow;
    Bytes points, normals;
    bool areAllLoaded = false;
    WindingCounts counts;
    everyWindow(triangles, [&](std::uint32_t first, std::uint32_t count) {
        const CastIntegers faces = arrays_.integers(arrays_.faces, 3 * std::size_t{first}, 3 * std::size_t{count}, window_.raw);
        const std::span<std::uint32_t> kept(corners.data(), copyTriangles(faces, 3 * count, vertices(), corners.data()).kept);
        if (kept.empty()) return true;
        const auto [low, high] = std::minmax_element(kept.begin(), kept.end());
        std::uint32_t base = *low, span = *high - *low + 1;
        if (areAllLoaded || span > widestSpan) {
            base = 0;
            span = vertices();
        }
        if (!areAllLoaded) {
            areAllLoaded = span == vertices();
            if (!Budget::affords(std::uint64_t{span} * 24)) return false;
            std::uint64_t reported = 0;
            points = arrays_.points(base, span, pointWindow);
            normals = arrays_.finite(arrays_.normals, base, span, normalWindow, 3, reported);
        }
        for (std::uint32_t& corner : kept) corner -= base;
        countWinding(kept, points.data(), normals.data(), counts);
        return !counts.isDecided(triangles);
    });
    return counts.isAgainst();
}

}  // namespace rigcast
