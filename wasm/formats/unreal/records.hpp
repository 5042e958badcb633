// Records of PSK and PSA files (psk-psa.md section 3): offsets of their fields, and conversions to
// scene values.
#pragma once

#include <cmath>
#include <string>

#include "core/code.hpp"
#include "core/math.hpp"
#include "core/reader.hpp"
#include "core/text.hpp"

namespace rigcast::unreal {

inline constexpr std::size_t nameSize = 64;

namespace pointField {
inline constexpr std::size_t size = 12;
}
namespace materialField {
inline constexpr std::size_t textureIndex = 64, polyFlags = 68, auxMaterial = 72, auxFlags = 76, lodBias = 80, lodStyle = 84, size = 88;
}
/// Byte offsets of fields in VBone and FNamedBoneBinary, which have the same layout.
namespace boneField {
inline constexpr std::size_t flags = 64, childCount = 68, parent = 72, orientation = 76, position = 92, length = 104, extent = 108,
                             size = 120;
}
namespace influenceField {
inline constexpr std::size_t weight = 0, point = 4, bone = 8, size = 12;
}
namespace morphInfoField {
inline constexpr std::size_t count = 64, size = 68;
}
namespace morphDeltaField {
inline constexpr std::size_t position = 0, normal = 12, point = 24, size = 28;
}
namespace socketField {
inline constexpr std::size_t bone = 64, location = 128, rotation = 140, scale = 152, size = 164;
}
namespace sequenceField {
inline constexpr std::size_t group = 64, trackCount = 128, scaleInclude = 132, compression = 136, quotum = 140, reduction = 144,
                             trackTime = 148, rate = 152, startBone = 156, firstFrame = 160, frameCount = 164, size = 168;
}
namespace keyField {
inline constexpr std::size_t position = 0, orientation = 12, time = 28, size = 32;
}
namespace scaleKeyField {
inline constexpr std::size_t scale = 0, time = 12, size = 16;
}
namespace curveField {
inline constexpr std::size_t nameSize = 128, values = 128;
}

// ---- Conversion from file space to scene space: (x, y, z) -> (x, z, -y). This is a rotation by
// -90 degrees about X, so it keeps handedness (section 6.1). It applies to all data.

inline Vec3 toScene(const Vec3& v) { return {v.x, v.z, -v.y}; }
inline Quat toScene(const Quat& q) { return {q.x, q.z, -q.y, q.w}; }
inline Vec3 scaleToScene(const Vec3& k) { return {k.x, k.z, k.y}; }

inline Vec3 vec3At(const Records& records, std::size_t record, std::size_t field) {
    return {records.get<float>(record, field), records.get<float>(record, field + 4), records.get<float>(record, field + 8)};
}

inline Quat quatAt(const Records& records, std::size_t record, std::size_t field) {
    return {records.get<float>(record, field), records.get<float>(record, field + 4), records.get<float>(record, field + 8),
            records.get<float>(record, field + 12)};
}

/// Returns true if all values are finite. Relies on the fact that zero times infinity or NaN is
/// NaN.
template <class... T>
bool allFinite(T... values) {
    return ((values * T{0}) + ...) == 0;
}

/// Writes a point in scene space. If a scaled coordinate is not finite, writes the origin and
/// returns false.
inline bool writePoint(const Records& records, std::size_t record, std::size_t field, float scale, float* to) {
    const float x = records.get<float>(record, field) * scale, y = records.get<float>(record, field + 4) * scale,
                z = records.get<float>(record, field + 8) * scale;
    const bool isSound = allFinite(x, y, z);
    to[0] = isSound ? x : 0;
    to[1] = isSound ? z : 0;
    to[2] = isSound ? -y : 0;
    return isSound;
}

/// Returns the squared length of a vector, computed in float.
inline float squaredLengthAt(const Records& records, std::size_t record) {
    const float x = records.get<float>(record, 0), y = records.get<float>(record, 4), z = records.get<float>(record, 8);
    return x * x + y * y + z * z;
}

/// Range of squared lengths of normals that can be normalized.
inline constexpr float leastSquare = 1e-12f, mostSquare = 1e12f;

/// Writes a unit direction in scene space. If the length is zero, too large or not finite, writes
/// zeros and returns false.
inline bool writeDirection(const Records& records, std::size_t record, float* to) {
    const float squared = squaredLengthAt(records, record);
    const bool isSound = squared > leastSquare && squared < mostSquare;
    const float scale = std::abs(squared - 1) < 1e-4f ? 1 : 1 / std::sqrt(squared);
    to[0] = isSound ? records.get<float>(record, 0) * scale : 0;
    to[1] = isSound ? records.get<float>(record, 8) * scale : 0;
    to[2] = isSound ? -records.get<float>(record, 4) * scale : 0;
    return isSound;
}

/// Reads a name from a record. Reports NAME_DAMAGED if it is not terminated, too long or not
/// decodable.
inline FixedName fixedNameAt(const Records& records, std::size_t record, std::size_t field, std::string_view path, Diagnostics& diagnostics,
                             std::size_t size = nameSize) {
    FixedName name = fixedName(records.bytes(record, field, size));
    const bool undefined = !name.wasUtf8 && name.text.find("\xC2\x81") != std::string::npos;
    if (!name.terminated || name.cutInsideCharacter || undefined)
        diagnostics.add(Code::NAME_DAMAGED, {.offset = records.offsetOf(record) + field, .path = path}, name.text);
    return name;
}

/// Reads a name without trailing spaces.
inline std::string nameAt(const Records& records, std::size_t record, std::size_t field, std::string_view path, Diagnostics& diagnostics,
                          std::size_t size = nameSize) {
    return fixedNameAt(records, record, field, path, diagnostics, size).text;
}

/// Reads a bone name as stored in the file, including the trailing spaces that ActorX for Max adds.
/// These spaces are removed for matching and display.
inline std::string boneNameAt(const Records& records, std::size_t record, std::string_view path, Diagnostics& diagnostics) {
    const FixedName name = fixedNameAt(records, record, 0, path, diagnostics);
    return name.text + name.trimmedBlanks;
}

/// Returns a bone name in the form that is used for comparison: trimmed and in lower case.
inline std::string matchingName(std::string_view name) {
    while (!name.empty() && name.back() == ' ') name.remove_suffix(1);
    return lowerAscii(name);
}

}  // namespace rigcast::unreal
