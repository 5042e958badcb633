// Computes tangents for normal maps, if the caller requests them.
#include <algorithm>
#include <cmath>

#include "scene/lower.hpp"

#include "core/vector.hpp"

namespace rigcast {

namespace {

Vec3 vec3At(std::span<const float> values, std::size_t i) { return {values[i * 3], values[i * 3 + 1], values[i * 3 + 2]}; }

/// Projects `v` onto the plane perpendicular to the unit vector `n` and normalizes the result. If
/// the projection is zero, returns an arbitrary unit vector perpendicular to `n`.
Vec3 perpendicular(const Vec3& v, const Vec3& n) {
    Vec3 t = v - n * dot(n, v);
    double size = length(t);
    if (!(size > 1e-12) || !std::isfinite(size)) {
        const Vec3 axis = std::fabs(n.x) < 0.9 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
        t = axis - n * dot(n, axis);
        size = length(t);
    }
    return t * (1 / size);
}

}  // namespace

bool addTangents(Arena& arena, Mesh& mesh) {
    if (mesh.topology != Topology::triangles || mesh.uvs.empty()) return false;
    const std::span<const std::uint16_t> narrow = arena.values(mesh.indices16);
    const std::span<const std::uint32_t> wide = arena.values(mesh.indices32);
    const auto index = [&](std::size_t i) { return narrow.empty() ? wide[i] : narrow[i]; };
    const std::span<const float> positions = arena.values(mesh.positions), normals = arena.values(mesh.normals),
                                 uvs = arena.values(mesh.uvs[0]);
    const std::size_t n = mesh.vertexCount;
    if (positions.size() != n * 3 || normals.size() != n * 3 || uvs.size() != n * 2) return false;
    if (!Budget::affords(n * 2 * sizeof(Vec3))) return false;
    Vector<Vec3> alongU(n), alongV(n);
    for (std::size_t i = 0; i + 2 < narrow.size() + wide.size(); i += 3) {
        const std::size_t a = index(i), b = index(i + 1), c = index(i + 2);
        const Vec3 p = vec3At(positions, a), e1 = vec3At(positions, b) - p, e2 = vec3At(positions, c) - p;
        const double u1 = double{uvs[b * 2]} - uvs[a * 2], v1 = double{uvs[b * 2 + 1]} - uvs[a * 2 + 1];
        const double u2 = double{uvs[c * 2]} - uvs[a * 2], v2 = double{uvs[c * 2 + 1]} - uvs[a * 2 + 1];
        const double area = u1 * v2 - u2 * v1;
        if (area == 0) continue;
        const double weight = length(cross(e1, e2));
        const auto add = [&](Vector<Vec3>& sums, const Vec3& direction) {
            const double size = length(direction);
            if (!(size > 0) || !std::isfinite(size)) return;
            const Vec3 weighted = direction * ((area < 0 ? -weight : weight) / size);
            for (const std::size_t vertex : {a, b, c}) sums[vertex] = sums[vertex] + weighted;
        };
        add(alongU, e1 * v2 - e2 * v1);
        add(alongV, e2 * u1 - e1 * u2);
    }
    auto tangents = arena.allocate<float>(mesh.block, std::uint64_t{n} * 4);
    if (!tangents) return false;
    for (std::size_t vertex = 0; vertex < n; ++vertex) {
        Vec3 normal = vec3At(normals, vertex);
        const double size = length(normal);
        normal = size > 0 ? normal * (1 / size) : Vec3{0, 1, 0};
        const Vec3 t = perpendicular(alongU[vertex], normal);
        float* out = &tangents.values[vertex * 4];
        out[0] = static_cast<float>(t.x);
        out[1] = static_cast<float>(t.y);
        out[2] = static_cast<float>(t.z);
        // cross(normal, tangent) * w points to the top of the image, in the direction of -V.
        out[3] = dot(cross(normal, t), alongV[vertex]) > 0 ? -1.f : 1.f;
    }
    mesh.tangents = tangents.column;
    return true;
}

}  // namespace rigcast
