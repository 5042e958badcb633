// PSK and PSA documents that tests, fixtures and the demo create, change and write. Values are as
// in the file: in file space (right-handed, Z up) and file units, with conjugated quaternions
// except for the first bone. Documents keep chunk order, TypeFlags, raw names, unknown chunks and
// unused fields, so that a file with zero padding can be reproduced byte for byte
// (psk-psa.md section 8).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "core/vector.hpp"
#include "formats/unreal/chunks.hpp"

namespace rigcast::unreal {

/// A name in a field of N bytes. Bytes after the NUL are kept.
template <std::size_t N>
struct FixedText {
    std::array<char, N> bytes{};
    FixedText() = default;
    FixedText(std::string_view text) { std::memcpy(bytes.data(), text.data(), std::min(text.size(), N - 1)); }
    FixedText(const char* text) : FixedText(std::string_view(text)) {}
    std::string_view view() const { return std::string_view(bytes.data(), N).substr(0, std::string_view(bytes.data(), N).find('\0')); }
};
using Name = FixedText<64>;

/// A chunk to write. Chunks are written in the order of their list. If the list is empty, the usual
/// chunks are written.
struct ChunkLayout {
    FixedText<20> id;
    std::int32_t typeFlag = 0;
    std::uint32_t stride = 0;
    ChunkType type = ChunkType::unknown;
    std::uint32_t channel = 0;   // extraUvs: number in the id; curves: index into PsaDocument::curves
    bool isRaw = false;          // written from `bytes` only: an unknown chunk or a duplicate
    std::uint32_t rawCount = 0;  // number of records of a raw chunk
    Vector<std::uint8_t> bytes;  // raw: the payload; otherwise the bytes of each record after the known fields
};

// Records as stored in the file.
struct Bone {
    Name name;
    std::uint32_t flags = 0;
    std::int32_t childCount = 0;
    std::int32_t parent = 0;
    float orientation[4] = {0, 0, 0, 1};
    float position[3] = {0, 0, 0};
    float length = 0;
    float extent[3] = {0, 0, 0};
};

struct PskDocument {
    struct Point {
        float x = 0, y = 0, z = 0;
    };
    struct Wedge {
        std::uint32_t point = 0;
        float u = 0, v = 0;
        std::uint8_t material = 0, reserved = 0;
    };
    /// Three wedges, clockwise when seen from outside.
    struct Face {
        std::uint32_t wedges[3] = {0, 0, 0};
        std::uint8_t material = 0, auxMaterial = 0;
        std::uint32_t smoothing = 1;
    };
    struct Material {
        Name name;
        std::int32_t textureIndex = 0;
        std::uint32_t polyFlags = 0;
        std::int32_t auxMaterial = 0;
        std::uint32_t auxFlags = 0;
        std::int32_t lodBias = 0, lodStyle = 0;
    };
    struct Influence {
        float weight = 1;
        std::int32_t point = 0, bone = 0;
    };
    struct Color {
        std::uint8_t r = 255, g = 255, b = 255, a = 255;
    };
    struct Uv {
        float u = 0, v = 0;
    };
    struct MorphInfo {
        Name name;
        std::int32_t count = 0;  // number of deltas
    };
    /// A delta in Unreal's space, where y is negated in comparison with points.
    struct MorphDelta {
        float position[3] = {0, 0, 0}, normal[3] = {0, 0, 0};
        std::int32_t point = 0;
    };
    struct Socket {
        Name name, bone;
        float location[3] = {0, 0, 0}, rotation[3] = {0, 0, 0} /* pitch, yaw, roll, degrees */, scale[3] = {1, 1, 1};
    };

    std::int32_t typeFlag = 20100422;
    Vector<Point> points;
    Vector<Wedge> wedges;
    Vector<Face> faces;
    Vector<Material> materials;
    Vector<Bone> bones;
    Vector<Influence> influences;
    Vector<Color> colors;         // one per wedge
    Vector<Vector<Uv>> extraUvs;  // one per wedge; the index of a set is the number in its id
    Vector<Point> normals;        // one per point
    Vector<MorphInfo> morphInfos;
    Vector<MorphDelta> morphDeltas;  // deltas of all morphs, in order
    Vector<Socket> sockets;
    Vector<ChunkLayout> layout;
    Vector<std::uint8_t> rest;  // bytes after the last chunk

    void addMorph(std::string_view name, const Vector<MorphDelta>& deltas) {
        morphInfos.push_back({name, static_cast<std::int32_t>(deltas.size())});
        morphDeltas.insert(morphDeltas.end(), deltas.begin(), deltas.end());
    }
};

struct PsaDocument {
    struct Sequence {
        Name name, group = "None";
        std::int32_t trackCount = 0, scaleInclude = 0, compression = 0, quotum = 0;
        float reduction = 0, trackTime = 0, rate = 30;
        std::int32_t startBone = 0, firstFrame = 0, frameCount = 0;
    };
    struct Key {
        float position[3] = {0, 0, 0}, orientation[4] = {0, 0, 0, 1}, time = 1;
    };
    struct ScaleKey {
        float scale[3] = {1, 1, 1}, time = 1;
    };
    struct Curve {
        FixedText<128> name;
        Vector<float> weights;  // one per frame
    };
    /// The curves of one sequence.
    struct CurveSet {
        FixedText<20> id;  // first 14 bytes of the sequence name, then ":CUR"
        std::uint32_t frames = 0;
        Vector<Curve> curves;
    };

    std::int32_t typeFlag = 20100422;
    Vector<Bone> tracks;
    Vector<Sequence> sequences;
    Vector<Key> keys;  // frame by frame
    Vector<ScaleKey> scaleKeys;
    Vector<CurveSet> curves;
    Vector<ChunkLayout> layout;
    Vector<std::uint8_t> rest;

    /// Adds a sequence of `keys.size() / tracks.size()` frames. Sets all derived fields.
    Sequence& addSequence(std::string_view name, float rate, const Vector<Key>& sequenceKeys);
    /// Adds curves to the last sequence. If one sequence has a set of curves, all sequences must
    /// have one, which can be empty.
    void addCurves(Vector<Curve> list);
};

/// Reads a document. Reports only findings about the container. Keeps damaged chunks as bytes.
PskDocument readPskDocument(Bytes bytes, Diagnostics& diagnostics);
PsaDocument readPsaDocument(Bytes bytes, Diagnostics& diagnostics);

/// Writes a document with the layout in psk-psa.md section 10, unless the document specifies
/// another layout. Padding is zero.
Vector<std::uint8_t> write(const PskDocument& document);
Vector<std::uint8_t> write(const PsaDocument& document);

}  // namespace rigcast::unreal
