// Compares every PSK and PSA in the shared corpus with its reference facts. The corpus is not part
// of the repository; without it, these tests are skipped.
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "core/vector.hpp"
#include "formats/registry.hpp"
#include "scene/lower.hpp"
#include "support/open.hpp"
#include "support/writers/unreal.hpp"

namespace rigcast {
namespace {

namespace fs = std::filesystem;

fs::path corpusFolder() { return fs::path(RIGCAST_ROOT) / "../shared/corpus"; }

Vector<std::uint8_t> bytesOf(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

rapidjson::Document jsonOf(const fs::path& path) {
    const auto bytes = bytesOf(path);
    rapidjson::Document json;
    json.Parse(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return json;
}

/// Returns the files of both formats that have facts. The list is empty if there is no corpus.
Vector<fs::path> filesWithFacts() {
    Vector<fs::path> found;
    for (const char* format : {"psk", "psa"}) {
        if (!fs::exists(corpusFolder() / format)) continue;
        for (const auto& entry : fs::recursive_directory_iterator(corpusFolder() / format))
            if (const auto extension = entry.path().extension(); extension == ".psk" || extension == ".pskx" || extension == ".psa")
                if (fs::exists(entry.path().string() + ".json")) found.push_back(entry.path());
    }
    std::sort(found.begin(), found.end());
    return found;
}

/// Returns the result that the folder's table expects: "ok", "warn" or "error".
std::string expectation(const fs::path& path) {
    const fs::path table = path.parent_path() / "EXPECTED.json";
    if (!fs::exists(table)) return "ok";
    const auto json = jsonOf(table);
    const auto entry = json.FindMember(path.filename().string().c_str());
    return entry == json.MemberEnd() ? "ok" : entry->value["expect"].GetString();
}

struct Opened {
    Vector<std::uint8_t> bytes, config;
    Scene scene;
    Arena arena;
    Diagnostics diagnostics;
    OpenResult result;
};

std::unique_ptr<Opened> open(const fs::path& path) {
    auto opened = std::make_unique<Opened>();
    opened->bytes = bytesOf(path);
    const std::string name = path.filename().string();
    Vector<Supplied> supplied;
    const fs::path config = fs::path(path).replace_extension(".config");
    const std::string configName = config.filename().string();
    if (fs::exists(config)) {
        opened->config = bytesOf(config);
        supplied.push_back({"config", configName, opened->config});
    }
    const Input input{opened->bytes, name, nullptr, supplied};
    opened->result = openScene(input, {}, opened->scene, opened->arena, opened->diagnostics);
    return opened;
}

std::string summary(const Opened& opened) {
    std::string text;
    for (const Finding& finding : opened.diagnostics.findings())
        text += std::string(nameOf(finding.severity)) + " " + std::string(infoOf(finding.code).name) + " " + finding.path + " (" +
                finding.detail + ") x" + std::to_string(finding.count) + "\n";
    return text;
}

void expectNear(const rapidjson::Value& wanted, Vec3 got, const std::string& what) {
    const double values[3] = {got.x, got.y, got.z};
    for (rapidjson::SizeType i = 0; i < 3; ++i)
        EXPECT_NEAR(values[i], wanted[i].GetDouble(), 1e-5 + 1e-5 * std::abs(wanted[i].GetDouble())) << what;
}

class UnrealCorpus : public testing::Test {
protected:
    void SetUp() override {
        if (!fs::exists(corpusFolder())) GTEST_SKIP() << "../shared/corpus is not there: nothing is compared with real files";
    }
};

TEST_F(UnrealCorpus, ReportsEveryFileWithTheExpectedSeverity) {
    for (const fs::path& path : filesWithFacts()) {
        SCOPED_TRACE(path.filename().string());
        const auto opened = open(path);
        const auto errors = opened->diagnostics.total(Severity::error), warnings = opened->diagnostics.total(Severity::warning);
        const std::string level = expectation(path);
        EXPECT_EQ(errors > 0, level == "error") << summary(*opened);
        if (level == "warn") {
            EXPECT_GT(warnings, 0u) << summary(*opened);
        }
        if (opened->result.hasScene) test::expectSound(opened->scene, opened->arena);
    }
}

TEST_F(UnrealCorpus, ListsTheChunksOfEveryFile) {
    for (const fs::path& path : filesWithFacts()) {
        const auto facts = jsonOf(path.string() + ".json");
        if (!facts.HasMember("chunks") || facts["chunks"].Empty()) continue;
        const std::string first = facts["chunks"][0]["id"].GetString();
        if (first != "ACTRHEAD" && first != "ANIMHEAD") continue;
        SCOPED_TRACE(path.filename().string());
        const auto bytes = bytesOf(path);
        Outline outline;
        Diagnostics diagnostics;
        openOutline({bytes, path.filename().string(), nullptr, {}}, {}, outline, diagnostics);
        rapidjson::SizeType i = 0;
        for (const auto& chunk : facts["chunks"].GetArray()) {
            if (!chunk.HasMember("sha256")) continue;
            ASSERT_LT(i, outline.size());
            EXPECT_EQ(outline[i].kind, chunk["id"].GetString());
            EXPECT_EQ(outline[i].offset, chunk["headerOffset"].GetUint64());
            EXPECT_EQ(outline[i].fields[0].count, chunk["dataCount"].GetUint64());
            EXPECT_EQ(outline[i].size, 32 + chunk["dataCount"].GetUint64() * chunk["dataSize"].GetUint64());
            ++i;
        }
        if (!facts.HasMember("structuralError")) {
            EXPECT_EQ(outline.size(), i);
        }
    }
}

TEST_F(UnrealCorpus, EveryMeshMatchesItsFacts) {
    std::size_t compared = 0;
    for (const fs::path& path : filesWithFacts()) {
        const auto facts = jsonOf(path.string() + ".json");
        if (path.extension() == ".psa" || path.filename().string().starts_with("bad_")) continue;
        SCOPED_TRACE(path.filename().string());
        const auto opened = open(path);
        ASSERT_TRUE(opened->result.hasScene) << summary(*opened);
        const Scene& scene = opened->scene;
        const Vector<Mat4> rest = restMatrices(scene);
        const rapidjson::Value noBones(rapidjson::kArrayType);  // a static mesh has no bones
        const auto& bones = facts.HasMember("bones") ? facts["bones"] : noBones;
        std::size_t boneCount = 0;
        for (std::size_t n = 0; n < scene.nodes.size(); ++n) {
            if (scene.nodes[n].bone < 0) continue;
            ++boneCount;
            const auto& bone = bones[static_cast<rapidjson::SizeType>(scene.nodes[n].bone)];
            EXPECT_EQ(scene.strings[scene.nodes[n].name], bone["name"].GetString());
            expectNear(bone["threeWorldPosition"], transformPoint(rest[n], {}), bone["name"].GetString());
        }
        EXPECT_EQ(boneCount, bones.Size());
        ASSERT_EQ(scene.meshes.size(), 1u);
        const Mesh& mesh = scene.meshes[0];
        const std::size_t indices = mesh.indices16.present() ? mesh.indices16.count : mesh.indices32.count;
        EXPECT_EQ(indices / 3, facts["counts"]["faces"].GetUint64() - facts["faces"]["degenerate"].GetUint64());
        EXPECT_EQ(mesh.sourceVertexCount, facts["counts"]["points"].GetUint64());
        EXPECT_EQ(mesh.uvs.size(), 1 + facts["counts"]["extraUVs"].Size());
        EXPECT_EQ(mesh.colors.size(), facts["counts"]["colors"].GetUint64() ? 1u : 0u);
        EXPECT_EQ(mesh.morphs.size(), facts["counts"]["morphInfos"].GetUint64());
        EXPECT_EQ(scene.features.size(), facts["counts"]["sockets"].GetUint64());
        expectNear(facts["points"]["threeBboxMin"], {mesh.min[0], mesh.min[1], mesh.min[2]}, "min");
        expectNear(facts["points"]["threeBboxMax"], {mesh.max[0], mesh.max[1], mesh.max[2]}, "max");
        EXPECT_GE(scene.materials.size(), facts["materials"].Size());
        for (rapidjson::SizeType i = 0; i < facts["materials"].Size(); ++i)
            EXPECT_EQ(scene.materials[i].name, facts["materials"][i]["name"].GetString());
        for (const Group& group : mesh.groups) {
            const auto& triangles = facts["faces"]["trianglesPerMaterial"][std::to_string(group.material).c_str()];
            EXPECT_NEAR(group.count / 3, triangles.GetDouble(), facts["faces"]["degenerate"].GetDouble());
        }
        ++compared;
    }
    EXPECT_GT(compared, 40u);
}

TEST_F(UnrealCorpus, EveryAnimationMatchesItsFacts) {
    std::size_t compared = 0;
    for (const fs::path& path : filesWithFacts()) {
        const auto facts = jsonOf(path.string() + ".json");
        if (path.extension() != ".psa" || path.filename().string().starts_with("bad_")) continue;
        SCOPED_TRACE(path.filename().string());
        const auto opened = open(path);
        ASSERT_TRUE(opened->result.hasScene) << summary(*opened);
        const auto& sequences = facts["sequences"];
        ASSERT_EQ(opened->scene.clips.size(), sequences.Size());
        for (rapidjson::SizeType i = 0; i < sequences.Size(); ++i) {
            const Clip& clip = opened->scene.clips[i];
            EXPECT_EQ(clip.name, sequences[i]["name"].GetString());
            EXPECT_EQ(clip.frameCount, sequences[i]["numRawFrames"].GetUint());
            EXPECT_NEAR(clip.duration, sequences[i]["durationClip"].GetDouble(), 1e-5);
            for (const Track& track : clip.tracks) {  // track 0 is not stored as a conjugate
                if (opened->scene.strings[track.target] != facts["bones"][0]["name"].GetString() || track.path != Path::translation)
                    continue;
                const auto values = opened->arena.values(track.values);
                const auto& first = sequences[i]["firstKey"];
                EXPECT_NEAR(values[0], 0.01 * first[0].GetDouble(), 1e-5);
                EXPECT_NEAR(values[1], 0.01 * first[2].GetDouble(), 1e-5);
                EXPECT_NEAR(values[2], -0.01 * first[1].GetDouble(), 1e-5);
                break;
            }
        }
        ++compared;
    }
    EXPECT_GT(compared, 30u);
}

/// The written file is identical if the padding is zero. Otherwise, only the padding differs.
TEST_F(UnrealCorpus, WritesEveryFileByteForByte) {
    for (const fs::path& path : filesWithFacts()) {
        const auto facts = jsonOf(path.string() + ".json");
        if (facts.HasMember("structuralError") || !facts.HasMember("chunks") || facts["chunks"].Empty()) continue;
        bool isRepaired = false;
        for (const auto& chunk : facts["chunks"].GetArray()) isRepaired |= chunk.HasMember("recovered");
        const std::string head = facts["chunks"][0]["id"].GetString();
        if (isRepaired || (head != "ACTRHEAD" && head != "ANIMHEAD")) continue;
        SCOPED_TRACE(path.filename().string());
        const auto bytes = bytesOf(path);
        Diagnostics diagnostics;
        const auto written = head == "ACTRHEAD" ? unreal::write(unreal::readPskDocument(bytes, diagnostics))
                                                : unreal::write(unreal::readPsaDocument(bytes, diagnostics));
        const auto opened = open(path);
        const auto findings = opened->diagnostics.findings();
        const bool hasDirt =
            std::any_of(findings.begin(), findings.end(), [](const Finding& finding) { return finding.code == Code::PADDING_NOT_ZERO; });
        if (!hasDirt) {
            EXPECT_TRUE(written == bytes);
            continue;
        }
        ASSERT_EQ(written.size(), bytes.size());
        Diagnostics again;
        EXPECT_TRUE(unreal::write(unreal::readPskDocument(written, again)) == written);
        for (std::size_t i = 0; i < bytes.size(); ++i) ASSERT_TRUE(written[i] == bytes[i] || written[i] == 0) << "at " << i;
    }
}

}  // namespace
}  // namespace rigcast
