// Builds UEFormat files of versions 0 to 10 (docs/formats/ueformat.md). All values are in the space
// of the engine: centimetres, left-handed, Z up, V downwards. The builder stores them as the version
// requires, mirrored before version 8.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "core/bytes.hpp"
#include "core/math.hpp"
#include "core/vector.hpp"

namespace rigcast::test {

/// Appends little-endian numbers and strings.
class UeBytes {
public:
    template <class T>
    UeBytes& put(T value) {
        const auto* at = reinterpret_cast<const std::uint8_t*>(&value);
        bytes_.insert(bytes_.end(), at, at + sizeof value);
        return *this;
    }
    UeBytes& put(const Vector<std::uint8_t>& bytes) {
        bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
        return *this;
    }
    UeBytes& integer(std::int64_t value) { return put(static_cast<std::int32_t>(value)); }
    UeBytes& number(double value) { return put(static_cast<float>(value)); }
    UeBytes& raw(const std::string& text) {
        bytes_.insert(bytes_.end(), text.begin(), text.end());
        return *this;
    }
    UeBytes& text(const std::string& text) { return integer(static_cast<std::int64_t>(text.size())).raw(text); }
    const Vector<std::uint8_t>& bytes() const { return bytes_; }
    std::size_t size() const { return bytes_.size(); }

private:
    Vector<std::uint8_t> bytes_;
};

/// The root or a nested part of a file: chunks up to version 9, an attribute set in version 10.
class UeParts {
public:
    explicit UeParts(int version) : version_(version) {}

    /// Adds an array of `count` elements.
    UeParts& array(const std::string& name, std::size_t count, const UeBytes& elements);
    /// Adds a single structure or a nested part.
    UeParts& single(const std::string& name, const Vector<std::uint8_t>& payload) { return add(name, 1, payload); }

    /// Returns the bytes, with the number of attributes before them in version 10.
    Vector<std::uint8_t> finish() const;

private:
    UeParts& add(const std::string& name, std::size_t count, const Vector<std::uint8_t>& payload);

    int version_;
    std::size_t count_ = 0;
    UeBytes bytes_;
};

/// Returns a file with the given body, not compressed.
Vector<std::uint8_t> makeUeFile(const std::string& identifier, int version, const Vector<std::uint8_t>& body,
                                const std::string& objectName = "Fixture");
/// Returns a file whose header declares a compressed body. `body` contains the compressed bytes.
Vector<std::uint8_t> makeCompressedUeFile(const std::string& identifier, int version, const std::string& compression, std::int32_t fullSize,
                                          const Vector<std::uint8_t>& body, const std::string& objectName = "Fixture");

// ---- models

struct UeBoneSpec {
    std::string name;
    std::int32_t parent = -1;
    Vec3 position = {};
    Quat rotation = {};
    Vec3 scale = {1, 1, 1};
};

struct UeSocketSpec {
    std::string name, bone;
    Vec3 position = {};
    Quat rotation = {};
    Vec3 scale = {1, 1, 1};
};

struct UeColorsSpec {
    std::string name;
    Vector<std::uint8_t> rgba;
};

struct UeMaterialSpec {
    std::string name, path;
    std::int32_t firstIndex = 0, faces = 0;
};

struct UeWeightSpec {
    std::uint16_t bone = 0;
    std::int32_t vertex = 0;
    float weight = 1;
};

struct UeDeltaSpec {
    std::uint32_t vertex = 0;
    Vec3 position = {}, normal = {};
};

struct UeMorphSpec {
    std::string name;
    Vector<UeDeltaSpec> deltas;
};

/// A level of detail. Empty lists are left out of the file.
struct UeLodSpec {
    std::string name = "LOD0";
    Vector<Vec3> positions, normals, tangents;
    Vector<float> signs;        // of the binormals; empty: 1
    Vector<Vector<float>> uvs;  // by set, two numbers per vertex
    Vector<std::uint32_t> indices;
    Vector<UeColorsSpec> colors;
    Vector<UeMaterialSpec> materials;
    Vector<UeWeightSpec> weights;
    Vector<UeMorphSpec> morphs;
};

struct UeVirtualBoneSpec {
    std::string source, target, name;
};

struct UeHullSpec {
    std::string name;
    Vector<Vec3> vertices;
    Vector<std::int32_t> indices;
};

/// A model. Versions before 4 store only the first level of detail.
struct UeModelSpec {
    Vector<UeLodSpec> lods;
    std::string skeletonPath;  // from version 7
    Vector<UeBoneSpec> bones;
    Vector<UeSocketSpec> sockets;
    Vector<UeVirtualBoneSpec> virtualBones;  // from version 5
    Vector<UeHullSpec> hulls;                // from version 3
    bool hasBoneScale = true;                // in version 10
};

Vector<std::uint8_t> makeUeModel(const UeModelSpec& spec, int version = 10);

// ---- animations

struct UeVecKey {
    std::int32_t frame = 0;
    Vec3 value = {};
};

struct UeQuatKey {
    std::int32_t frame = 0;
    Quat value = {};
};

struct UeTrackSpec {
    std::string bone;
    Vector<UeVecKey> position = {};
    Vector<UeQuatKey> rotation = {};
    Vector<UeVecKey> scale = {};
};

struct UeCurveSpec {
    std::string name;
    Vector<std::pair<std::int32_t, float>> keys;
};

struct UeAnimSpec {
    std::int32_t frames = 0;
    float rate = 30;
    std::string refPosePath;
    std::uint8_t additiveType = 0, refPoseType = 0;
    std::int32_t refFrame = 0;
    Vector<UeTrackSpec> tracks;
    Vector<UeCurveSpec> curves;
    bool hasMetadata = true;  // from version 7
};

Vector<std::uint8_t> makeUeAnim(const UeAnimSpec& spec, int version = 10);

// ---- poses

struct UePoseKeySpec {
    std::string bone;
    Vec3 position = {};
    Quat rotation = {};
    Vec3 scale = {};  // added to 1
};

struct UePoseSpec {
    std::string name;
    Vector<UePoseKeySpec> keys = {};
    Vector<std::pair<std::int32_t, float>> influences = {};  // index of the curve, value
};

struct UePosesSpec {
    Vector<UePoseSpec> poses;
    Vector<std::string> curves;
};

Vector<std::uint8_t> makeUePoses(const UePosesSpec& spec, int version = 10);

// ---- worlds

struct UeActorSpec {
    std::int32_t model = 0;  // hash
    std::string name;
    Vec3 position = {};
    Vec3 degrees = {};  // pitch, yaw, roll, as they are stored
    Vec3 scale = {1, 1, 1};
};

struct UeWorldSpec {
    Vector<std::pair<std::int32_t, Vector<std::uint8_t>>> models;  // hash, complete file
    Vector<UeActorSpec> actors;
};

/// Returns a world of version 0, the only version.
Vector<std::uint8_t> makeUeWorld(const UeWorldSpec& spec);

/// Returns an arm that uses every feature of the format. It has the bones Root, Upper and Lower,
/// which are 40 cm apart along X, and a strip of two quads that faces +Z between them.
UeModelSpec ueArm();
/// Returns an animation of the arm with 11 frames at 10 frames per second. Root moves, Upper waits
/// and then rotates, Lower grows, and the curve Bulge rises.
UeAnimSpec ueArmAnim();

}  // namespace rigcast::test
