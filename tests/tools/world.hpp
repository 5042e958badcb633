// Generates the world of the Cast demos: a small island with a cottage, trees and sheep. One file
// contains their instances. Lengths are in metres, and Y points up.
#pragma once

#include <map>

#include "core/vector.hpp"
#include "shapes.hpp"

namespace rigcast::world {

using namespace drawing;

inline constexpr double radius = 6.0;

/// Returns the height of the ground, which has two gentle hills that end in a beach.
inline double heightAt(double x, double z) {
    const double r = std::hypot(x, z) / radius;
    const auto hill = [&](double cx, double cz, double size, double height) {
        const double d = std::hypot(x - cx, z - cz) / size;
        return height * std::exp(-d * d);
    };
    return (0.55 + hill(-2.2, -1.8, 2.2, 1.25) + hill(2.4, -2.6, 1.7, 0.7) + hill(2.2, 2.6, 1.5, 0.3)) * (1 - smoothstep(0.72, 1.0, r)) -
           0.04 + 0.06 * (1 - r);
}

// ------------------------------------------------------------------------------------------------ models
struct Part {
    const char* name;
    Color color;
    double roughness;
    Surface surface;
};

inline Vector<std::uint8_t> writeModel(const char* name, const Vector<Part>& parts) {
    CastBuilder cast;
    cast.begin("root");
    cast.begin("modl").text("n", name);
    Vector<std::uint64_t> materials;
    for (const Part& part : parts)
        materials.push_back(
            writeColors(cast, part.name, {{"albedo", part.color}, {"roughness", {part.roughness, part.roughness, part.roughness}}}));
    for (std::size_t i = 0; i < parts.size(); ++i)
        beginMesh(cast, parts[i].name, parts[i].surface, materials[i], Layers::none, false).end();
    cast.end();
    writeMetadata(cast);
    cast.end();
    return cast.finish();
}

inline Skinning still() { return on(0); }

inline Patch lumpy(const Patch& patch, V3 centre, double amount, double phase) {
    return [=](double u, double v) {
        const V3 p = patch(u, v), d = p - centre;
        const V3 n = normalised(d);
        return centre + d * (1 + amount * std::sin(5 * n.x + phase) * std::cos(4 * n.y + 2 * phase) * std::sin(4.5 * n.z + 1 + phase));
    };
}

inline Vector<std::uint8_t> island() {
    Part grass{"Grass", hex(0x86B84E), 0.95, {}}, sand{"Sand", hex(0xEBD9A8), 0.95, {}}, sea{"Sea", hex(0x5FB8D6), 0.35, {}};
    const auto ring = [](double inner, double outer) {
        return [=](double u, double v) {
            const double r = mix(outer, inner, std::clamp(v, 0.0, 1.0)), around = 2 * M_PI * u;
            const double wobble = 1 + 0.05 * std::sin(3 * around + 1) * r / radius, x = r * wobble * std::sin(around),
                         z = r * wobble * std::cos(around);
            return V3{x, heightAt(x, z), z};
        };
    };
    addPatch(grass.surface, 32, 8, ring(0, 5.1), still());
    addPatch(sand.surface, 32, 2, ring(5.1, 6.1), still());
    addPatch(sea.surface, 32, 2, lathe({0, -0.02, 0}, {{7.1, -0.10}, {7.0, 0}, {5.0, 0}}), still());
    return writeModel("Island", {grass, sand, sea});
}

inline Vector<std::uint8_t> tree() {
    Part trunk{"Bark", hex(0x7A5236), 0.9, {}}, crown{"Leaves", hex(0x5E9A41), 0.9, {}};
    addPatch(trunk.surface, 7, 3, lathe({0, 0, 0}, {{0.10, -0.1}, {0.065, 0.2}, {0.05, 0.6}, {0.03, 0.8}}), still());
    const std::array<std::pair<V3, double>, 3> blobs = {{{{0.02, 0.95, 0}, 0.36}, {{-0.2, 0.75, 0.1}, 0.25}, {{0.21, 0.78, -0.06}, 0.24}}};
    for (const auto& [at, size] : blobs)
        addPatch(crown.surface, 9, 5, lumpy(ellipsoid(at, {size, size * 0.9, size}), at, 0.25, size * 9), still());
    return writeModel("Tree", {trunk, crown});
}

inline Vector<std::uint8_t> pine() {
    Part trunk{"Bark", hex(0x6B4A33), 0.9, {}}, needles{"Needles", hex(0x2F6B4A), 0.9, {}};
    addPatch(trunk.surface, 6, 2, lathe({0, 0, 0}, {{0.07, -0.1}, {0.06, 0.3}, {0.05, 0.4}}), still());
    for (int i = 0; i < 3; ++i) {
        const double y = 0.25 + 0.32 * i, size = 0.40 - 0.09 * i;
        addPatch(needles.surface, 9, 3, lathe({0, y, 0}, {{0, 0.04}, {size, 0}, {size * 0.55, 0.22}, {0, 0.52}}), still());
    }
    return writeModel("Pine", {trunk, needles});
}

inline Vector<std::uint8_t> rock() {
    Part stone{"Stone", hex(0x9A9A98), 0.95, {}};
    const V3 at{0, 0.06, 0};
    addPatch(stone.surface, 9, 6, lumpy(ellipsoid(at, {0.30, 0.20, 0.24}, 0.7, 0.8), at, 0.35, 0.4), still());
    return writeModel("Rock", {stone});
}

inline Vector<std::uint8_t> mushroom() {
    Part stem{"Stem", hex(0xF4EAD5), 0.8, {}}, cap{"Cap", hex(0xD23B2E), 0.35, {}};
    addPatch(stem.surface, 7, 2, lathe({0, 0, 0}, {{0.045, -0.03}, {0.032, 0.05}, {0.03, 0.13}}), still());
    addPatch(cap.surface, 10, 4, lathe({0, 0.1, 0}, {{0, 0.02}, {0.12, 0}, {0.105, 0.06}, {0.05, 0.105}, {0, 0.115}}), still());
    for (const auto& [x, z] : {std::pair{0.05, 0.04}, std::pair{-0.05, 0.05}, std::pair{0.0, -0.06}})
        addPatch(stem.surface, 6, 3, ellipsoid({x, 0.19, z}, {0.022, 0.014, 0.022}), still());
    return writeModel("Mushroom", {stem, cap});
}

inline Vector<std::uint8_t> sheep(const char* name, Color fleece) {
    Part wool{"Wool", fleece, 1, {}}, skin{"Face", hex(0x33302F), 0.7, {}}, eyes{"Eyes", hex(0xFFFFFF), 0.4, {}};
    const V3 belly{0, 0.27, -0.02};
    addPatch(
        wool.surface, 14, 7,
        [=](double u, double v) {
            const V3 d = ellipsoid({0, 0, 0}, {0.17, 0.155, 0.23}, 0.85, 0.9)(u, v);
            const double curl = std::abs(std::sin(8 * M_PI * u)) * std::abs(std::sin(5 * M_PI * v));
            return belly + d * (1 + 0.10 * curl);
        },
        still());
    addPatch(wool.surface, 8, 4, ellipsoid({0, 0.445, 0.205}, {0.075, 0.05, 0.065}), still());
    addPatch(skin.surface, 8, 6, ellipsoid({0, 0.385, 0.27}, {0.066, 0.078, 0.10}, 0.85), still());
    for (const double side : {-1.0, 1.0}) {
        addPatch(skin.surface, 6, 4, ellipsoid({side * 0.092, 0.41, 0.22}, {0.05, 0.018, 0.028}), still());
        addPatch(eyes.surface, 6, 4, ellipsoid({side * 0.05, 0.415, 0.325}, {0.017, 0.019, 0.017}), still());
        for (const double z : {-0.14, 0.1})
            addPatch(skin.surface, 5, 1, lathe({side * 0.085, 0, z}, {{0.03, -0.02}, {0.034, 0.2}}), still());
    }
    return writeModel(name, {wool, skin, eyes});
}

inline Vector<std::uint8_t> cottage() {
    Part walls{"Walls", hex(0xF3E6CC), 0.9, {}}, roof{"Roof", hex(0xB4553D), 0.85, {}}, wood{"Wood", hex(0x6F4A30), 0.8, {}},
        panes{"Panes", hex(0x8FD0E0), 0.1, {}};
    addBox(walls.surface, {-0.7, -0.2, -0.5}, {0.7, 0.8, 0.5}, still());
    for (const double side : {-1.0, 1.0})  // gables
        if (side > 0)
            addQuad(walls.surface, {0.7, 0.8, 0.5}, {0.7, 0.8, -0.5}, {0.7, 1.3, 0}, {0.7, 1.3, 0}, still());
        else
            addQuad(walls.surface, {-0.7, 0.8, -0.5}, {-0.7, 0.8, 0.5}, {-0.7, 1.3, 0}, {-0.7, 1.3, 0}, still());
    const auto slope = [&](double z, double lift) {  // a slab over one half of the roof
        const V3 eaveL{-0.85, 0.68 + lift, z * 0.65}, eaveR{0.85, 0.68 + lift, z * 0.65}, ridgeL{-0.85, 1.33 + lift, 0},
            ridgeR{0.85, 1.33 + lift, 0};
        const bool isOut = (z > 0) == (lift > 0);
        if (isOut)
            addQuad(roof.surface, eaveL, eaveR, ridgeR, ridgeL, still());
        else
            addQuad(roof.surface, eaveR, eaveL, ridgeL, ridgeR, still());
    };
    for (const double z : {1.0, -1.0}) slope(z, 0.06), slope(z, -0.0001);
    addBox(walls.surface, {0.3, 0.9, -0.32}, {0.5, 1.55, -0.12}, still());
    addBox(wood.surface, {-0.14, -0.1, 0.49}, {0.14, 0.5, 0.53}, still());
    for (const double x : {-0.45, 0.45}) {
        addBox(wood.surface, {x - 0.15, 0.25, 0.49}, {x + 0.15, 0.55, 0.52}, still());
        addBox(panes.surface, {x - 0.11, 0.29, 0.5}, {x + 0.11, 0.51, 0.53}, still());
    }
    return writeModel("Cottage", {walls, roof, wood, panes});
}

inline Vector<std::uint8_t> fence() {
    Part wood{"Wood", hex(0xD9C8A6), 0.9, {}};
    addBox(wood.surface, {-0.03, -0.15, -0.03}, {0.03, 0.34, 0.03}, still());
    for (const double y : {0.12, 0.24}) addBox(wood.surface, {0, y, -0.012}, {0.56, y + 0.05, 0.012}, still());
    return writeModel("Fence", {wood});
}

// ------------------------------------------------------------------------------------------------ the world
struct Placed {
    std::string file, name;
    V3 at;
    double turn;  // angle about the vertical axis
    V3 scale;
};

class Planner {
public:
    void put(const std::string& file, const std::string& name, double x, double z, double turn, V3 scale = {1, 1, 1}) {
        placed.push_back({file, name, {x, heightAt(x, z), z}, turn, scale});
    }

