// Tests reading the tree of nodes from files with every kind of wrong size and count.
#include <algorithm>

#include "cast.hpp"

#include "core/vector.hpp"

namespace rigcast::test {
namespace {

using File = Vector<std::uint8_t>;

void put32(File& file, std::size_t at, std::uint32_t value) { std::memcpy(file.data() + at, &value, 4); }
std::uint32_t get32(const File& file, std::size_t at) { return loadValue<std::uint32_t>(file.data() + at); }

constexpr std::size_t rootAt = 16, modelAt = 40, meshAt = 64;  // offsets of the nodes in meshFile
constexpr std::size_t sizeField = 4, propertyCountField = 16, childCountField = 20;

/// Returns a file with two meshes in a model.
File twoMeshes() {
    return modelFile([](CastBuilder& cast) {
        for (const char* name : {"a", "b"}) addTriangle(cast.begin("mesh").text("n", name)).end();
    });
}

std::size_t meshesOf(const Opened& opened) { return opened.scene.meshes.size(); }

TEST(CastTree, ValidFileHasNoFinding) {
    const auto opened = openCast(meshFile([](CastBuilder&) {}));
    expectFindings(*opened, {});
    EXPECT_TRUE(opened->result.hasScene);
    EXPECT_EQ(opened->result.version, "1");
    EXPECT_EQ(meshesOf(*opened), 1u);
}

TEST(CastTree, IsDetectedByContent) {
    const auto file = meshFile([](CastBuilder&) {});
    EXPECT_EQ(readBytes("", file, {.name = "x.bin"})->result.format->id, "cast");
    Diagnostics diagnostics;
    const FormatEntry* chosen = chooseFormat(file, "x.cast", "", diagnostics);
    ASSERT_TRUE(chosen);
    EXPECT_TRUE(diagnostics.findings().empty());
    const std::string text = "cast iron pans for everybody, and more words so that a header would fit";
    EXPECT_FALSE(chooseFormat({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}, "x.cast", "", diagnostics));
}

TEST(CastTree, IdentifiesTerminalRecordings) {
    const std::string text = "{\"version\": 2, \"width\": 80, \"height\": 24}\n[0.1, \"o\", \"hello\"]\n";
    const auto opened = readBytes("", {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}, {.name = "demo.cast"});
    expectFindings(*opened, {"error UNKNOWN_FORMAT "});
    EXPECT_NE(opened->diagnostics.findings()[0].detail.find("terminal recording"), std::string::npos);
}

TEST(CastTree, ReportsATruncatedHeader) {
    const auto file = meshFile([](CastBuilder&) {});
    const auto opened = readBytes("cast", Bytes(file).first(15));
    expectFindings(*opened, {"error TRUNCATED "});
    EXPECT_FALSE(opened->result.hasScene);
}

TEST(CastTree, ReportsUnknownVersionAndFlags) {
    auto file = meshFile([](CastBuilder&) {});
    put32(file, 4, 2);
    put32(file, 12, 5);
    const auto opened = openCast(file);
    expectFindings(*opened, {"warning VERSION_UNKNOWN ", "info RESERVED_NOT_ZERO "});
    EXPECT_EQ(opened->diagnostics.findings()[0].offset, 4u);
    EXPECT_EQ(opened->diagnostics.findings()[1].offset, 12u);
    EXPECT_EQ(opened->result.version, "2");
    EXPECT_EQ(meshesOf(*opened), 1u);
}

TEST(CastTree, ReportsWrongRootCounts) {
    auto file = meshFile([](CastBuilder&) {});
    put32(file, 8, 0);
    expectFindings(*openCast(file), {"warning TOP_LEVEL ", "warning TRAILING_BYTES "});
    put32(file, 8, 0xFFFFFFFF);
    const auto opened = openCast(file);
    expectFindings(*opened, {"error TRUNCATED "});
    EXPECT_EQ(opened->diagnostics.findings()[0].offset, file.size());
    EXPECT_EQ(meshesOf(*opened), 1u);
}

TEST(CastTree, ShowsAModelOutsideARoot) {
    CastBuilder cast;
    addTriangle(cast.begin("modl").begin("mesh")).end().end();
    const auto opened = openCast(cast.finish());
    expectFindings(*opened, {"warning TOP_LEVEL Model[0]"});
    EXPECT_EQ(meshesOf(*opened), 1u);
}

// ---------------------------------------------------------------- NodeSize

TEST(CastTree, IgnoresImpossibleNodeSizes) {
    for (const std::uint32_t size : {0u, 23u, 0x7FFFFFFFu, 0xFFFFFFFFu}) {
        auto file = twoMeshes();
        const std::size_t second = meshAt + get32(file, meshAt + sizeField);
        for (const std::size_t at : {rootAt, modelAt, meshAt, second}) put32(file, at + sizeField, size);
        const auto opened = openCast(file);
        EXPECT_EQ(meshesOf(*opened), 2u) << size;
        EXPECT_EQ(opened->diagnostics.total(Severity::error), 0u) << size;
        EXPECT_EQ(opened->diagnostics.total(Severity::warning), 4u) << size;
        EXPECT_TRUE(opened->has(Code::NODE_SIZE));
    }
}

TEST(CastTree, AcceptsNodeSizesThatAreSlightlyWrong) {
    for (const int off : {1, -1, 7, -7, 23, -23, 25, -25}) {
        auto file = twoMeshes();
        const std::size_t second = meshAt + get32(file, meshAt + sizeField);
        for (const std::size_t at : {rootAt, modelAt, meshAt, second})
            put32(file, at + sizeField, static_cast<std::uint32_t>(static_cast<int>(get32(file, at + sizeField)) + off));
        const auto opened = openCast(file);
        EXPECT_EQ(meshesOf(*opened), 2u) << off;
        EXPECT_EQ(opened->diagnostics.total(Severity::error), 0u) << off;
        EXPECT_GT(opened->diagnostics.total(Severity::warning), 0u) << off;
    }
}

TEST(CastTree, AcceptsNodeSizesWithoutHeader) {
    // The last mesh is an empty node whose header follows the end that its parents declare.
    auto file = castFile([](CastBuilder& cast) {
        cast.begin("modl");
        addTriangle(cast.begin("mesh")).end();
        cast.begin("skel").end().begin("matl").end().end();
    });
    Vector<std::size_t> nodes;
    CastFindings findings;
    for (const CastNode& node : readCast(file, findings).nodes) nodes.push_back(node.offset);
    for (const std::size_t at : nodes) put32(file, at + sizeField, get32(file, at + sizeField) - 24);
    const auto opened = openCast(file);
    EXPECT_EQ(meshesOf(*opened), 1u);
    EXPECT_EQ(opened->scene.materials.size(), 1u);
    EXPECT_EQ(opened->diagnostics.total(Severity::error), 0u);
    const Finding* finding = opened->finding(Code::NODE_SIZE);
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->severity, Severity::info);
}

TEST(CastTree, AcceptsNodeSizesWithoutChildren) {
    auto file = twoMeshes();
    put32(file, rootAt + sizeField, 24);
    put32(file, modelAt + sizeField, 24);
    const auto opened = openCast(file);
    EXPECT_EQ(meshesOf(*opened), 2u);
    EXPECT_EQ(opened->diagnostics.total(Severity::error), 0u);
}

TEST(CastTree, SkipsAndKeepsPaddingAfterProperties) {
    auto file = twoMeshes();
    const std::size_t end = meshAt + get32(file, meshAt + sizeField);
    file.insert(file.begin() + static_cast<std::ptrdiff_t>(end), 16, 0xEE);
    for (const std::size_t at : {rootAt, modelAt, meshAt}) put32(file, at + sizeField, get32(file, at + sizeField) + 16);
    const auto opened = openCast(file);
    expectFindings(*opened, {"warning NODE_SIZE Root[0]/Model[0]/Mesh[0]"});
    EXPECT_EQ(meshesOf(*opened), 2u);
    CastFindings findings;
    EXPECT_EQ(writeCast(readCast(file, findings)), file);
}

// ---------------------------------------------------------------- counts

TEST(CastTree, ReportsMissingChildren) {
    for (const std::uint32_t count : {3u, 1000u, 0xFFFFFFFFu}) {
        auto file = twoMeshes();
        put32(file, modelAt + childCountField, count);
        const auto opened = openCast(file);
        expectFindings(*opened, {"error TRUNCATED Root[0]/Model[0]"});
        EXPECT_EQ(opened->diagnostics.findings()[0].offset, modelAt);
        EXPECT_EQ(meshesOf(*opened), 2u);
    }
}

TEST(CastTree, ReportsMissingProperties) {
    auto file = twoMeshes();
    put32(file, meshAt + propertyCountField, 1000);
    const auto opened = openCast(file);
    EXPECT_EQ(findingsOf(*opened)[0], "error TRUNCATED Root[0]/Model[0]/Mesh[0]");
    EXPECT_EQ(meshesOf(*opened), 2u);
    // Children after a wrong count are still found.
    auto model = meshFile([](CastBuilder&) {});
    put32(model, modelAt + propertyCountField, 0xFFFFFFFF);
    const auto other = openCast(model);
    expectFindings(*other, {"error TRUNCATED Root[0]/Model[0]"});
    EXPECT_EQ(meshesOf(*other), 1u);
}

TEST(CastTree, OmitsANodeWhosePayloadIsTruncated) {
    for (const std::uint32_t count : {100u, 0x15555556u, 0xFFFFFFFFu}) {  // in 32 bits, 12 * 0x15555556 overflows to 8
        auto file = twoMeshes();
        put32(file, meshAt + 24 + 8 + 1 + 2 + 4, count);  // element count of vp
        const auto opened = openCast(file);
        EXPECT_EQ(findingsOf(*opened),
                  (Vector<std::string>{"error TRUNCATED Root[0]/Model[0]/Mesh[0].vp", "error MESH_UNUSABLE Root[0]/Model[0]/Mesh[0]"}))
            << count;
        EXPECT_EQ(meshesOf(*opened), 1u) << count;
    }
}

TEST(CastTree, KeepsPropertiesBeforeAnUnknownType) {
    const auto withTail = [](bool sized) {
        auto file = meshFile([](CastBuilder& cast) { cast.u8("x", 1); });
        file[file.size() - 10] = 'q';  // type code of the last property
        if (!sized)
            for (const std::size_t at : {rootAt, modelAt, meshAt}) put32(file, at + sizeField, 0);
        return file;
    };
    const auto opened = openCast(withTail(true));
    expectFindings(*opened, {"warning PROPERTY_TYPE_UNKNOWN Root[0]/Model[0]/Mesh[0]"});
    EXPECT_EQ(opened->diagnostics.findings()[0].offset, withTail(true).size() - 10);
    EXPECT_EQ(meshesOf(*opened), 1u);
    const auto lost = openCast(withTail(false));
    EXPECT_EQ(findingsOf(*lost)[0], "error PROPERTY_TYPE_UNKNOWN Root[0]/Model[0]/Mesh[0]");
    EXPECT_EQ(meshesOf(*lost), 1u);
}

TEST(CastTree, VectorTypesWithTheLetterFirstAreUnknown) {
    auto file = meshFile([](CastBuilder& cast) { cast.raw("u0", CastType::vec2, 0, {}); });
    file[file.size() - 10] = 'v';
    file[file.size() - 9] = '2';
    expectFindings(*openCast(file), {"warning PROPERTY_TYPE_UNKNOWN Root[0]/Model[0]/Mesh[0]"});
}

// ---------------------------------------------------------------- text

TEST(CastTree, ReportsDamagedStrings) {
    const std::uint8_t unterminated[] = {'a', 'b'};
    auto opened = openCast(modelFile([&](CastBuilder& cast) { cast.raw("n", CastType::text, 1, unterminated); }));
    expectFindings(*opened, {"error STRING_UNTERMINATED Root[0]/Model[0].n"});
    // The next sibling is still read, because the text does not extend into it.
    opened = openCast(castFile([&](CastBuilder& cast) {
        cast.begin("modl").raw("n", CastType::text, 1, unterminated).end();
        addTriangle(cast.begin("modl").begin("mesh")).end().end();
    }));
    expectFindings(*opened, {"error STRING_UNTERMINATED Root[0]/Model[0].n"});
    EXPECT_EQ(meshesOf(*opened), 1u);

    opened = openCast(modelFile([&](CastBuilder& cast) { cast.raw("n", CastType::text, 0, {}); }));
    expectFindings(*opened, {"warning STRING_COUNT Root[0]/Model[0].n"});
    EXPECT_EQ(opened->scene.strings[opened->scene.nodes[1].name], "file");

    const std::uint8_t two[] = {'a', 0, 'b', 0};
    opened = openCast(modelFile([&](CastBuilder& cast) { cast.raw("n", CastType::text, 2, two).vec3("p", 1, 2, 3); }));
    expectFindings(*opened, {"warning STRING_COUNT Root[0]/Model[0].n"});
    EXPECT_EQ(opened->scene.strings[opened->scene.nodes[1].name], "a");
    EXPECT_EQ(opened->scene.nodes[1].local.translation.z, 3);

    opened = openCast(modelFile([&](CastBuilder& cast) { cast.text("n", "caf\xE9"); }));
    expectFindings(*opened, {"warning NAME_DAMAGED Root[0]/Model[0].n"});
    EXPECT_EQ(opened->scene.strings[opened->scene.nodes[1].name], "caf\xEF\xBF\xBD");
}

TEST(CastTree, ReportsDamagedPropertyNames) {
    for (const std::string_view name : {std::string_view(""), std::string_view("\xFF"), std::string_view("a\0b", 3)}) {
        const auto opened = openCast(modelFile([&](CastBuilder& cast) { cast.u8(name, 1); }));
        EXPECT_TRUE(opened->has(Code::NAME_DAMAGED));
        EXPECT_TRUE(opened->has(Code::UNKNOWN_PROPERTY));
        EXPECT_EQ(opened->diagnostics.total(Severity::error), 0u);
    }
}

TEST(CastTree, UsesTheLastOfDuplicateProperties) {
    const auto opened = openCast(modelFile([](CastBuilder& cast) { cast.text("n", "first").text("n", "last"); }));
    expectFindings(*opened, {"warning PROPERTY_DUPLICATE Root[0]/Model[0].n"});
    EXPECT_EQ(opened->scene.strings[opened->scene.nodes[1].name], "last");
    const auto many = openCast(modelFile([](CastBuilder& cast) {
        for (int i = 0; i < 40; ++i) cast.u8("x" + std::to_string(i % 20), 1);
    }));
    ASSERT_TRUE(many->has(Code::PROPERTY_DUPLICATE));
    EXPECT_EQ(many->diagnostics.total(Severity::warning), 20u);
}

// ---------------------------------------------------------------- schema

TEST(CastTree, ReportsPropertiesOfUnexpectedTypes) {
    const auto opened = openCast(modelFile([](CastBuilder& cast) { cast.u32("n", 7); }));
    expectFindings(*opened, {"warning PROPERTY_TYPE Root[0]/Model[0].n"});
    const auto converted = openCast(castFile([](CastBuilder& cast) { cast.begin("anim").f64("fr", 24).end(); }));
    expectFindings(*converted, {"warning PROPERTY_TYPE Root[0]/Animation[0].fr"});
    EXPECT_EQ(converted->scene.clips[0].frameRate, 24);
}

TEST(CastTree, ReportsMissingRequiredProperties) {
    const auto opened = openCast(modelFile([](CastBuilder& cast) { cast.begin("matl").text("n", "m").end(); }));
    expectFindings(*opened, {"warning PROPERTY_MISSING Root[0]/Model[0]/Material[0].t"});
}

TEST(CastTree, ReportsNodesUnderWrongParents) {
    const auto opened = openCast(castFile([](CastBuilder& cast) { addTriangle(cast.begin("mesh")).end(); }));
    expectFindings(*opened, {"warning NODE_PLACE Root[0]/Mesh[0]"});
}

TEST(CastTree, KeepsUnknownNodes) {
    const auto file = castFile([](CastBuilder& cast) {
        cast.begin("WHAT").u32("n", 1).begin("EVER").text("n", "x").end().end();
        addTriangle(cast.begin("modl").begin("mesh")).end().end();
    });
    const auto opened = openCast(file);
    expectFindings(*opened, {"info UNKNOWN_NODE Root[0]/Unknown[0]"});
    EXPECT_EQ(meshesOf(*opened), 1u);
    CastFindings findings;
    EXPECT_EQ(writeCast(readCast(file, findings)), file);
}

TEST(CastTree, KeepsUnknownNodesWithOtherContentAsBytes) {
    // Invalid properties in a node that declares some; a mesh follows.
    const std::uint8_t payload[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    auto file = castFile([&](CastBuilder& cast) {
        cast.begin("WHAT").raw("", CastType::u8, 12, payload).end();
        addTriangle(cast.begin("modl").begin("mesh")).end().end();
    });
    put32(file, modelAt + propertyCountField, 0x01020304);
    file[modelAt + 24] = 'Z';
    const auto opened = openCast(file);
    expectFindings(*opened, {"info UNKNOWN_NODE Root[0]/Unknown[0]"});
    EXPECT_EQ(meshesOf(*opened), 1u);
    CastFindings findings;
    EXPECT_EQ(writeCast(readCast(file, findings)), file);
}

// ---------------------------------------------------------------- hostile

TEST(CastTree, StopsAtTheMaximumDepth) {
    for (const char* id : {"DEEP", "modl"}) {
        File file(16 + 24 * 20000);
        put32(file, 0, CastHeader::magic);
        put32(file, 4, 1);
        put32(file, 8, 1);
        for (std::size_t i = 0; i < 20000; ++i) {
            const std::size_t at = 16 + 24 * i;
            std::memcpy(file.data() + at, i == 0 ? "root" : id, 4);
            put32(file, at + sizeField, static_cast<std::uint32_t>(file.size() - at));
            put32(file, at + childCountField, i + 1 < 20000);
        }
        const auto opened = openCast(file);
        EXPECT_TRUE(opened->has(Code::NESTING_TOO_DEEP)) << id;
        EXPECT_EQ(opened->diagnostics.total(Severity::error), 1u) << id;
    }
}

TEST(CastTree, AcceptsTheMaximumDepth) {
    const auto nested = [](int depth) {
        CastBuilder cast;
        cast.begin("root");
        for (int i = 1; i < depth; ++i) cast.begin("DEEP");
        for (int i = 0; i < depth; ++i) cast.end();
        return cast.finish();
    };
    EXPECT_FALSE(openCast(nested(512))->has(Code::NESTING_TOO_DEEP));
    EXPECT_TRUE(openCast(nested(513))->has(Code::NESTING_TOO_DEEP));
}

TEST(CastTree, LimitsFindingsOfManyDamagedNodes) {
    const auto file = castFile([](CastBuilder& cast) {
        for (int i = 0; i < 5000; ++i) cast.begin("modl").u32("n", 1).end();
    });
    const auto opened = openCast(file);
    EXPECT_EQ(opened->diagnostics.total(Severity::warning), 5000u);
    EXPECT_LE(opened->diagnostics.findings().size(), 2 * CastFindings::each);
}

TEST(CastTree, MemoryIsBounded) {
    const auto file = castFile([](CastBuilder& cast) {
        for (int i = 0; i < 5000; ++i) cast.begin("modl").end();
    });
    const auto opened = readBytes("cast", file, {.memory = 100000});
    EXPECT_TRUE(opened->has(Code::OUT_OF_MEMORY));
    EXPECT_FALSE(opened->result.hasScene);
}

// ---------------------------------------------------------------- outline

TEST(CastTree, OutlineContainsTheWholeFile) {
    const auto file = meshFile([](CastBuilder& cast) { cast.text("n", "tri").vec3("bp_x", 1, 2, 3); });
    const auto opened = readOutline("cast", file);
    ASSERT_EQ(opened.outline.size(), 1u);
    const OutlineNode& root = opened.outline[0];
    EXPECT_EQ(root.kind, "Root");
    EXPECT_EQ(root.id, "root");
    EXPECT_EQ(root.hash, "0x534E495752545250");
    EXPECT_EQ(root.offset, 16u);
    EXPECT_EQ(root.size, file.size() - 16);
    const OutlineNode& mesh = root.children.at(0).children.at(0);
    EXPECT_EQ(mesh.kind, "Mesh");
    EXPECT_EQ(mesh.name, "tri");
    ASSERT_EQ(mesh.fields.size(), 4u);
    const OutlineField& positions = mesh.fields[0];
    EXPECT_EQ(positions.name, "vp");
    EXPECT_EQ(positions.type, "v3");
    EXPECT_EQ(positions.count, 3u);
    EXPECT_EQ(positions.offset, meshAt + 24 + 10);
    EXPECT_EQ(positions.byteLength, 36u);
    EXPECT_EQ(mesh.fields[2].byteLength, 3u);  // without the terminator
    EXPECT_EQ(mesh.fields[2].value.asString(""), "tri");
}

}  // namespace
}  // namespace rigcast::test
