// Converts the normals and tangents of a mesh.
#include "formats/cast/mesh.hpp"

#include <cstring>

namespace rigcast {

bool CastMeshReader::writeNormals() {
    const StreamingColumn<float> to = streamColumn<float>(3);
    mesh_.normals = to.column();
    mesh_.normalsComputed = !fits(arrays_.normals);
    if (mesh_.normalsComputed) return to && writeSmooth(to);
    bool haveDirections = true;
    const auto look = [&](std::uint32_t, std::uint32_t count, Bytes normals) { haveDirections &= haveLength(normals.data(), count); };
    if (!writeFloats(arrays_.normals, 3, to, look)) return false;
    if (isInsideOut_) context_.warn(Code::FACE_WINDING, node_, {}, "f");
    return haveDirections || writeSmooth(to);
}

/// Writes all normals. Replaces normals of zero length with smooth normals.
bool CastMeshReader::writeSmooth(StreamingColumn<float> to) {
    const std::uint32_t usable = arrays_.faces.count - arrays_.faces.count % 3;
    const std::size_t floats = 3 * std::size_t{vertices()};
    if (!Budget::affords(std::uint64_t{floats} * 24 + std::uint64_t{usable} * 4)) return false;
    Vector<std::uint32_t> corners(usable);
    corners.resize(copyTriangles(arrays_.integers(arrays_.faces, 0, usable, window_.raw), usable, vertices(), corners.data()).kept);
    if (isReversed_) reverseTriangles(corners);
    Vector<float> normals(floats, 0.f), positions(floats);
    std::uint64_t reported = 0;
    if (!mesh_.normalsComputed)
        std::memcpy(normals.data(), arrays_.finite(arrays_.normals, 0, vertices(), window_, 3, reported).data(), floats * sizeof(float));
    std::memcpy(positions.data(), arrays_.points(0, vertices(), window_).data(), floats * sizeof(float));
    const std::uint64_t repaired = repairNormals(positions, corners, {}, normals);
    if (!mesh_.normalsComputed && repaired) context_.warn(Code::NORMAL_DAMAGED, node_, {}, "vn", repaired);
    to.append({reinterpret_cast<const std::uint8_t*>(normals.data()), floats * sizeof(float)});
    return true;
}

/// Adds tangents. The file does not contain their handedness, so it is derived from the direction
/// of V in adjacent triangles.
bool CastMeshReader::addTangents() {
    if (!fits(arrays_.tangents)) return true;
    if (!Budget::affords(std::uint64_t{vertices()} * 24)) return false;
    auto made = context_.arena.allocate<float>(mesh_.block, std::uint64_t{vertices()} * 4);
    if (!made) return false;
    const auto normals = context_.arena.values(mesh_.normals);
    const auto at = [](std::span<const float> values, std::size_t i) { return Vec3{values[i * 3], values[i * 3 + 1], values[i * 3 + 2]}; };
    Vector<Vec3> alongV(mesh_.uvs.empty() ? 0 : vertices());
    if (!alongV.empty()) {
        const auto positions = context_.arena.values(mesh_.positions), uv = context_.arena.values(mesh_.uvs[0]);
        const auto narrow = context_.arena.values(mesh_.indices16);
        const auto wide = context_.arena.values(mesh_.indices32);
        const auto corner = [&](std::size_t i) -> std::size_t { return narrow.empty() ? wide[i] : narrow[i]; };
        for (std::size_t i = 0; i < triangles_.kept; i += 3) {
            const std::size_t a = corner(i), b = corner(i + 1), c = corner(i + 2);
            const double u1 = double{uv[b * 2]} - uv[a * 2], v1 = double{uv[b * 2 + 1]} - uv[a * 2 + 1];
            const double u2 = double{uv[c * 2]} - uv[a * 2], v2 = double{uv[c * 2 + 1]} - uv[a * 2 + 1];
            const Vec3 e1 = at(positions, b) - at(positions, a), e2 = at(positions, c) - at(positions, a);
            const Vec3 direction = (e2 * u1 - e1 * u2) * (u1 * v2 - u2 * v1 < 0 ? -1 : 1);
            for (const std::size_t vertex : {a, b, c}) alongV[vertex] = alongV[vertex] + direction;
        }
    }
    std::uint64_t damaged = 0;
    everyWindow(vertices(), [&](std::uint32_t first, std::uint32_t count) {
        const Bytes stored = arrays_.finite(arrays_.tangents, first, count, window_, 1, damaged);
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t vertex = first + i;
            float* const out = &made.values[vertex * 4];
            std::memcpy(out, stored.data() + i * 12, 12);
            const Vec3 t{out[0], out[1], out[2]};
            const bool isMirrored = !alongV.empty() && dot(cross(at(normals, vertex), t), alongV[vertex]) > 0;
            out[3] = isMirrored ? -1.f : 1.f;  // cross(n, t) * w points in the direction of -V
        }
        return true;
    });
    if (damaged) context_.warn(Code::NON_FINITE, node_, {}, "vt", damaged);
    mesh_.tangents = made.column;
    return true;
}

}  // namespace rigcast
