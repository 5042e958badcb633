#include "formats/unreal/pskTopology.hpp"

#include <algorithm>

#include "formats/unreal/records.hpp"

namespace rigcast::unreal {

namespace {

/// Frees the memory of a vector. `clear()` and `= {}` would keep the memory.
template <class T>
void release(Vector<T>& values) {
    Vector<T>().swap(values);
}

/// The three wedges of a face.
struct Corners {
    std::uint32_t a, b, c;
    bool areBelow(std::size_t wedges) const { return (a < wedges) & (b < wedges) & (c < wedges); }
    /// Returns true if the points of all three wedges exist. `points`: point index of each wedge.
    bool havePoints(const std::uint32_t* points) const { return points[a] != none && points[b] != none && points[c] != none; }
    /// Returns true if the points of the three wedges exist and are different.
    bool areTriangle(const std::uint32_t* points) const {
        const std::uint32_t x = points[a], y = points[b], z = points[c];
        return (std::max(std::max(x, y), z) != none) & (x != y) & (y != z) & (z != x);
    }
};

template <class Index>
Corners cornersOf(const Records& faces, std::size_t i) {
    return {faces.get<Index>(i, 0), faces.get<Index>(i, sizeof(Index)), faces.get<Index>(i, 2 * sizeof(Index))};
}

}  // namespace

/// Reads point, material and padding of each wedge. Returns how many wedges refer to a missing
/// point.
[[gnu::noinline]] std::size_t Topology::resolveWedges() {
    const Wedges& all = psk_.wedges;
    const std::size_t total = all.size(), points = psk_.points.size();
    const bool hasPadding = !all.wideIndex && all.records.stride() >= 16;
    badPoints_ = dirtyPadding_ = {};
    std::uint32_t next = 0;
    for (std::size_t first = 0; first < total; first += windowRecords) {
        Wedges wedges = all;
        wedges.records = windows_.part(all.records, first, std::min(windowRecords, total - first), window_);
        std::uint32_t* const toPoint = &pointOfWedge_[first];
        std::uint8_t* const toMaterial = &materialOfWedge_[first];
        for (std::size_t i = 0; i < wedges.size(); ++i) {
            const std::uint32_t point = wedges.point(i);
            if (point >= points) badPoints_.add(first + i);
            if (hasPadding && (wedges.records.get<std::uint16_t>(i, 2) | wedges.records.get<std::uint16_t>(i, 14)))
                dirtyPadding_.add(first + i);
            toPoint[i] = point < points ? point : none;
            next += point == next;
            toMaterial[i] = wedges.materialOf(i);
        }
    }
    pointsInOrder_ = next;
    return static_cast<std::size_t>(badPoints_.count);
}

[[gnu::cold]] bool Topology::readWedges(Diagnostics& diagnostics) {
    Wedges& wedges = psk_.wedges;
    const std::size_t count = wedges.size();
    if (!Budget::affords(count * (sizeof(std::uint32_t) + 2))) return false;
    pointOfWedge_.resize(count);
    materialOfWedge_.resize(count);
    // If more than half of the indices are invalid, assumes that the upper half of each index is
    // garbage and ignores it. Fewer invalid indices are treated as damage.
    if (resolveWedges() > count / 2 && wedges.wideIndex) {
        wedges.wideIndex = false;
        if (resolveWedges() > 0) {
            wedges.wideIndex = true;
            resolveWedges();
        } else {
            diagnostics.add(Code::POINT_INDEX_16BIT, {.offset = wedges.records.offsetOf(0), .path = psk_.wedgeId});
        }
    }
    // Adds a single finding and states the number of wedges in its detail, because Epic's exporters
    // write harmless garbage to the padding of every wedge.
    if (dirtyPadding_.count)
        diagnostics.add(Code::PADDING_NOT_ZERO, {.offset = wedges.records.offsetOf(dirtyPadding_.first), .path = psk_.wedgeId},
                        {"{} of {} wedges", {dirtyPadding_.count, count}});
    const Faces& faces = psk_.faces;
    if (!faces.records.empty() && !faces.wideIndex && count > narrowLimit)
        diagnostics.add(Code::FACE_INDEX_WRAPPED, {.offset = faces.records.offsetOf(0), .path = psk_.faceId}, {"{} wedges", {count}});
    return true;
}

/// Checks faces and writes their indices to `to`, including indices of invalid faces.
template <class FaceIndex, class Index>
[[gnu::noinline]] void Topology::checkFaces(const Records& records, std::size_t first, Index* to) {
    // Uses local copies in the loop, because the compiler assumes that writing bytes can change any
    // member variable.
    const Records faces = records;
    const std::uint32_t firstGroup = firstGroup_;
    const std::uint32_t* const points = pointOfWedge_.data();
    const std::uint8_t* const materials = materialOfWedge_.data();
    std::uint8_t* const isUsed = isUsed_.data();
    const std::size_t wedges = psk_.wedges.size(), known = psk_.materials.size(), field = psk_.faces.material;
    std::uint32_t material = material_;
    std::size_t run = 0;  // number of consecutive triangles with `material`
    const std::size_t groupField = psk_.faces.smoothing;
    std::uint32_t otherGroups = 0;
    for (std::size_t i = 0; i < faces.size(); ++i) {
        otherGroups |= faces.get<std::uint32_t>(i, groupField) ^ firstGroup;
        const Corners corners = cornersOf<FaceIndex>(faces, i);
        to[3 * i] = static_cast<Index>(corners.a);
        to[3 * i + 1] = static_cast<Index>(corners.c);
        to[3 * i + 2] = static_cast<Index>(corners.b);
        if (!corners.areBelow(wedges)) {
            outOfRange_.add(first + i);
            continue;
        }
        if (!corners.areTriangle(points)) {
            if (corners.havePoints(points)) degenerate_.add(first + i);
            continue;
        }
        const std::uint32_t own = faces.get<std::uint8_t>(i, field);
        if (own != material) {
            triangles_[material] += run;
            run = 0;
            isSorted_ &= own > material;
            material = own;
        }
        ++run;
        if ((materials[corners.a] != own) | (materials[corners.b] != own) | (materials[corners.c] != own)) disagrees_.add(first + i);
        if (own >= known) placeholder_.add(first + i);
        isUsed[corners.a] = isUsed[corners.b] = isUsed[corners.c] = 1;
    }
    triangles_[material] += run;
    material_ = material;
    hasGroups_ |= otherGroups != 0;
}

template <class Index>
Column<Index> Topology::checkAllFaces(StreamingColumn<Index> to) {
    const Records& all = psk_.faces.records;
    for (std::size_t first = 0; to && first < all.size(); first += windowRecords) {
        const std::size_t count = std::min(windowRecords, all.size() - first);
        const Records faces = windows_.part(all, first, count, window_);
        if (first == 0) firstGroup_ = faces.get<std::uint32_t>(0, psk_.faces.smoothing);
        Index* const room = to.next(3 * count);
        psk_.faces.wideIndex ? checkFaces<std::uint32_t>(faces, first, room) : checkFaces<std::uint16_t>(faces, first, room);
        to.commit(3 * count);
    }
    return to.column();
}

[[gnu::cold]] bool Topology::readFaces(Mesh& mesh, Arena& arena, Diagnostics& diagnostics) {
    const Records& all = psk_.faces.records;
    isUsed_.resize(psk_.wedges.size());
    if (psk_.wedges.size() > narrowVertices)
        mesh.indices32 = checkAllFaces(arena.streamColumn<std::uint32_t>(mesh.block, 3 * std::uint64_t{all.size()}));
    else
        mesh.indices16 = checkAllFaces(arena.streamColumn<std::uint16_t>(mesh.block, 3 * std::uint64_t{all.size()}));
    for (const std::size_t count : triangles_) triangleCount_ += count;
    badPoints_.report(diagnostics, Code::VERTEX_POINT_RANGE, psk_.wedges.records, "VTXW0000", "wedge");
    outOfRange_.report(diagnostics, Code::FACE_INDEX_RANGE, all, "FACE0000", "face");
    degenerate_.mention(diagnostics, Code::FACE_DEGENERATE, all, "FACE0000", "faces");
    disagrees_.mention(diagnostics, Code::MATERIAL_DISAGREES, all, "FACE0000", "faces");
    placeholder_.report(diagnostics, Code::MATERIAL_RANGE, all, "FACE0000", "face");
    if (triangleCount_ == 0 || !Budget::affords(isUsed_.size() * 12)) return false;
    numberVertices();
    return true;
}

/// Assigns a vertex to each wedge that triangles use.
[[gnu::noinline]] void Topology::numberVertices() {
    if (std::find(isUsed_.begin(), isUsed_.end(), 0) == isUsed_.end()) {
        points_ = std::move(pointOfWedge_);
    } else {
        vertexOfWedge_.resize(isUsed_.size());
        for (std::uint32_t wedge = 0; wedge < isUsed_.size(); ++wedge) {
            if (!isUsed_[wedge]) continue;
            vertexOfWedge_[wedge] = static_cast<std::uint32_t>(wedges_.size());
            wedges_.push_back(wedge);
            points_.push_back(pointOfWedge_[wedge]);
        }
    }
    wedgeVertices_ = points_.size();
    release(materialOfWedge_);
    release(isUsed_);
}

std::size_t Topology::materialCount() const {
    std::size_t count = triangles_.size();
    while (count > 0 && triangles_[count - 1] == 0) --count;
    return count;
}

/// Returns the index of the first triangle of each material after sorting triangles by material.
std::array<std::size_t, 256> Topology::firstTriangles() const {
    std::array<std::size_t, 256> first{};
    for (std::size_t material = 1; material < first.size(); ++material) first[material] = first[material - 1] + triangles_[material - 1];
    return first;
}

/// Writes the triangles of `faces`, which must contain all faces unless they are already sorted by
/// material. If `groups` is not null, writes the smoothing groups to it. Returns the number of
/// triangles.
template <class Index>
[[gnu::noinline]] std::size_t Topology::writeTriangles(const Faces& faces, Index* to, std::uint32_t* groups) const {
    std::array<std::size_t, 256> next = firstTriangles();
    const std::uint32_t* const vertexOf = vertexOfWedge_.empty() ? nullptr : vertexOfWedge_.data();
    const std::uint32_t* const points = vertexOf ? pointOfWedge_.data() : points_.data();
    const std::size_t wedges = psk_.wedges.size();
    std::size_t count = 0;
    for (std::size_t i = 0; i < faces.size(); ++i) {
        const Corners corners = faces.wideIndex ? cornersOf<std::uint32_t>(faces.records, i) : cornersOf<std::uint16_t>(faces.records, i);
        if (!isComplete() && !(corners.areBelow(wedges) && corners.areTriangle(points))) continue;
        const std::size_t triangle = isSorted_ ? count : next[faces.materialOf(i)]++;
        if (groups) groups[triangle] = faces.smoothingOf(i);
        Index* const out = to + 3 * triangle;
        out[0] = static_cast<Index>(vertexOf ? vertexOf[corners.a] : corners.a);
        out[1] = static_cast<Index>(vertexOf ? vertexOf[corners.c] : corners.c);
        out[2] = static_cast<Index>(vertexOf ? vertexOf[corners.b] : corners.b);
        ++count;
    }
    return count;
}

/// Writes the column of indices: in windows if triangles are in material order, otherwise all at
/// once.
template <class Index>
Column<Index> Topology::writeColumn(StreamingColumn<Index> to) {
    if (!to) return {};
    if (!splitIndices_.empty()) {
        std::copy(splitIndices_.begin(), splitIndices_.end(), to.next(splitIndices_.size()));
        return to.column();
    }
    const Records& all = psk_.faces.records;
    const std::size_t step = isSorted_ ? windowRecords : all.size();
    for (std::size_t first = 0; first < all.size(); first += step) {
        const std::size_t most = std::min(step, all.size() - first);
        Faces faces = psk_.faces;
        faces.records = windows_.part(all, first, most, window_);
        to.commit(3 * writeTriangles(faces, to.next(3 * most), nullptr));
    }
    return to.column();
}

[[gnu::cold]] bool Topology::writeIndices(Mesh& mesh, Arena& arena) {
    const std::uint64_t count = 3 * std::uint64_t{triangleCount_};
    const bool isWritten = mesh.indices16.present() || mesh.indices32.present();
    if (!isWritten && hasWideIndices()) mesh.indices32 = writeColumn(arena.streamColumn<std::uint32_t>(mesh.block, count));
    if (!isWritten && !hasWideIndices()) mesh.indices16 = writeColumn(arena.streamColumn<std::uint16_t>(mesh.block, count));
    std::size_t next = 0;
    for (std::uint32_t material = 0; material < triangles_.size(); ++material) {
        if (triangles_[material] == 0) continue;
        mesh.groups.push_back({static_cast<std::uint32_t>(3 * next), static_cast<std::uint32_t>(3 * triangles_[material]), material});
        next += triangles_[material];
    }
    return !arena.exhausted();
}

[[gnu::cold]] Vector<float> Topology::split(float scale) {
    if (!Budget::affords(triangleCount_ * 136)) return {};
    Vector<std::uint32_t> indices(3 * triangleCount_), groups(triangleCount_);
    writeTriangles(psk_.faces, indices.data(), groups.data());
    Vector<float> positions(3 * points_.size());
    for (std::size_t i = 0; i < points_.size(); ++i) writePoint(psk_.points, points_[i], 0, scale, &positions[3 * i]);
    SmoothingSplit result = smoothingSplit(positions, indices, groups, points_);
    splitIndices_ = std::move(result.indices);
    Vector<std::uint32_t> wedges(result.sourceVertex.size()), points(result.sourceVertex.size());
    for (std::size_t i = 0; i < wedges.size(); ++i) {
        wedges[i] = wedges_.empty() ? result.sourceVertex[i] : wedges_[result.sourceVertex[i]];
        points[i] = points_[result.sourceVertex[i]];
    }
    wedges_ = std::move(wedges);
    points_ = std::move(points);
    wedgeVertices_ = points_.size();
    return std::move(result.normals);
}

[[gnu::cold]] bool Topology::addLonePoints() {
    const std::size_t count = psk_.points.size();
    if (pointsInOrder_ == count && vertexOfWedge_.empty()) {
        isPointVertex_ = points_.size() == count;
        return true;
    }
    if (!Budget::affords(count)) return false;
    Vector<std::uint8_t> isReached(count);
    std::size_t reached = 0;
    for (const std::uint32_t point : points_) {
        reached += !isReached[point];
        isReached[point] = 1;
    }
    if (!Budget::affords((count - reached) * 4)) return false;
    points_.reserve(points_.size() + count - reached);
    for (std::uint32_t point = 0; point < count && reached < count; ++point)
        if (!isReached[point]) points_.push_back(point);
    return true;
}

}  // namespace rigcast::unreal
