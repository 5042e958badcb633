// Tests that every kind of damage is reported with its code, severity and location
// (docs/formats/ueformat.md section 7).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "support/open.hpp"
#include "support/sweeps.hpp"
#include "support/ueFixtures.hpp"

namespace rigcast::test {
namespace {

using File = Vector<std::uint8_t>;

Vector<std::string> findingsOf(const File& bytes) { return findingsOf(*readBytes("", bytes, {.name = "x"})); }

struct Row {
    const char* what;
    const char* finding;
    std::function<File()> make;
};

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

/// Sets the integer that follows the first occurrence of `name`, `skip` bytes after its end. In
/// versions 0 to 9, a name is followed by the count and the size, and in version 10 by the size and
/// the count of an array.
File patched(File bytes, const std::string& name, std::size_t skip, std::int32_t value) {
    const auto at = std::search(bytes.begin(), bytes.end(), name.begin(), name.end());
    if (at == bytes.end()) return {};
    std::memcpy(&*at + name.size() + skip, &value, sizeof value);
    return bytes;
}

File cut(File bytes, std::size_t size) {
    bytes.resize(size);
    return bytes;
}
File cutEnd(const File& bytes, std::size_t count) { return cut(bytes, bytes.size() - count); }

File arm(int version = 10) { return makeUeModel(ueArm(), version); }

/// Returns a function that writes the arm after `change`, in version 10.
std::function<File()> model(const std::function<void(UeModelSpec&)>& change) {
    return [change] {
        UeModelSpec spec = ueArm();
        change(spec);
        return makeUeModel(spec);
    };
}

std::function<File()> mesh(const std::function<void(UeLodSpec&)>& change) {
    return model([change](UeModelSpec& spec) { change(spec.lods[0]); });
}

std::function<File()> anim(const std::function<void(UeAnimSpec&)>& change, int version = 10) {
    return [change, version] {
        UeAnimSpec spec = ueArmAnim();
        change(spec);
        return makeUeAnim(spec, version);
    };
}

std::function<File()> poses(const std::function<void(UePosesSpec&)>& change) {
    return [change] {
        UePosesSpec spec = ueArmPoses();
        change(spec);
        return makeUePoses(spec);
    };
}

std::function<File()> world(const std::function<void(UeWorldSpec&)>& change) {
    return [change] {
        UeWorldSpec spec = ueYard();
        change(spec);
        return makeUeWorld(spec);
    };
}

/// Returns a model whose root has one more part. `name`: its name.
File withPart(int version, const std::string& name) {
    UeBytes positions;
    positions.number(0).number(0).number(0);
    UeParts root(version);
    root.array("VERTICES", 1, positions).array(name, 1, positions);
    return makeUeFile("UEMODEL", version, root.finish());
}

const Row rows[] = {
    // ---- header
    {"an empty file", "error EMPTY_FILE ", [] { return File(); }},
    {"another magic", "error UNKNOWN_FORMAT ",
     [] {
         File bytes = arm();
         bytes[3] = 'X';
         return bytes;
     }},
    {"the prototype", "error UNSUPPORTED_VERSION header", [] { return UeBytes().raw("UNREALFORMAT").text("UEMODEL").bytes(); }},
    {"an unknown identifier", "error UNSUPPORTED_CONTENT header", [] { return makeUeFile("UEMESH", 9, {}); }},
    {"version 11", "error UNSUPPORTED_VERSION header",
     [] {
         File bytes = arm();
         bytes[19] = 11;
         return bytes;
     }},
    {"a header that is cut", "error TRUNCATED header", [] { return cut(arm(), 20); }},
    {"a negative length of the name", "error BAD_STRING_LENGTH header", [] { return patched(arm(), "UEMODEL", 1, -5); }},
    {"a name that is longer than the file", "error BAD_STRING_LENGTH header", [] { return patched(arm(), "UEMODEL", 1, 1 << 30); }},
    {"an unknown compression", "error UNSUPPORTED_COMPRESSION header",
     [] {
         return makeCompressedUeFile("UEMODEL", 9, "OODLE", 100, {1, 2, 3});
     }},
    {"a negative size of the body", "error BAD_HEADER header",
     [] {
         return makeCompressedUeFile("UEMODEL", 9, "GZIP", -1, {1, 2, 3});
     }},
    {"a body of 1 GB in three bytes", "error COMPRESSION_RATIO header",
     [] {
         return makeCompressedUeFile("UEMODEL", 9, "ZSTD", 1 << 30, {1, 2, 3});
     }},
    {"a compressed body that is cut", "error TRUNCATED header",
     [] { return cutEnd(makeCompressedUeFile("UEMODEL", 9, "GZIP", 100, File(40)), 10); }},
    {"bytes after the compressed body", "warning TRAILING_BYTES ",
     [] { return UeBytes().put(makeCompressedUeFile("UEMODEL", 9, "GZIP", 100, File(40))).number(0).bytes(); }},

    // ---- parts
    {"a model of version 9 that is cut", "error TRUNCATED COLLISION", [] { return cutEnd(arm(9), 40); }},
    {"a model of version 10 that is cut", "error TRUNCATED COLLISION", [] { return cutEnd(arm(), 40); }},
    {"a mesh that is cut", "error TRUNCATED LODS", [] { return cut(arm(9), 400); }},
    {"a part with a negative size", "error BAD_CHUNK_SIZE LODS/LOD0/NORMALS", [] { return patched(arm(9), "NORMALS", 4, -1); }},
    {"a level of detail with a negative size", "error BAD_CHUNK_SIZE LODS/LOD0", [] { return patched(arm(9), "LOD0", 0, -1); }},
    {"a part that continues after its level of detail", "error TRUNCATED LODS/LOD0/MORPHTARGETS",
     [] { return patched(arm(9), "MORPHTARGETS", 4, 10'000); }},
    {"a negative number of attributes", "error BAD_COUNT SKELETON", [] { return patched(arm(), "SKELETON", 4, -1); }},
    {"too many attributes", "error BAD_COUNT SKELETON", [] { return patched(arm(), "SKELETON", 4, 1 << 30); }},
    {"too many vertices", "error BAD_COUNT LODS/LOD0/VERTICES", [] { return patched(arm(), "VERTICES", 4, 1 << 30); }},
    {"too many levels of detail", "error BAD_COUNT LODS", [] { return patched(arm(), "LODS", 4, 1 << 30); }},
    {"a level of detail that is missing", "warning COUNT_REPAIRED LODS", [] { return patched(arm(9), "LODS", 0, 2); }},
    {"too few vertices for the size", "warning COUNT_REPAIRED LODS/LOD0/VERTICES", [] { return patched(arm(9), "VERTICES", 0, 5); }},
    {"a morph target that is missing", "warning COUNT_REPAIRED LODS/LOD0/MORPHTARGETS",
     [] { return patched(arm(9), "MORPHTARGETS", 0, 5); }},
    {"a socket that is missing", "warning COUNT_REPAIRED SKELETON/SOCKETS", [] { return patched(arm(9), "SOCKETS", 0, 3); }},
    {"an unknown part", "warning UNKNOWN_CHUNK PHYSICS", [] { return withPart(0, "PHYSICS"); }},
    {"a part that occurs twice", "warning DUPLICATE_CHUNK VERTICES", [] { return withPart(0, "VERTICES"); }},
    {"a name in lower case", "warning UNKNOWN_CHUNK vertices", [] { return withPart(0, "vertices"); }},
    {"bytes after the attributes", "warning TRAILING_BYTES ", [] { return UeBytes().put(arm()).number(0).bytes(); }},
    {"a file without parts", "error MISSING_CHUNK ", [] { return makeUeFile("UEMODEL", 9, {}); }},

    // ---- mesh
    {"a mesh without vertices", "error MESH_UNUSABLE LODS/LOD0", mesh([](UeLodSpec& lod) { lod.positions.clear(); })},
    {"a mesh without faces", "error MESH_UNUSABLE LODS/LOD0", mesh([](UeLodSpec& lod) { lod.indices.clear(); })},
    {"a face with a vertex that does not exist", "error FACE_INDEX_RANGE LODS/LOD0/INDICES",
     mesh([](UeLodSpec& lod) { lod.indices[4] = 9; })},
    {"a face that is incomplete", "warning FACE_TAIL LODS/LOD0/INDICES", mesh([](UeLodSpec& lod) { lod.indices.pop_back(); })},
    {"a face without an area", "info FACE_DEGENERATE LODS/LOD0/INDICES", mesh([](UeLodSpec& lod) { lod.indices[1] = lod.indices[0]; })},
    {"a position that is not finite", "error NON_FINITE LODS/LOD0/VERTICES",
     mesh([](UeLodSpec& lod) { lod.positions[1].x = double{nan}; })},
    {"too few normals", "warning ATTRIBUTE_COUNT LODS/LOD0/NORMALS", mesh([](UeLodSpec& lod) { lod.normals.pop_back(); })},
    {"a normal without a direction", "warning NORMAL_DAMAGED LODS/LOD0/NORMALS", mesh([](UeLodSpec& lod) { lod.normals[1] = {}; })},
    {"too few tangents", "warning ATTRIBUTE_COUNT LODS/LOD0/TANGENTS", mesh([](UeLodSpec& lod) { lod.tangents.pop_back(); })},
    {"too few texture coordinates", "warning ATTRIBUTE_COUNT LODS/LOD0/TEXCOORDS", mesh([](UeLodSpec& lod) { lod.uvs[1].resize(4); })},
    {"a texture coordinate that is not finite", "error NON_FINITE LODS/LOD0/TEXCOORDS", mesh([](UeLodSpec& lod) { lod.uvs[0][3] = nan; })},
    {"too few colours", "warning ATTRIBUTE_COUNT LODS/LOD0/VERTEXCOLORS", mesh([](UeLodSpec& lod) { lod.colors[0].rgba.resize(8); })},
    {"a material for faces that do not exist", "warning MATERIAL_RANGE LODS/LOD0/MATERIALS",
     mesh([](UeLodSpec& lod) { lod.materials[1].faces = 99; })},
    {"an influence of a bone that does not exist", "error INFLUENCE_BONE_RANGE LODS/LOD0/WEIGHTS",
     mesh([](UeLodSpec& lod) { lod.weights[3].bone = 9; })},
    {"an influence on a vertex that does not exist", "error INFLUENCE_POINT_RANGE LODS/LOD0/WEIGHTS",
     mesh([](UeLodSpec& lod) { lod.weights[3].vertex = 9; })},
    {"a negative vertex of an influence", "error INFLUENCE_POINT_RANGE LODS/LOD0/WEIGHTS",
     mesh([](UeLodSpec& lod) { lod.weights[3].vertex = -1; })},
    {"a weight that is not finite", "error NON_FINITE LODS/LOD0/WEIGHTS", mesh([](UeLodSpec& lod) { lod.weights[3].weight = nan; })},
    {"weights with the sum 3", "warning INFLUENCE_SUM LODS/LOD0/WEIGHTS", mesh([](UeLodSpec& lod) { lod.weights[0].weight = 3; })},
    {"a vertex without an influence", "warning INFLUENCE_MISSING LODS/LOD0/WEIGHTS",
     mesh([](UeLodSpec& lod) { lod.weights.erase(lod.weights.begin()); })},
    {"two influences of one bone", "warning INFLUENCE_DUPLICATE LODS/LOD0/WEIGHTS",
     mesh([](UeLodSpec& lod) { lod.weights.push_back(lod.weights[0]); })},
    {"influences without bones", "error INFLUENCE_BONE_RANGE LODS/LOD0/WEIGHTS", model([](UeModelSpec& spec) { spec.bones.clear(); })},
    {"a delta of a vertex that does not exist", "warning MORPH_DAMAGED LODS/LOD0/MORPHTARGETS",
     mesh([](UeLodSpec& lod) { lod.morphs[0].deltas[1].vertex = 9; })},
    {"two deltas of one vertex", "warning MORPH_DAMAGED LODS/LOD0/MORPHTARGETS",
     mesh([](UeLodSpec& lod) { lod.morphs[0].deltas[1].vertex = 2; })},
    {"a delta that is not finite", "error NON_FINITE LODS/LOD0/MORPHTARGETS",
     mesh([](UeLodSpec& lod) { lod.morphs[0].deltas[1].position.x = double{nan}; })},

    // ---- skeleton
    {"too many bones", "error TRUNCATED SKELETON/BONES", [] { return patched(arm(9), "BONES", 0, 9); }},
    {"a negative number of bones", "error BAD_COUNT SKELETON/BONES", [] { return patched(arm(9), "BONES", 0, -1); }},
    {"a parent that does not exist", "warning BONE_PARENT_RANGE SKELETON/BONES",
     model([](UeModelSpec& spec) { spec.bones[2].parent = 9; })},
    {"a bone that is its own parent", "warning BONE_PARENT_RANGE SKELETON/BONES",
     model([](UeModelSpec& spec) { spec.bones[2].parent = 2; })},
    {"a cycle of bones", "error BONE_CYCLE SKELETON/BONES", model([](UeModelSpec& spec) { spec.bones[0].parent = 2; })},
    {"two bones with one name", "info BONE_NAME_DUPLICATE SKELETON/BONES", model([](UeModelSpec& spec) { spec.bones[2].name = "upper"; })},
    {"a name that is not UTF-8", "warning NAME_DAMAGED SKELETON/BONES", model([](UeModelSpec& spec) { spec.bones[2].name = "\xe9"; })},
    {"a rotation without a direction", "warning QUATERNION_NOT_UNIT SKELETON/BONES", model([](UeModelSpec& spec) {
         spec.bones[1].rotation = {0, 0, 0, 0};
     })},
    {"a position of a bone that is not finite", "error NON_FINITE SKELETON/BONES",
     model([](UeModelSpec& spec) { spec.bones[1].position.y = double{nan}; })},
    {"a scale of zero", "warning SINGULAR_BIND SKELETON/BONES", model([](UeModelSpec& spec) { spec.bones[2].scale.x = 0; })},
    {"a socket of a bone that does not exist", "warning SOCKET_BONE_MISSING SKELETON/SOCKETS",
     model([](UeModelSpec& spec) { spec.sockets[0].bone = "Tail"; })},
    {"a socket that is not finite", "error NON_FINITE SKELETON/SOCKETS",
     model([](UeModelSpec& spec) { spec.sockets[0].position.x = double{nan}; })},

    // ---- animations
    {"an animation that is cut", "error TRUNCATED CURVES", [] { return cutEnd(makeUeAnim(ueArmAnim()), 4); }},
    {"an animation of version 5 without frames", "error TRUNCATED header",
     [] {
         return makeUeFile("UEANIM", 5, {1, 2, 3});
     }},
    {"no METADATA", "error FRAME_RATE header", anim([](UeAnimSpec& spec) { spec.hasMetadata = false; })},
    {"METADATA without its end", "error TRUNCATED METADATA",
     [] { return makeUeFile("UEANIM", 9, UeParts(9).single("METADATA", UeBytes().integer(3).number(30).bytes()).finish()); }},
    {"a frame rate of zero", "warning FRAME_RATE METADATA", anim([](UeAnimSpec& spec) { spec.rate = 0; })},
    {"a frame rate that is not finite", "warning FRAME_RATE METADATA", anim([](UeAnimSpec& spec) { spec.rate = nan; })},
    {"a negative frame rate in version 5", "warning FRAME_RATE header", anim([](UeAnimSpec& spec) { spec.rate = -1; }, 5)},
    {"a negative number of frames", "error BAD_COUNT METADATA", anim([](UeAnimSpec& spec) { spec.frames = -4; })},
    {"an unknown additive type", "warning VALUE_UNKNOWN METADATA", anim([](UeAnimSpec& spec) { spec.additiveType = 7; })},
    {"an unknown reference pose", "warning VALUE_UNKNOWN METADATA", anim([](UeAnimSpec& spec) { spec.refPoseType = 7; })},
    {"an animation that is declared additive", "info ADDITIVE_UNCERTAIN METADATA",
     anim([](UeAnimSpec& spec) { spec.additiveType = spec.refPoseType = 1; })},
    {"keys in descending order", "warning KEY_ORDER TRACKS",
     anim([](UeAnimSpec& spec) { std::swap(spec.tracks[1].rotation[1], spec.tracks[1].rotation[2]); })},
    {"two keys at one frame", "warning KEY_ORDER TRACKS", anim([](UeAnimSpec& spec) { spec.tracks[1].rotation[2].frame = 4; })},
    {"a key after the last frame", "warning FRAME_RANGE TRACKS", anim([](UeAnimSpec& spec) { spec.tracks[0].position[1].frame = 900; })},
    {"a key before the first frame", "warning FRAME_RANGE TRACKS", anim([](UeAnimSpec& spec) { spec.tracks[0].position[0].frame = -2; })},
    {"a key that is not finite", "error NON_FINITE TRACKS",
     anim([](UeAnimSpec& spec) { spec.tracks[0].position[1].value.x = double{nan}; })},
    {"a rotation of a key without unit length", "warning QUATERNION_NOT_UNIT TRACKS", anim([](UeAnimSpec& spec) {
         spec.tracks[1].rotation[1].value = {0, 0, 1, 1};
     })},
    {"two tracks of one bone", "warning BONE_NAME_DUPLICATE TRACKS", anim([](UeAnimSpec& spec) { spec.tracks[1].bone = "root"; })},
    {"too many tracks", "error BAD_COUNT TRACKS", [] { return patched(makeUeAnim(ueArmAnim()), "TRACKS", 4, 1 << 30); }},
    {"too many keys", "error BAD_COUNT TRACKS", [] { return patched(makeUeAnim(ueArmAnim()), "Upper", 0, 1 << 30); }},
    {"a value of a curve that is not finite", "error NON_FINITE CURVES",
     anim([](UeAnimSpec& spec) { spec.curves[0].keys[1].second = nan; })},
    {"two curves with one name", "info CURVE_REPEATED CURVES", anim([](UeAnimSpec& spec) { spec.curves.push_back(spec.curves[0]); })},
    {"a curve without keys", "warning CURVE_EMPTY CURVES", anim([](UeAnimSpec& spec) { spec.curves[0].keys.clear(); })},
    {"nothing that moves", "info NO_MOTION ", [] { return makeUeAnim({}); }},

    // ---- poses
    {"poses that are cut", "error TRUNCATED CURVES", [] { return cutEnd(makeUePoses(ueArmPoses()), 2); }},
    {"an influence without a curve", "error INDEX_RANGE POSES", poses([](UePosesSpec& spec) { spec.poses[1].influences[0].first = 7; })},
    {"a difference that is not finite", "error NON_FINITE POSES",
     poses([](UePosesSpec& spec) { spec.poses[0].keys[0].position.x = double{nan}; })},
    {"a rotation of a pose without unit length", "warning QUATERNION_NOT_UNIT POSES", poses([](UePosesSpec& spec) {
         spec.poses[0].keys[0].rotation = {0, 0, 1, 1};
     })},
    {"a bone that occurs twice in a pose", "warning BONE_NAME_DUPLICATE POSES",
     poses([](UePosesSpec& spec) { spec.poses[0].keys[1].bone = "upper"; })},
    {"too many poses", "error BAD_COUNT POSES", [] { return patched(makeUePoses(ueArmPoses()), "POSES", 4, 1 << 30); }},
    {"too many keys of a pose", "error BAD_COUNT POSES", [] { return patched(makeUePoses(ueArmPoses()), "Reach", 0, 1 << 30); }},
    {"no poses", "info NO_MOTION ", [] { return makeUePoses({}); }},

    // ---- worlds
    {"a world", "warning PROTOTYPE_WORLD header", [] { return makeUeWorld(ueYard()); }},
    {"a world that is cut", "error TRUNCATED ACTORS", [] { return cutEnd(makeUeWorld(ueYard()), 4); }},
    {"an actor without a model", "warning INDEX_RANGE ACTORS", world([](UeWorldSpec& spec) { spec.actors[1].model = 8; })},
    {"two models with one hash", "warning DUPLICATE_CHUNK MESHES", world([](UeWorldSpec& spec) { spec.models.push_back(spec.models[0]); })},
    {"a place that is not finite", "error NON_FINITE ACTORS", world([](UeWorldSpec& spec) { spec.actors[1].position.x = double{nan}; })},
    {"a world without actors", "error MISSING_CHUNK ", world([](UeWorldSpec& spec) { spec.actors.clear(); })},
    {"a world in a world", "error UNSUPPORTED_CONTENT MESHES/77/header",
     world([](UeWorldSpec& spec) { spec.models[0].second = makeUeWorld(ueYard()); })},
    {"a compressed model in a world", "error UNSUPPORTED_COMPRESSION MESHES/77",
     world([](UeWorldSpec& spec) { spec.models[0].second = makeCompressedUeFile("UEMODEL", 0, "GZIP", 100, File(40)); })},
    {"a skeleton in a world", "error MESH_UNUSABLE MESHES/77",
     world([](UeWorldSpec& spec) { spec.models[0].second = makeUeFile("UEMODEL", 9, {}); })},
    {"a model that is longer than the world", "error BAD_COUNT MESHES",
     [] { return makeUeFile("UEWORLD", 0, UeParts(0).array("MESHES", 1, UeBytes().integer(1).integer(1 << 30).text("x")).finish()); }},
};

TEST(UeDamage, ReportsEachKindWithItsLocation) {
    for (const Row& row : rows) {
        const auto list = findingsOf(row.make());
        std::string all;
        for (const std::string& finding : list) all += "\n  " + finding;
        EXPECT_EQ(std::count(list.begin(), list.end(), row.finding), 1) << row.what << ": " << row.finding << " is not in" << all;
    }
    EXPECT_GE(std::size(rows), 100u);
}

TEST(UeDamage, ValidFilesHaveNoFinding) {
    for (const auto& [name, bytes] : ueFixtures())
        for (const std::string& finding : findingsOf(bytes)) EXPECT_EQ(finding, "warning PROTOTYPE_WORLD header") << name;
}

TEST(UeDamage, DamagedModelsAreRead) {
    for (const int version : {0, 5, 9, 10}) {
        const File bytes = arm(version);
        everyPrefix(bytes, "uemodel");
        bytePatches(bytes, bytes.size(), "uemodel");
    }
}

/// The sweeps above compare files in the heap with files outside of it, which are read in windows.
TEST(UeDamage, LargeModelsAreReadInWindows) {
    UeModelSpec spec = ueArm();
    UeLodSpec& lod = spec.lods[0];
    for (std::uint32_t copy = 1; copy < 500; ++copy)
        for (std::uint32_t i = 0; i < 6; ++i) {
            const Vec3 position = lod.positions[i];
            lod.positions.push_back({position.x, position.y, static_cast<double>(copy)});
            lod.normals.push_back(lod.normals[i]);
            lod.tangents.push_back(lod.tangents[i]);
            lod.signs.push_back(lod.signs[i]);
            lod.weights.push_back({static_cast<std::uint16_t>(i / 2), static_cast<std::int32_t>(6 * copy + i)});
        }
    for (std::uint32_t i = 12; i < 500 * 12; ++i) lod.indices.push_back(lod.indices[i % 12] + i / 12 * 6);
    lod.uvs.clear();
    lod.colors.clear();
    for (const int version : {0, 9, 10}) {
        const File bytes = makeUeModel(spec, version);
        const Input input = inputOf(bytes, "x.uemodel");
        EXPECT_EQ(differenceOf("uemodel", input), "");
        // Influences and the signs of the binormals are read twice, and tangents of version 0 never.
        const Outcome outside = outcomeOf("uemodel", input, false, ReadMode::outside);
        EXPECT_GT(outside.bytesRead, bytes.size() * 3 / 4);
        EXPECT_LT(outside.bytesRead, bytes.size() * 3 / 2);
    }
}

}  // namespace
}  // namespace rigcast::test