    /// Scatters `count` instances between the distances `inner` and `outer` from the centre, at
    /// least `apart` from each other. Every third instance is mirrored.
    void scatter(const std::string& file, int count, double inner, double outer, double apart, double small, double large) {
        for (int i = 0, tries = 0; i < count && tries < 4000; ++tries) {
            const double r = std::sqrt(dice_.roll(inner * inner, outer * outer)), angle = dice_.roll(0, 2 * M_PI);
            const double x = r * std::sin(angle), z = r * std::cos(angle);
            const bool isFree = std::all_of(taken_.begin(), taken_.end(),
                                            [&](const auto& other) { return std::hypot(x - other[0], z - other[1]) > apart + other[2]; });
            if (!isFree) continue;
            const double size = dice_.roll(small, large);
            taken_.push_back({x, z, apart});
            const double width = i % 3 == 0 ? -size : size;
            put(file, file + " " + std::to_string(++i), x, z, dice_.roll(0, 2 * M_PI), {width, size, size});
        }
    }

    void keepFree(double x, double z, double size) { taken_.push_back({x, z, size}); }

    Vector<Placed> placed;

private:
    Dice dice_{2025};
    Vector<std::array<double, 3>> taken_;
};

/// Returns the files to which the instances in the world refer, by file name.
inline std::map<std::string, Vector<std::uint8_t>> models() {
    return {{"Island", island()},
            {"Tree", tree()},
            {"Pine", pine()},
            {"Rock", rock()},
            {"Mushroom", mushroom()},
            {"Sheep", sheep("Sheep", hex(0xF7F3EA))},
            {"BlackSheep", sheep("BlackSheep", hex(0x4A423E))},
            {"Cottage", cottage()},
            {"Fence", fence()}};
}

/// Returns the file that contains the world. Paths are as exporters write them: with backslashes,
/// and relative to the scene root.
inline Vector<std::uint8_t> write() {
    Planner plan;
    plan.placed.push_back({"Island", "Island", {0, 0, 0}, 0, {1, 1, 1}});
    plan.put("Cottage", "Cottage", -2.0, -1.6, 0.5);
    plan.keepFree(-2.0, -1.6, 1.1);
    plan.put("Tock", "Tock", 0.6, 1.5, -0.1, {0.9, 0.9, 0.9});
    plan.keepFree(0.6, 1.5, 0.55);
    for (int i = 0; i < 9; ++i) {  // a pen for the sheep, which is open at the front
        const double angle = 0.9 + i * 0.52, x = 2.4 + 1.12 * std::sin(angle), z = 0.2 + 1.12 * std::cos(angle);
        plan.put("Fence", "Fence " + std::to_string(i + 1), x, z, angle + 0.26);
    }
    const std::array<std::array<double, 3>, 4> flock = {{{2.1, 0.0, 0.7}, {2.8, 0.4, -0.6}, {2.5, -0.5, 2.4}, {1.75, 1.15, 0.2}}};
    int number = 0;
    for (const auto& [x, z, turn] : flock) {
        const std::string name = number == 3 ? "BlackSheep" : "Sheep";
        const double width = number % 2 ? 1.0 : -1.0;
        plan.put(name, name + " " + std::to_string(++number), x, z, turn, {width, 1, 1});
    }
    plan.keepFree(2.4, 0.2, 1.4);
    plan.scatter("Sheep", 8, 0.6, 4.0, 0.22, 0.85, 1.0);
    plan.scatter("Mushroom", 30, 0.6, 4.6, 0.07, 0.6, 1.4);
    plan.scatter("Rock", 22, 1.0, 5.6, 0.18, 0.4, 1.2);
    plan.keepFree(0.5, 3.0, 1.5);  // keeps the view from the front free
    plan.scatter("Tree", 24, 1.2, 4.7, 0.28, 0.8, 1.3);
    plan.scatter("Pine", 28, 2.2, 4.8, 0.22, 0.8, 1.5);

    CastBuilder cast;
    cast.begin("root");
    for (const Placed& placed : plan.placed) {
        cast.begin("inst").text("n", placed.name);
        const std::uint64_t file = cast.reserveHash();
        cast.link("rf", file);
        writeVec3(cast, "p", placed.at), writeTurn(cast, "r", turned(0, placed.turn, 0)), writeVec3(cast, "s", placed.scale);
        cast.begin(castIds::file, file).text("p", "models\\" + placed.file + ".cast").end();
        cast.end();
    }
    writeMetadata(cast, "assets");
    cast.end();
    return cast.finish();
}

}  // namespace rigcast::world
