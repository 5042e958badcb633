// Tests that every kind of damage is reported with its code, severity and location.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "support/open.hpp"
#include "support/se.hpp"

namespace rigcast::test {
namespace {

Vector<std::string> findingsOf(const Vector<std::uint8_t>& bytes, const std::string& options = "") {
    return findingsOf(*readBytes("", bytes, {.name = "x", .options = options}));
}

struct Row {
    const char* what;
    const char* finding;
    std::function<Vector<std::uint8_t>()> make;
};

/// Returns a function that writes the arm after `change`.
std::function<Vector<std::uint8_t>()> model(const std::function<void(SeModelSpec&)>& change) {
    return [change] {
        SeModelSpec spec = armModel();
        spec.meshes[0].materials[1] = -1;
        change(spec);
        return makeSeModel(spec);
    };
}

/// Returns a function that writes the arm and then sets the byte at `at`.
std::function<Vector<std::uint8_t>()> modelBytes(std::size_t at, std::uint8_t value) {
    return [=] {
        auto bytes = makeSeModel(armModel());
        bytes[at] = value;
        return bytes;
    };
}

std::function<Vector<std::uint8_t>()> cutModel(std::size_t size) {
    return [=] {
        auto bytes = makeSeModel(armModel());
        bytes.resize(size < bytes.size() ? size : bytes.size() - 1);
        return bytes;
    };
}

std::function<Vector<std::uint8_t>()> anim(const std::function<void(SeAnimSpec&)>& change) {
    return [change] {
        SeAnimSpec spec = armAnim(seAbsolute);
        change(spec);
        return makeSeAnim(spec);
    };
}

std::function<Vector<std::uint8_t>()> animBytes(std::size_t at, std::uint8_t value) {
    return [=] {
        auto bytes = makeSeAnim(armAnim(seAbsolute));
        bytes[at] = value;
        return bytes;
    };
}

std::function<Vector<std::uint8_t>()> cutAnim(const SeAnimSpec& spec, std::size_t behind) {
    return [=] {
        auto bytes = makeSeAnim(spec);
        bytes.resize(bytes.size() - behind);
        return bytes;
    };
}

SeAnimSpec noted() {
    SeAnimSpec spec = armAnim(seAbsolute);
    spec.notes = {{3, "step"}};
    return spec;
}

SeAnimSpec customized() {
    SeAnimSpec spec = armAnim(seAbsolute);
    spec.custom = "own";
    return spec;
}

const float nan = std::nanf("");

const Row rows[] = {
    {"version 2 of a model", "warning VERSION_UNKNOWN header", modelBytes(7, 2)},
    {"a header without its end", "error TRUNCATED header", cutModel(15)},
    {"a header that is too small", "error BAD_HEADER header", modelBytes(9, 4)},
    {"a header larger than the file", "error BAD_HEADER header", modelBytes(10, 255)},
    {"reserved flags of a model", "info RESERVED_NOT_ZERO header", modelBytes(11, 0x17)},
    {"names that are cut", "error TRUNCATED names", cutModel(34)},
    {"bones that are cut", "error TRUNCATED bones", cutModel(60)},
    {"a mesh that is cut", "error TRUNCATED meshes", cutModel(400)},
    {"a material that is cut", "error TRUNCATED materials", cutModel(100'000)},
    {"bones that are announced and not there", "warning COUNT_REPAIRED bones", modelBytes(11, 6)},
    {"bytes behind the end", "warning TRAILING_BYTES file",
     [] {
         auto bytes = makeSeModel(armModel());
         bytes.push_back(0);
         return bytes;
     }},
    {"a parent that is not there", "warning BONE_PARENT_RANGE bones", model([](SeModelSpec& spec) { spec.bones[2].parent = 7; })},
    {"a parent that is the bone itself", "warning BONE_PARENT_RANGE bones", model([](SeModelSpec& spec) { spec.bones[2].parent = 2; })},
    {"a cycle of bones", "warning BONE_CYCLE bones", model([](SeModelSpec& spec) { spec.bones[0].parent = 2; })},
    {"two bones of one name", "warning BONE_NAME_DUPLICATE bones", model([](SeModelSpec& spec) { spec.bones[2].name = "Root"; })},
    {"a name that is not UTF-8", "warning NAME_DAMAGED bones", model([](SeModelSpec& spec) { spec.bones[2].name = "\xe9"; })},
    {"no pose", "warning BONE_TRANSFORM_MISSING bones", model([](SeModelSpec& spec) { spec.boneParts = 0; })},
    {"poses that disagree", "warning BONE_TRANSFORM_DISAGREES bones", model([](SeModelSpec& spec) {
         spec.boneParts = seGlobal | seLocal;
         spec.bones[2].global[0] = 5;
     })},
    {"a position of a bone that is no number", "error NON_FINITE bones", model([](SeModelSpec& spec) { spec.bones[1].local[0] = nan; })},
    {"a rotation that is none", "warning QUATERNION_NOT_UNIT bones", model([](SeModelSpec& spec) { spec.bones[1].local[6] = 2; })},
    {"a bone without size", "warning SINGULAR_BIND bones", model([](SeModelSpec& spec) {
         spec.bones[2].scale = {0, 1, 1};
     })},
    {"a mesh without faces", "error MESH_UNUSABLE meshes[0]", model([](SeModelSpec& spec) { spec.meshes[0].faces.clear(); })},
    {"a face of vertices that are not there", "error FACE_INDEX_RANGE meshes[0]",
     model([](SeModelSpec& spec) { spec.meshes[0].faces[4] = 9; })},
    {"only such faces", "error MESH_UNUSABLE meshes[0]", model([](SeModelSpec& spec) {
         spec.meshes[0].faces = {9, 9, 9};
     })},
    {"a face without area", "warning FACE_DEGENERATE meshes[0]", model([](SeModelSpec& spec) { spec.meshes[0].faces[1] = 0; })},
    {"a position that is no number", "error NON_FINITE meshes[0]", model([](SeModelSpec& spec) { spec.meshes[0].positions[3] = nan; })},
    {"a texture coordinate that is none", "error NON_FINITE meshes[0]", model([](SeModelSpec& spec) { spec.meshes[0].uvs[1][3] = nan; })},
    {"a weight of a bone that is not there", "error INFLUENCE_BONE_RANGE meshes[0]",
     model([](SeModelSpec& spec) { spec.meshes[0].bones[4] = 9; })},
    {"a weight that is no number", "error NON_FINITE meshes[0]", model([](SeModelSpec& spec) { spec.meshes[0].weights[4] = nan; })},
    {"weights that are too much", "warning INFLUENCE_SUM meshes[0]", model([](SeModelSpec& spec) { spec.meshes[0].weights[4] = 3; })},
    {"a vertex without weights", "warning INFLUENCE_MISSING meshes[0]", model([](SeModelSpec& spec) { spec.meshes[0].weights[0] = 0; })},
    {"a bone named twice", "warning INFLUENCE_DUPLICATE meshes[0]",
     model([](SeModelSpec& spec) { spec.meshes[0].bones[4] = spec.meshes[0].bones[3]; })},
    {"weights without bones", "error INFLUENCE_BONE_RANGE meshes[0]", model([](SeModelSpec& spec) { spec.bones.clear(); })},
    {"a material that is not there", "warning MATERIAL_RANGE meshes[0]", model([](SeModelSpec& spec) { spec.meshes[0].materials[0] = 5; })},
    {"a second layer with a material of its own", "info LAYER_MATERIAL meshes[0]",
     model([](SeModelSpec& spec) { spec.meshes[0].materials[1] = 1; })},
    {"data of the writer's own", "info UNKNOWN_PROPERTY custom", model([](SeModelSpec& spec) {
         spec.custom = {1, 2, 3};
     })},
    {"nothing at all", "error MISSING_CHUNK file", [] { return makeSeModel({}); }},

    {"version 7 of an animation", "warning VERSION_UNKNOWN header", animBytes(6, 7)},
    {"an animation without its header", "error TRUNCATED header",
     [] {
         auto bytes = makeSeAnim(armAnim(seAbsolute));
         bytes.resize(20);
         return bytes;
     }},
    {"reserved flags of an animation", "info RESERVED_NOT_ZERO header", animBytes(11, 3)},
    {"a type that does not exist", "warning VALUE_UNKNOWN header", anim([](SeAnimSpec& spec) { spec.type = 9; })},
    {"no frame rate", "warning FRAME_RATE header", anim([](SeAnimSpec& spec) { spec.frameRate = 0; })},
    {"a frame rate that is no number", "warning FRAME_RATE header", anim([](SeAnimSpec& spec) { spec.frameRate = nan; })},
    {"keys that are cut", "error TRUNCATED bones", cutAnim(armAnim(seAbsolute), 3)},
    {"a note that is cut", "error TRUNCATED notes", cutAnim(noted(), 2)},
    {"own data that is cut", "error TRUNCATED custom", cutAnim(customized(), 1)},
    {"own data", "info UNKNOWN_PROPERTY custom", [] { return makeSeAnim(customized()); }},
    {"bytes behind an animation", "warning TRAILING_BYTES file",
     [] {
         auto bytes = makeSeAnim(armAnim(seAbsolute));
         bytes.push_back(0);
         return bytes;
     }},
    {"keys out of order", "warning KEY_ORDER bones", anim([](SeAnimSpec& spec) {
         spec.bones[0].loc.frames = {5, 2};
     })},
    {"a key that is no number", "error NON_FINITE bones", anim([](SeAnimSpec& spec) { spec.bones[0].loc.values[1] = std::nan(""); })},
    {"a turn that is none", "warning QUATERNION_NOT_UNIT bones", anim([](SeAnimSpec& spec) { spec.bones[1].rot.values[3] = 2; })},
    {"a double beyond all floats", "error NON_FINITE bones", anim([](SeAnimSpec& spec) {
         spec.isDouble = true;
         spec.bones[0].loc.values[1] = 1e300;
     })},
    {"a modifier of a bone that is not there", "error INDEX_RANGE modifiers", anim([](SeAnimSpec& spec) {
         spec.modifiers = {{9, seRelative}};
     })},
    {"a modifier of a type that does not exist", "warning VALUE_UNKNOWN modifiers", anim([](SeAnimSpec& spec) {
         spec.modifiers = {{1, 9}};
     })},
    {"one bone twice", "warning BONE_NAME_DUPLICATE bones", anim([](SeAnimSpec& spec) { spec.bones[1].name = "Root"; })},
    {"no animation", "info NO_MOTION ", [] { return makeSeAnim({}); }},
};

TEST(SeDamage, ReportsEachKindOnceWithItsLocation) {
    for (const Row& row : rows) {
        const auto list = findingsOf(row.make());
        EXPECT_EQ(std::count(list.begin(), list.end(), row.finding), 1)
            << row.what << ": " << row.finding << " among " << list.size() << ", first " << (list.empty() ? "none" : list[0]);
    }
    EXPECT_GE(std::size(rows), 50u);
}

TEST(SeDamage, ValidFilesHaveNoFinding) {
    for (const SeFixture& fixture : seFixtures())
        for (const std::string& line : findingsOf(fixture.bytes)) EXPECT_TRUE(line.starts_with("info ")) << fixture.name << ": " << line;
}

TEST(SeDamage, OptionsAreChecked) {
    EXPECT_EQ(findingsOf(makeSeAnim(armAnim(seAbsolute)), R"({"se": {"unit": -1}})"),
              (Vector<std::string>{"warning BAD_OPTION formatOptions.se.unit"}));
    EXPECT_EQ(findingsOf(makeSeAnim(armAnim(seAbsolute)), R"({"se": {"feet": 1}})"),
              (Vector<std::string>{"warning BAD_OPTION formatOptions.se.feet"}));
}

}  // namespace
}  // namespace rigcast::test
