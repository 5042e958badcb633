// Surfaces for the Cast demos. They consist of patches with the parameters u (around the patch,
// from the front to the right) and v (upwards), and are closed at their ends.
#pragma once

#include <array>
#include <functional>
#include <set>
#include <utility>

#include "core/vector.hpp"
#include "drawing.hpp"
#include "support/writers/cast.hpp"

namespace rigcast::drawing {

using Weights = Vector<std::pair<int, double>>;

struct Vertex {
    V3 at, normal;
    double u = 0, v = 0;
    Weights weights;
};

struct Surface {
    Vector<Vertex> vertices;
    Vector<std::array<std::uint32_t, 3>> faces;
};

/// The region of a texture to which a patch is mapped.
struct Tile {
    double left = 0, top = 0, width = 1, height = 1;
};

using Patch = std::function<V3(double u, double v)>;
using Skinning = std::function<Weights(V3 at)>;

inline constexpr double places = 1e4;  // positions are rounded to multiples of 1 / places metres

inline Skinning on(int bone) {
    return [bone](V3) { return Weights{{bone, 1.0}}; };
}

/// Adds a patch to a surface. The front face of the patch is in the direction of `along` × `up`.
inline void addPatch(Surface& surface, int columns, int rows, const Patch& patch, const Skinning& skinning, Tile tile = {}) {
    const auto first = static_cast<std::uint32_t>(surface.vertices.size());
    for (int row = 0; row <= rows; ++row) {
        for (int column = 0; column <= columns; ++column) {
            const double u = double(column) / columns, v = double(row) / rows, step = 1e-3;
            const double middle = std::clamp(v, 2 * step, 1 - 2 * step);  // avoids the poles, which have no direction
            const V3 along = patch(u + step, middle) - patch(u - step, middle), up = patch(u, middle + step) - patch(u, middle - step);
            Vertex vertex;
            vertex.at = patch(column == columns ? 0 : u, v);  // the last column equals the first bit by bit
            if (length(patch(1, v) - patch(0, v)) > 1e-6) vertex.at = patch(u, v);
            vertex.normal = normalised(cross(along, up));
            vertex.u = tile.left + tile.width * u, vertex.v = tile.top + tile.height * (1 - v);
            vertex.weights = skinning(vertex.at);
            surface.vertices.push_back(std::move(vertex));
        }
    }
    const auto same = [&](std::uint32_t a, std::uint32_t b) {
        return length(surface.vertices[a].at - surface.vertices[b].at) < 1 / places;
    };
    const auto add = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
        if (!same(a, b) && !same(b, c) && !same(c, a)) surface.faces.push_back({a, b, c});
    };
    for (int row = 0; row < rows; ++row) {
        for (int column = 0; column < columns; ++column) {
            const std::uint32_t a = first + static_cast<std::uint32_t>(row * (columns + 1) + column), b = a + 1;
            const std::uint32_t d = a + static_cast<std::uint32_t>(columns) + 1, c = d + 1;
            add(a, b, c), add(a, c, d);
        }
    }
}

inline double signedPower(double value, double exponent) { return std::copysign(std::pow(std::abs(value), exponent), value); }

/// Returns an ellipsoid. Exponents below 1 make it a box with round edges: `sides` when seen from
/// above, `profile` when seen from the side.
inline Patch ellipsoid(V3 centre, V3 radius, double profile = 1, double sides = 1) {
    return [=](double u, double v) {
        const double around = 2 * M_PI * u, up = M_PI * (v - 0.5);
        const double ring = v <= 0 || v >= 1 ? 0 : signedPower(std::cos(up), profile);
        return centre + V3{radius.x * ring * signedPower(std::sin(around), sides), radius.y * signedPower(std::sin(up), profile),
                           radius.z * ring * signedPower(std::cos(around), sides)};
    };
}

/// Returns a surface of revolution. `profile` contains pairs of radius and height, from bottom to
/// top. A radius of 0 closes an end.
inline Patch lathe(V3 centre, const Vector<std::pair<double, double>>& profile) {
    return [=](double u, double v) {
        const double at = std::clamp(v, 0.0, 1.0) * double(profile.size() - 1);
        const auto i = std::min(static_cast<std::size_t>(at), profile.size() - 2);
        const double radius = mix(profile[i].first, profile[i + 1].first, at - double(i));
        const double around = 2 * M_PI * u;
        return centre +
               V3{radius * std::sin(around), mix(profile[i].second, profile[i + 1].second, at - double(i)), radius * std::cos(around)};
    };
}

/// Returns a tube along a path, whose parameter v is between 0 and 1. `side` must not be parallel
/// to the path.
inline Patch tube(const std::function<V3(double)>& path, const std::function<double(double)>& radius, V3 side) {
    return [=](double u, double v) {
        const double at = std::clamp(v, 0.0, 1.0), around = 2 * M_PI * u;
        const V3 along = normalised(path(std::min(at + 1e-3, 1.0)) - path(std::max(at - 1e-3, 0.0)));
        const V3 across = normalised(side - along * dot(side, along)), depth = cross(across, along);
        return path(at) + (across * std::sin(around) + depth * std::cos(around)) * radius(at);
    };
}

/// Adds a flat quadrilateral. Its corners are counter-clockwise when seen from outside.
inline void addQuad(Surface& surface, V3 a, V3 b, V3 c, V3 d, const Skinning& skinning) {
    const auto first = static_cast<std::uint32_t>(surface.vertices.size());
    const V3 normal = normalised(cross(b - a, c - a));
    for (const V3 at : {a, b, c, d}) surface.vertices.push_back({at, normal, 0, 0, skinning(at)});
    surface.faces.push_back({first, first + 1, first + 2});
    if (length(c - d) > 1 / places) surface.faces.push_back({first, first + 2, first + 3});
}

