// Builds SE files from parts, and the fixtures that rigcast_seFixtures writes to tests/data/se.
#pragma once

#include <string>

#include "core/vector.hpp"
#include "support/writers/se.hpp"

namespace rigcast::test {

struct SeFixture {
    std::string name;
    Vector<std::uint8_t> bytes;
};

struct SeBoneSpec {
    std::string name;
    std::int32_t parent = -1;
    Vector<float> global = {0, 0, 0, 0, 0, 0, 1}, local = {0, 0, 0, 0, 0, 0, 1}, scale = {1, 1, 1};
    std::uint8_t flags = 0;
};

struct SeMeshSpec {
    std::uint32_t vertexCount = 0;
    Vector<float> positions, normals;
    Vector<Vector<float>> uvs;  // by layer
    Vector<std::uint8_t> colors;
    std::uint8_t influences = 0;
    Vector<std::uint32_t> bones;
    Vector<float> weights;
    Vector<std::uint32_t> faces;
    Vector<std::int32_t> materials;
};

struct SeMaterialSpec {
    std::string name, diffuse, normal, specular;
    bool isSimple = true;
};

struct SeModelSpec {
    std::uint8_t boneParts = seLocal, meshParts = 0;
    Vector<SeBoneSpec> bones;
    Vector<SeMeshSpec> meshes;
    Vector<SeMaterialSpec> materials;
    std::string extraHeader;
    Vector<std::uint8_t> custom;
};

struct SeKeysSpec {
    Vector<std::uint32_t> frames;
    Vector<double> values;
};

struct SeAnimBoneSpec {
    std::string name;
    SeKeysSpec loc = {}, rot = {}, scale = {};
    std::uint8_t flags = 0;
};

struct SeAnimSpec {
    std::uint8_t type = seAbsolute, flags = 0;
    bool isDouble = false;
    float frameRate = 30;
    std::uint32_t frameCount = 0;
    std::size_t frameWidth = 0;  // 0: derived from the number of frames
    Vector<SeAnimBoneSpec> bones;
    Vector<std::pair<std::uint32_t, std::uint8_t>> modifiers = {};
    Vector<std::pair<std::uint32_t, std::string>> notes = {};
    std::string custom = {};
};

Vector<std::uint8_t> makeSeModel(const SeModelSpec& spec);
Vector<std::uint8_t> makeSeAnim(const SeAnimSpec& spec);

/// Returns an arm that uses every feature of the format. It has the bones Root, Upper and Lower,
/// which are 40 cm apart along z, and a skin of two quads between them.
SeModelSpec armModel();
/// Returns an animation of the arm with animation type `type`, which has 10 frames at 10 frames per
/// second. Root moves by 10 along x, Upper rotates by 90 degrees about x, and Lower grows.
SeAnimSpec armAnim(std::uint8_t type);
Vector<SeFixture> seFixtures();

}  // namespace rigcast::test
