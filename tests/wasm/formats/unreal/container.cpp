// Tests each rule about chunks and record sizes (psk-psa.md sections 1 and 3): changes a chunk of a
// valid file, and checks the finding, its location and the result.
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "core/vector.hpp"
#include "support/open.hpp"
#include "support/unreal.hpp"

namespace rigcast {
namespace {

using unreal::PskDocument;
using Data = Vector<std::uint8_t>;

struct RawChunk {
    std::string id;
    std::int32_t stride = 0, count = 0;
    Data payload;
};

template <class T>
void put(Data& data, std::size_t at, T value) {
    std::memcpy(data.data() + at, &value, sizeof value);
}

/// Returns the chunks of a valid file.
Vector<RawChunk> chunksOf(const PskDocument& document) {
    const Data bytes = unreal::write(document);
    Vector<RawChunk> chunks;
    for (std::size_t at = 0; at < bytes.size();) {
        RawChunk chunk;
        chunk.id = reinterpret_cast<const char*>(&bytes[at]);
        chunk.stride = loadValue<std::int32_t>(&bytes[at + 24]);
        chunk.count = loadValue<std::int32_t>(&bytes[at + 28]);
        const std::size_t size = static_cast<std::size_t>(chunk.stride) * static_cast<std::size_t>(chunk.count);
        chunk.payload.assign(bytes.begin() + static_cast<std::ptrdiff_t>(at) + 32,
                             bytes.begin() + static_cast<std::ptrdiff_t>(at + 32 + size));
        at += 32 + size;
        chunks.push_back(chunk);
    }
    return chunks;
}

RawChunk& find(Vector<RawChunk>& chunks, std::string_view id) {
    for (RawChunk& chunk : chunks)
        if (chunk.id == id) return chunk;
    ADD_FAILURE() << "no chunk " << id;
    return chunks[0];
}

std::size_t offsetOf(const Vector<RawChunk>& chunks, std::string_view id) {
    std::size_t at = 0;
    for (const RawChunk& chunk : chunks) {
        if (chunk.id == id) break;
        at += 32 + chunk.payload.size();
    }
    return at;
}

Data join(const Vector<RawChunk>& chunks) {
    Data bytes;
    for (const RawChunk& chunk : chunks) {
        const std::size_t at = bytes.size();
        bytes.resize(at + 32);
        std::memcpy(&bytes[at], chunk.id.data(), chunk.id.size());
        put(bytes, at + 24, chunk.stride);
        put(bytes, at + 28, chunk.count);
        bytes.insert(bytes.end(), chunk.payload.begin(), chunk.payload.end());
    }
    return bytes;
}

/// Rewrites every record with `stride` bytes.
void rewrite(RawChunk& chunk, std::int32_t stride, const std::function<void(const std::uint8_t* from, std::uint8_t* to)>& record) {
    Data payload(static_cast<std::size_t>(stride) * static_cast<std::size_t>(chunk.count));
    for (std::int32_t i = 0; i < chunk.count; ++i)
        record(&chunk.payload[static_cast<std::size_t>(i * chunk.stride)], &payload[static_cast<std::size_t>(i * stride)]);
    chunk.stride = stride;
    chunk.payload = payload;
}

std::unique_ptr<test::Opened> open(const Vector<RawChunk>& chunks) { return test::readBytes("psk", join(chunks), {.name = "arm.psk"}); }

std::string codesOf(const test::Opened& opened) {
    std::string codes;
    for (const Finding& finding : opened.diagnostics.findings()) codes += std::string(infoOf(finding.code).name) + " ";
    return codes;
}

Vector<float> texCoords(test::Opened& opened) {
    const auto values = opened.arena.values(opened.scene.meshes.at(0).uvs.at(0));
    return {values.begin(), values.end()};
}

Vector<std::uint16_t> indices(test::Opened& opened) {
    const auto values = opened.arena.values(opened.scene.meshes.at(0).indices16);
    return {values.begin(), values.end()};
}

// ------------------------------------------------------------------------------------------------ one thing wrong

struct Rule {
    const char* id;
    Code code;
    std::string_view path;   // path of the finding
    std::string_view chunk;  // chunk to whose payload the offset is relative
    std::size_t behind;
    bool hasMesh;
    std::function<void(Vector<RawChunk>&)> damage;
};

TEST(UnrealContainer, ReportsEachRuleWithItsLocation) {
    const Rule rules[] = {
        {"E03 negative", Code::BAD_CHUNK_SIZE, "RAWWEIGHTS", "RAWWEIGHTS", 0, true, [](auto& c) { find(c, "RAWWEIGHTS").stride = -12; }},
        {"E03 overflow", Code::BAD_CHUNK_SIZE, "RAWWEIGHTS", "RAWWEIGHTS", 0, true,
         [](auto& c) { find(c, "RAWWEIGHTS").count = 0x7FFFFFFF; }},
        {"E04", Code::TRUNCATED, "RAWWEIGHTS", "RAWWEIGHTS", 0, true, [](auto& c) { ++find(c, "RAWWEIGHTS").count; }},
        {"E05", Code::RECORD_TOO_SMALL, "MATT0000", "MATT0000", 0, true,
         [](auto& c) { rewrite(find(c, "MATT0000"), 87, [](auto from, auto to) { std::copy(from, from + 87, to); }); }},
        {"E05 points", Code::RECORD_TOO_SMALL, "PNTS0000", "PNTS0000", 0, false,
         [](auto& c) { rewrite(find(c, "PNTS0000"), 11, [](auto from, auto to) { std::copy(from, from + 11, to); }); }},
        {"W01", Code::UNKNOWN_CHUNK, "MYCHUNK0", "MYCHUNK0", 0, true,
         [](auto& c) {
             c.push_back({"MYCHUNK0", 2, 3, Data(6, 'x')});
         }},
        {"W02", Code::DUPLICATE_CHUNK, "MATT0000", "", 0, true, [](auto& c) { c.push_back(find(c, "MATT0000")); }},
        {"W05", Code::PADDING_NOT_ZERO, "VTXW0000", "VTXW0000", 32 + 2 * 16, true,
         [](auto& c) { find(c, "VTXW0000").payload[2 * 16 + 3] = 0xCD; }},
    };
    for (const Rule& rule : rules) {
        SCOPED_TRACE(rule.id);
        Vector<RawChunk> chunks = chunksOf(test::plainArmDocument());
        EXPECT_EQ(codesOf(*open(chunks)), "");
        const std::size_t last = join(chunks).size();
        rule.damage(chunks);
        const auto opened = open(chunks);
        const Finding* finding = opened->finding(rule.code);
        ASSERT_TRUE(finding) << codesOf(*opened);
        EXPECT_EQ(finding->path, rule.path);
        EXPECT_EQ(finding->offset, rule.chunk.empty() ? last : offsetOf(chunks, rule.chunk) + rule.behind);
        EXPECT_TRUE(opened->result.hasScene);
        EXPECT_EQ(opened->scene.meshes.size(), rule.hasMesh ? 1u : 0u);
    }
}

// ------------------------------------------------------------------------------------------------ widths

TEST(UnrealContainer, ReadsWedgesOfTwelveAndThirteenBytes) {
    Vector<RawChunk> chunks = chunksOf(test::plainArmDocument());
    const auto sound = open(chunks);
    for (const std::int32_t stride : {12, 13}) {  // no padding: index of 2 or 4 bytes, u, v, material, reserved (only in 12)
        Vector<RawChunk> packed = chunks;
        rewrite(find(packed, "VTXW0000"), stride, [&](auto from, auto to) {
            const std::size_t wide = stride == 13 ? 4 : 2;
            std::copy(from, from + wide, to);
            std::copy(from + 4, from + 12, to + wide);
            to[wide + 8] = from[12];
        });
        const auto opened = open(packed);
        EXPECT_EQ(codesOf(*opened), "") << stride;
        EXPECT_EQ(texCoords(*opened), texCoords(*sound)) << stride;
        EXPECT_EQ(indices(*opened), indices(*sound)) << stride;
    }
}

TEST(UnrealContainer, ReadsFacesOfTwentyBytes) {
    Vector<RawChunk> chunks = chunksOf(test::plainArmDocument());
    const auto sound = open(chunks);
    RawChunk& faces = find(chunks, "FACE0000");
    rewrite(faces, 20, [](auto from, auto to) {  // aligned 32-bit indices: wedges at 0, materials at 12, smoothing groups at 16
        for (std::size_t i = 0; i < 3; ++i) {
            const std::uint32_t wedge = loadValue<std::uint16_t>(from + 2 * i);
            std::memcpy(to + 4 * i, &wedge, 4);
        }
        to[12] = from[6];
        to[13] = from[7];
        std::copy(from + 8, from + 12, to + 16);
    });
    faces.id = "FACE3200";
    const auto opened = open(chunks);
    EXPECT_EQ(codesOf(*opened), "");
    EXPECT_EQ(indices(*opened), indices(*sound));
    EXPECT_EQ(opened->scene.meshes.at(0).groups.size(), 2u);
}

/// Returns the arm with enough unused points to require 32-bit indices in wedges.
PskDocument armOfManyPoints() {
    PskDocument arm = test::plainArmDocument();
    arm.points.resize(70'000);
    return arm;
}

TEST(UnrealContainer, IgnoresGarbageInWideIndices) {
    Vector<RawChunk> chunks = chunksOf(armOfManyPoints());
    EXPECT_FALSE(open(chunks)->has(Code::POINT_INDEX_16BIT));
    RawChunk& wedges = find(chunks, "VTXW0000");
    for (std::size_t i = 0; i < 28; ++i) put<std::uint16_t>(wedges.payload, i * 16 + 2, 0xCDCD);  // garbage
    const auto opened = open(chunks);
    const Finding* finding = opened->finding(Code::POINT_INDEX_16BIT);
    ASSERT_TRUE(finding) << codesOf(*opened);
    EXPECT_EQ(finding->path, "VTXW0000");
    EXPECT_EQ(finding->offset, offsetOf(chunks, "VTXW0000") + 32);
    EXPECT_FALSE(opened->has(Code::VERTEX_POINT_RANGE));
    EXPECT_EQ(opened->scene.meshes.at(0).indices32.count, 3u * 28);
    // A few indices out of range are damage.
    Vector<RawChunk> few = chunksOf(armOfManyPoints());
    put<std::uint16_t>(find(few, "VTXW0000").payload, 2, 0xCDCD);
    EXPECT_FALSE(open(few)->has(Code::POINT_INDEX_16BIT));
    EXPECT_TRUE(open(few)->has(Code::VERTEX_POINT_RANGE));
}

TEST(UnrealContainer, WarnsOfWedgesThatNarrowFacesCannotAddress) {  // W28
    PskDocument arm = test::plainArmDocument();
    arm.wedges.resize(65'537);
    Vector<RawChunk> chunks = chunksOf(arm);
    RawChunk& faces = find(chunks, chunks[3].id);
    ASSERT_EQ(faces.id.substr(0, 4), "FACE");
    if (faces.stride != 12) {  // the writer never writes this
        const std::size_t stride = static_cast<std::size_t>(faces.stride);
        ASSERT_EQ(stride, 18u);
        rewrite(faces, 12, [](auto from, auto to) {
            for (std::size_t i = 0; i < 3; ++i) std::copy(from + 4 * i, from + 4 * i + 2, to + 2 * i);
            std::copy(from + 12, from + 18, to + 6);
        });
        faces.id = "FACE0000";
    }
    const auto opened = open(chunks);
    const Finding* finding = opened->finding(Code::FACE_INDEX_WRAPPED);
    ASSERT_TRUE(finding) << codesOf(*opened);
    EXPECT_EQ(finding->path, "FACE0000");
    EXPECT_EQ(finding->offset, offsetOf(chunks, "FACE0000") + 32);
    EXPECT_EQ(opened->scene.meshes.at(0).indices16.count, 3u * 28);
    arm.wedges.pop_back();
    EXPECT_FALSE(open(chunksOf(arm))->has(Code::FACE_INDEX_WRAPPED));
}

TEST(UnrealContainer, KeepsUpTo65536Bones) {
    PskDocument arm = test::plainArmDocument();
    unreal::Bone bone = arm.bones[2];
    bone.parent = 0;
    arm.bones.resize(65'537, bone);
    arm.influences.push_back({0.5f, 0, 65'536});
    const auto opened = test::readBytes("psk", unreal::write(arm), {.name = "arm.psk"});
    const Finding* finding = opened->finding(Code::TOO_MANY_BONES);
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->severity, Severity::error);
    EXPECT_EQ(opened->scene.skins.at(0).joints.count, 65'536u);
    EXPECT_TRUE(opened->has(Code::INFLUENCE_BONE_RANGE));
    EXPECT_EQ(opened->scene.meshes.size(), 1u);
}

TEST(UnrealContainer, ReadsColoursAsBgraIfNamesArePadded) {
    PskDocument arm = test::plainArmDocument();
    arm.colors.assign(28, {10, 20, 30, 40});
    const auto first = [](const PskDocument& document) {
        const auto opened = test::readBytes("psk", unreal::write(document), {.name = "arm.psk"});
        EXPECT_TRUE(opened->has(Code::COLOR_ORDER_GUESSED));
        const auto bytes = opened->arena.values(opened->scene.meshes.at(0).colors.at(0).bytes);
        return Vector<int>(bytes.begin(), bytes.begin() + 4);
    };
    EXPECT_EQ(first(arm), (Vector<int>{10, 20, 30, 40}));
    const auto pad = [](unreal::Bone& bone) {  // with spaces up to 31 characters, as ActorX for Max writes
        const std::size_t length = std::string_view(reinterpret_cast<const char*>(bone.name.bytes.data())).size();
        std::fill(bone.name.bytes.begin() + static_cast<std::ptrdiff_t>(length), bone.name.bytes.begin() + 31,
                  static_cast<std::uint8_t>(' '));
    };
    pad(arm.bones[0]);
    EXPECT_EQ(first(arm), (Vector<int>{10, 20, 30, 40}));  // a single name can end with spaces
    for (unreal::Bone& bone : arm.bones) pad(bone);
    EXPECT_EQ(first(arm), (Vector<int>{30, 20, 10, 40}));
}

// ------------------------------------------------------------------------------------------------ documents

template <class Document>
void expectSame(const Data& bytes, Document (*read)(Bytes, Diagnostics&)) {
    Diagnostics diagnostics;
    EXPECT_EQ(unreal::write(read(bytes, diagnostics)), bytes);
}

/// Returns a chunk of records with ascending values. The bytes in `padding` are 0.
RawChunk counted(std::string_view id, std::int32_t stride, std::int32_t count, const Vector<std::size_t>& padding = {}) {
    RawChunk chunk{std::string(id), stride, count, Data(static_cast<std::size_t>(stride * count))};
    for (std::size_t i = 0; i < chunk.payload.size(); ++i) chunk.payload[i] = static_cast<std::uint8_t>(i);
    for (std::int32_t i = 0; i < count; ++i)
        for (const std::size_t at : padding) chunk.payload[static_cast<std::size_t>(i * stride) + at] = 0;
    return chunk;
}

TEST(PskDocument, RecordsOfEveryWidthAreWrittenByteForByte) {
    for (const std::int32_t wedge : {12, 13, 16, 20})
        for (const std::int32_t face : {12, 18, 20}) {
            SCOPED_TRACE(std::to_string(wedge) + " " + std::to_string(face));
            Vector<RawChunk> chunks = chunksOf(test::armDocument());
            const Vector<std::size_t> upperHalf{2, 3}, both{2, 3, 14, 15}, tail{14, 15};
            find(chunks, "VTXW0000") = counted("VTXW0000", wedge, 3, wedge == 12 ? Vector<std::size_t>{} : wedge == 13 ? upperHalf : both);
            find(chunks, "FACE0000") = counted("FACE0000", face, 2, face == 20 ? tail : Vector<std::size_t>{});
            expectSame(join(chunks), unreal::readPskDocument);
        }
}

TEST(PskDocument, KeepsWideIndicesAndDuplicates) {
    PskDocument document = test::plainArmDocument();
    document.points.resize(70'000);
    document.wedges[0].point = 69'999;
    expectSame(unreal::write(document), unreal::readPskDocument);
    Vector<RawChunk> chunks = chunksOf(test::plainArmDocument());
    chunks.push_back(find(chunks, "PNTS0000"));
    chunks.push_back(counted("RAWWEIGHTS", 4, 2));  // too small for its type
    expectSame(join(chunks), unreal::readPskDocument);
}

TEST(PskDocument, WritesEmptyChunksForMissingLists) {
    Diagnostics diagnostics;
    PskDocument document = unreal::readPskDocument(unreal::write(test::armDocument()), diagnostics);
    document.extraUvs.clear();
    const auto opened = test::readBytes("psk", unreal::write(document), {.name = "arm.psk"});
    ASSERT_TRUE(opened->result.hasScene);
    EXPECT_EQ(opened->scene.meshes[0].uvs.size(), 1u);
}

TEST(PsaDocument, KeepsIrregularCurvesAndOldVersions) {
    unreal::PsaDocument document = test::armAnimations();
    Diagnostics diagnostics;
    unreal::PsaDocument read = unreal::readPsaDocument(unreal::write(document), diagnostics);
    for (const std::uint32_t stride : {100u, 130u}) {  // without a name, and with an incomplete number
        unreal::ChunkLayout odd;
        odd.id = "Bend:CUR";
        odd.stride = stride;
        odd.isRaw = true;
        odd.rawCount = 1;
        odd.bytes.assign(stride, 7);
        read.layout.push_back(odd);
    }
    expectSame(unreal::write(read), unreal::readPsaDocument);

    document.typeFlag = 1999801;  // version without scale keys
    const Data old = unreal::write(document);
    EXPECT_EQ(std::string_view(reinterpret_cast<const char*>(old.data()), old.size()).find("SCALEKEYS"), std::string_view::npos);
    read.curves.clear();
    read.layout.pop_back();
    read.layout.pop_back();
    EXPECT_EQ(test::readBytes("psa", unreal::write(read), {.name = "arm.psa"})->scene.clips.size(), 3u);
}

TEST(PsaDocument, ASequenceWithoutBonesHasNoFrames) {
    unreal::PsaDocument document;
    EXPECT_EQ(document.addSequence("empty", 30, {}).frameCount, 0);
    EXPECT_EQ(unreal::write(unreal::PskDocument{}).size() % 32, 0u);  // only headers of chunks
}

TEST(PsaDocument, InvalidFileIsAnEmptyDocument) {
    const Data noise{'n', 'o', 't', 'h', 'i', 'n', 'g'};
    Diagnostics diagnostics;
    EXPECT_TRUE(unreal::readPskDocument(noise, diagnostics).points.empty());
    EXPECT_EQ(unreal::readPsaDocument(noise, diagnostics).typeFlag, unreal::PsaDocument{}.typeFlag);
    EXPECT_GT(diagnostics.total(Severity::error), 0u);
}

}  // namespace
}  // namespace rigcast