inline void addBox(Surface& surface, V3 low, V3 high, const Skinning& skinning) {
    const auto corner = [&](int x, int y, int z) { return V3{x ? high.x : low.x, y ? high.y : low.y, z ? high.z : low.z}; };
    addQuad(surface, corner(0, 0, 1), corner(1, 0, 1), corner(1, 1, 1), corner(0, 1, 1), skinning);
    addQuad(surface, corner(1, 0, 0), corner(0, 0, 0), corner(0, 1, 0), corner(1, 1, 0), skinning);
    addQuad(surface, corner(1, 0, 1), corner(1, 0, 0), corner(1, 1, 0), corner(1, 1, 1), skinning);
    addQuad(surface, corner(0, 0, 0), corner(0, 0, 1), corner(0, 1, 1), corner(0, 1, 0), skinning);
    addQuad(surface, corner(0, 1, 1), corner(1, 1, 1), corner(1, 1, 0), corner(0, 1, 0), skinning);
    addQuad(surface, corner(0, 0, 0), corner(1, 0, 0), corner(1, 0, 1), corner(0, 0, 1), skinning);
}

/// Generates deterministic random numbers between 0 and 1.
class Dice {
public:
    explicit Dice(std::uint32_t seed) : state_(seed) {}
    double roll() {
        state_ = state_ * 1664525u + 1013904223u;
        return double(state_ >> 8) / double(1u << 24);
    }
    double roll(double low, double high) { return mix(low, high, roll()); }

private:
    std::uint32_t state_;
};

// ------------------------------------------------------------------------------------------------ Cast

inline void put(Vector<float>& out, V3 v, double steps) {
    for (const double value : {v.x, v.y, v.z}) out.push_back(rounded(value, steps));
}

inline void writeVec3(CastBuilder& cast, std::string_view name, V3 v) {
    cast.vec3(name, rounded(v.x, places), rounded(v.y, places), rounded(v.z, places));
}
inline void writeTurn(CastBuilder& cast, std::string_view name, Turn q) {
    cast.vec4(name, rounded(q.x, 1e6), rounded(q.y, 1e6), rounded(q.z, 1e6), rounded(q.w, 1e6));
}

inline void writeMetadata(CastBuilder& cast, const char* sceneRoot = nullptr) {
    cast.begin("meta").text("a", "rigcast").text("s", "rigcast_castDemo").text("up", "y");
    if (sceneRoot) cast.text("sr", sceneRoot);
    cast.end();
}

enum class Layers { none, uv };

/// Writes the start of a mesh. Requires that the model node is open, and leaves the mesh node open.
inline CastBuilder& beginMesh(CastBuilder& cast, std::string_view name, const Surface& surface, std::uint64_t material, Layers layers,
                              bool isSkinned) {
    Vector<float> positions, normals, uvs, weights;
    Vector<std::uint32_t> faces, bones;
    std::size_t influences = 0;
    for (const Vertex& vertex : surface.vertices) influences = std::max(influences, vertex.weights.size());
    for (const Vertex& vertex : surface.vertices) {
        put(positions, vertex.at, places), put(normals, vertex.normal, 1e4);
        uvs.push_back(rounded(vertex.u, 1e4)), uvs.push_back(rounded(vertex.v, 1e4));
        float left = 1;
        for (std::size_t i = 0; i < influences; ++i) {
            const bool isThere = i < vertex.weights.size();
            const float weight = !isThere ? 0 : i + 1 == vertex.weights.size() ? left : rounded(vertex.weights[i].second, 256);
            bones.push_back(isThere ? static_cast<std::uint32_t>(vertex.weights[i].first) : 0);
            weights.push_back(weight);
            left -= weight;
        }
    }
    for (const auto& face : surface.faces) faces.insert(faces.end(), face.begin(), face.end());
    cast.begin("mesh").text("n", name).link("m", material).floats("vp", CastType::vec3, positions).floats("vn", CastType::vec3, normals);
    cast.u8("cl", 0).u8("ul", layers == Layers::uv ? 1 : 0);
    if (layers == Layers::uv) cast.floats("u0", CastType::vec2, uvs);
    cast.u8("mi", isSkinned ? static_cast<std::uint8_t>(influences) : 0);
    if (isSkinned) cast.integers("wb", bones).floats("wv", CastType::f32, weights);
    return cast.integers("f", faces);
}

/// The colour of a material slot.
struct Slot {
    const char* name;
    Color color;
};

/// Writes a material that has only colours. The hashes of its child nodes are reserved first,
/// because the properties that refer to the child nodes are written before them.
inline std::uint64_t writeColors(CastBuilder& cast, const char* name, std::initializer_list<Slot> slots) {
    cast.begin("matl").text("n", name).text("t", "pbr");
    const std::uint64_t material = cast.lastHash();
    Vector<std::uint64_t> hashes;
    for (const Slot& slot : slots) cast.link(slot.name, hashes.emplace_back(cast.reserveHash()));
    std::size_t i = 0;
    for (const Slot& slot : slots) {
        cast.begin(castIds::color, hashes[i++]).text("n", slot.name);
        cast.vec4("rgba", rounded(slot.color.r, 1e3), rounded(slot.color.g, 1e3), rounded(slot.color.b, 1e3), 1).end();
    }
    cast.end();
    return material;
}

}  // namespace rigcast::drawing
