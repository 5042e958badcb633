// The content of an SEModel or SEAnim file as stored: headers, names, and the positions of all
// arrays (docs/formats/se.md).
#pragma once

#include <cstdint>
#include <string>

#include "core/bytes.hpp"
#include "core/diagnostics.hpp"
#include "core/reader.hpp"
#include "core/vector.hpp"

namespace rigcast {

inline constexpr std::string_view seModelMagic = "SEModel", seAnimMagic = "SEAnim";

/// Returns the number of bytes (1, 2 or 4) that an integer up to `largest` needs.
constexpr std::size_t seWidth(std::uint32_t largest) { return largest <= 0xFF ? 1 : largest <= 0xFFFF ? 2 : 4; }

inline std::uint32_t seInteger(const std::uint8_t* at, std::size_t width) {
    return width == 1 ? *at : width == 2 ? loadValue<std::uint16_t>(at) : loadValue<std::uint32_t>(at);
}

/// A text without its terminator.
struct SeText {
    std::uint64_t offset = 0;
    Bytes bytes;
};

struct SeHeader {
    std::uint16_t version = 0;
    std::uint64_t offset = 0;  // offset of the size field
    Bytes bytes;               // bytes after the size field, including reserved and unknown fields
};

// ---- SEModel

enum SeModelPart : std::uint8_t { seBones = 1, seMeshes = 2, seMaterials = 4, seModelCustom = 128 };
enum SeBonePart : std::uint8_t { seGlobal = 1, seLocal = 2, seScale = 4 };
enum SeMeshPart : std::uint8_t { seUvs = 1, seNormals = 2, seColors = 4, seWeights = 8 };

/// A mesh. In the comments on its fields, n is vertexCount, l is layers and k is influences. Arrays
/// that the header does not declare are empty.
struct SeMesh {
    std::uint64_t offset = 0;
    std::uint8_t flags = 0, layers = 0, influences = 0;
    std::uint32_t vertexCount = 0, faceCount = 0;
    Bytes positions;  // 3n floats
    Bytes uvs;        // 2l floats per vertex
    Bytes normals;    // 3n floats
    Bytes colors;     // 4n bytes, RGBA
    Bytes weights;    // k pairs of bone and float per vertex
    Bytes faces;      // 3 indices per face, with the width that vertexCount needs
    Bytes materials;  // l 32-bit indices; -1: no material
};

struct SeMaterial {
    std::uint64_t offset = 0;
    SeText name;
    std::uint8_t isSimple = 0;  // 1: the material has maps
    SeText maps[3];             // diffuse, normal, specular
};

struct SeModel {
    SeHeader header;
    std::uint8_t parts = 0, boneParts = 0, meshParts = 0;
    std::uint32_t boneCount = 0, meshCount = 0, materialCount = 0;  // as declared
    Vector<SeText> names;
    // Records with flags, parent, global pose, local pose (each a position and a rotation) and
    // scale. `boneParts` declares which of these fields are stored.
    Records bones;
    Vector<SeMesh> meshes;
    Vector<SeMaterial> materials;
    Bytes tail;

    std::size_t boneWidth() const { return seWidth(boneCount); }
    /// Return the byte offsets of fields in a record of `bones`.
    std::size_t globalAt() const { return 5; }
    std::size_t localAt() const { return boneParts & seGlobal ? 33 : 5; }
    std::size_t scaleAt() const { return localAt() + (boneParts & seLocal ? 28 : 0); }
};

/// Reads as much as the file contains. Returns false if the file has no header.
bool readSeModel(Bytes input, SeModel& model, Diagnostics& diagnostics);

// ---- SEAnim

enum SeAnimPart : std::uint8_t { seKeys = 7, seNotes = 64, seAnimCustom = 128 };
/// Kinds of animation keys. `seKeys` contains a bit for each kind.
enum SeKind : std::uint8_t { seTranslation, seRotation, seScaling };
enum SeAnimType : std::uint8_t { seAbsolute, seAdditive, seRelative, seDelta };

struct SeModifier {
    std::uint64_t offset = 0;
    std::uint32_t bone = 0;
    std::uint8_t type = 0;
};

/// A bone of an animation. The struct is small because files contain hundreds of thousands of
/// bones. The positions of keys and names are not stored, but computed from the counts.
struct SeAnimBone {
    std::uint64_t offset = 0;
    std::uint32_t counts[3] = {};  // number of keys of each SeKind
    std::uint8_t flags = 0;
};

struct SeNote {
    std::uint64_t offset = 0;
    std::uint32_t frame = 0;
    std::uint32_t nameLength = 0;
};

struct SeAnim {
    Bytes input;
    SeHeader header;
    std::uint8_t type = 0, flags = 0, parts = 0, precision = 0;
    float frameRate = 0;
    std::uint32_t frameCount = 0, boneCount = 0, noteCount = 0;  // as declared
    std::uint8_t modifierCount = 0;
    std::size_t frameWidth = 1;
    Vector<SeText> names;
    Vector<SeModifier> modifiers;
    Vector<SeAnimBone> bones;
    Vector<SeNote> notes;
    Bytes custom;
    Bytes tail;
    bool isCut = false;
    bool mayWrap = false;       // true: a key count of 0 can mean 2^(8 * frameWidth) (see readSeAnim)
    std::uint32_t wrapped = 0;  // number of key counts of 0 that mean 2^(8 * frameWidth)

    /// Returns true if the file is complete and contains nothing after the animation.
    bool fits() const { return !isCut && tail.empty(); }
    /// Returns true if no key and no note was read.
    bool isEmpty() const;
    bool isLooped() const { return flags & 1; }
    bool isDouble() const { return precision & 1; }
    std::size_t numberSize() const { return isDouble() ? 8 : 4; }
    std::size_t boneWidth() const { return seWidth(boneCount); }
    bool has(int kind) const { return parts >> kind & 1; }
    std::size_t keySize(int kind) const { return frameWidth + numberSize() * (kind == seRotation ? 4 : 3); }
    /// Returns the keys of a bone: records of a frame number and a value.
    Records keys(const SeAnimBone& bone, int kind) const;
    SeText name(const SeNote& note) const {
        const std::uint64_t at = note.offset + frameWidth;
        return {at, input.subspan(static_cast<std::size_t>(at), note.nameLength)};
    }
};

bool readSeAnim(Bytes input, SeAnim& anim, Diagnostics& diagnostics);

/// Returns a name or path as UTF-8. Reports NAME_DAMAGED if it is not valid UTF-8.
std::string seName(const SeText& text, std::string_view path, Diagnostics& diagnostics);

}  // namespace rigcast
