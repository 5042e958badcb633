// The content of a VGO 2.x file as stored: container, trees, accessor list and resource (vgo.md
// sections 1 to 4).
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "core/bytes.hpp"
#include "core/diagnostics.hpp"
#include "core/value.hpp"
#include "core/vector.hpp"
#include "formats/format.hpp"

namespace rigcast {

constexpr std::uint32_t vgoType(char a, char b, char c, char d) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(a)) | static_cast<std::uint32_t>(static_cast<unsigned char>(b)) << 8 |
           static_cast<std::uint32_t>(static_cast<unsigned char>(c)) << 16 |
           static_cast<std::uint32_t>(static_cast<unsigned char>(d)) << 24;
}

inline constexpr std::uint32_t vgoMagic = vgoType('V', 'G', 'O', '\0');

/// A chunk that is listed in the index and exists in the file.
struct VgoChunk {
    using Relocation = Bytewise;
    std::uint32_t type = 0;
    std::uint64_t offset = 0;      // offset of its header in the file
    std::uint64_t byteLength = 0;  // size including header, data and padding
    Bytes payload = {};            // data without padding
    Bytes padding = {};            // bytes between payload and next chunk; at most one
    std::string name = {};         // letters of the type
    std::uint64_t payloadOffset() const { return offset + 8; }
};

/// Slots of the composer (section 1.4).
enum VgoSlot : std::size_t { assetInfoSlot = 0, layoutSlot = 2, accessorSlot = 4, cryptSlot = 5, resourceSlot = 6 };

enum class VgoKind : std::uint8_t { none, image, nodeTransform, mesh, skin, cloth };

/// Data types that the layout uses (section 3): rank, components, scalar type.
enum VgoDataType : std::int64_t {
    vgoU8 = 0x10,
    vgoU16 = 0x20,
    vgoU32 = 0x30,
    vgoF32 = 0x50,
    vgoVec2F32 = 0x1250,
    vgoVec3F32 = 0x1350,
    vgoVec4U8 = 0x1410,
    vgoVec4U16 = 0x1420,
    vgoVec4U32 = 0x1430,
    vgoVec4F32 = 0x1450,
    vgoMat4F32 = 0x2450,
};

/// An accessor as stored in the accessor list, and its checked properties. Stored numbers are
/// limited to the range -2^53 to 2^53, so that adding two numbers cannot overflow.
struct VgoAccessor {
    std::int64_t kind = 0;
    std::int64_t byteOffset = 0;
    std::int64_t byteLength = 0;
    std::int64_t byteStride = 0;
    std::int64_t dataType = 0;
    std::int64_t count = 0;
    std::int64_t sparseType = 0;
    std::int64_t sparseCount = 0;
    std::int64_t sparseIndexDataType = 0;
    std::int64_t sparseValueDataType = 0;
    std::int64_t sparseValueByteOffset = 0;

    /// True if the fields below are valid: the data is inside the resource, counts and sparse
    /// indices have been checked, and the expanded size is limited.
    bool usable = false;
    /// The actual data type. It differs from `dataType` only for float colours, which writers
    /// declare as bytes (E1).
    std::int64_t type = 0;
    std::uint32_t components = 0;     // 1, 2, 3, 4 or 16
    std::uint32_t componentSize = 0;  // 1, 2 or 4 bytes
    // The stored bytes: at most `count` dense elements, or sparse indices and values.
    Bytes data;
    std::uint32_t elementSize() const { return components * componentSize; }
    std::uint64_t denseLength() const { return static_cast<std::uint64_t>(count) * elementSize(); }
    bool isSparse() const { return sparseType != 0; }
    bool isKind(VgoKind wanted) const { return kind == static_cast<std::int64_t>(wanted); }
};

struct VgoDocument {
    std::uint8_t major = 0, minor = 0;
    bool leftHanded = true;           // true if the geometry coordinate is 2, as in Unity
    bool uvBottomLeft = true;         // true if the UV coordinate is 2, as in Unity
    bool declaresEncryption = false;  // from header byte 12
    bool saysExternalKey = false;
    Vector<VgoChunk> chunks;  // in the order of the index, without the index itself
    std::array<std::uint32_t, 8> composer{};
    Value assetInfo;  // an object, or null if it cannot be read
    Value layout;     // an object, which can contain null members
    Vector<VgoAccessor> accessors;
    Bytes resource;                    // bytes of the resource, from this file or a companion file
    bool resourceIsEmbedded = false;   // true: the resource is in the file
    std::uint64_t resourceOffset = 0;  // offset of an embedded resource in the file
    Vector<Reference> references;      // references of the kinds key, decrypt and resource

    const VgoChunk* chunk(std::uint32_t type) const;
    /// Returns the chunk in a slot, or nullptr if the slot is empty.
    const VgoChunk* chunkOf(VgoSlot slot) const { return composer[slot] ? chunk(composer[slot]) : nullptr; }
    /// Returns true if the accessor list is encrypted.
    bool isEncrypted() const;
    std::string version() const;
};

/// Reads as much as the file contains. Returns true if layout, accessor list and resource are
/// available. Otherwise a finding or an unresolved element of `references` explains what is
/// missing.
bool readVgo(const Input& input, VgoDocument& document, Diagnostics& diagnostics);

}  // namespace rigcast
