// Compares every VGO file in the shared corpus with its reference facts, and variants of the same
// scene with each other. The corpus is not part of the repository; without it, these tests are
// skipped.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "core/vector.hpp"
#include "scene/lower.hpp"
#include "support/files.hpp"
#include "support/open.hpp"
#include "support/values.hpp"

namespace rigcast {
namespace {

namespace fs = std::filesystem;
using test::at;
using test::sizeOf;

constexpr double tolerance = 2e-5;  // the facts are rounded to five digits

Vector<fs::path> vgoFiles(std::initializer_list<const char*> folders) {
    Vector<fs::path> found;
    for (const char* folder : folders)
        for (const auto& entry : fs::directory_iterator(test::corpusFolder() / "vgo" / folder))
            if (entry.path().extension() == ".vgo") found.push_back(entry.path());
    std::sort(found.begin(), found.end());
    return found;
}

Value jsonOf(const fs::path& path) {
    const auto bytes = test::readFile(path);
    return bytes ? parseJson({reinterpret_cast<const char*>(bytes->data()), bytes->size()}) : Value{};
}

/// Opens a file and supplies its external resource, if any.
std::unique_ptr<test::Opened> open(const fs::path& path) {
    const auto resource = test::readFile(fs::path(path).replace_extension(".bin"));
    test::ReadOptions options{.name = path.filename().string()};
    if (resource) options.supplied.push_back({"resource", path.stem().string() + ".bin", *resource});
    return test::readBytes("vgo", *test::readFile(path), options);
}

/// Returns true for files that only JavaScript can decrypt. The tests of `open` and of the command
/// line read these files.
bool needsAes(const test::Opened& opened) {
    const auto& references = opened.scene.references;
    return std::any_of(references.begin(), references.end(), [](const Reference& reference) { return reference.kind == "decrypt"; });
}

std::string summary(const test::Opened& opened) {
    std::string text;
    for (const Finding& finding : opened.diagnostics.findings())
        text += std::string(nameOf(finding.severity)) + " " + std::string(infoOf(finding.code).name) + " " + finding.path + " (" +
                finding.detail + ")\n";
    return text;
}

Vector<float> floats(const test::Opened& opened, const Column<float>& column) {
    const auto values = opened.arena.values(column);
    return {values.begin(), values.end()};
}

void expectNear(const Value& wanted, Vec3 got, const std::string& what) {
    const double values[3] = {got.x, got.y, got.z};
    for (std::size_t i = 0; i < 3; ++i)
        EXPECT_NEAR(values[i], at(wanted, i).asNumber(NAN), tolerance * std::fmax(1, std::fabs(values[i]))) << what;
}

/// Returns the vertex positions of a renderer in the rest pose.
Vector<Vec3> vertices(const test::Opened& opened, const Renderer& renderer, const Vector<Mat4>& rest) {
    const Mesh& mesh = opened.scene.meshes[renderer.mesh];
    const auto positions = floats(opened, mesh.positions);
    Vector<Vec3> placed(mesh.vertexCount);
    Vector<Mat4> joints;
    if (renderer.skin != none) {
        const Skin& skin = opened.scene.skins[renderer.skin];
        const auto nodes = opened.arena.values(skin.joints);
        const auto binds = floats(opened, skin.inverseBindMatrices);
        for (std::size_t j = 0; j < nodes.size(); ++j) {
            Mat4 bind;
            std::copy_n(binds.begin() + static_cast<std::ptrdiff_t>(16 * j), 16, bind.m.begin());
            joints.push_back(rest[nodes[j]] * bind);
        }
    }
    const auto indices = opened.arena.values(mesh.joints8);
    const auto weights = floats(opened, mesh.weights);
    for (std::size_t v = 0; v < placed.size(); ++v) {
        const Vec3 own{positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]};
        if (joints.empty()) placed[v] = transformPoint(rest[renderer.node], own);
        for (std::size_t k = 4 * v; !joints.empty() && k < 4 * v + 4; ++k)
            placed[v] = placed[v] + transformPoint(joints[indices[k]], own) * double{weights[k]};
    }
    return placed;
}

class VgoCorpus : public testing::Test {
protected:
    void SetUp() override {
        if (test::corpusFolder().empty()) GTEST_SKIP() << test::corpusAbsent;
    }
};

TEST_F(VgoCorpus, ReportsEveryFileWithTheExpectedSeverity) {
    const Value table = jsonOf(test::corpusFolder() / "vgo/malformed/EXPECTED.json");
    std::size_t files = 0;
    for (const fs::path& path : vgoFiles({"real", "generated", "malformed"})) {
        SCOPED_TRACE(path.filename().string());
        const auto opened = open(path);
        if (needsAes(*opened)) continue;
        const Value* entry = table.find(path.filename().string());
        const std::string_view level = entry ? at(*entry, "expect").asString("") : "ok";
        const bool hasErrors = opened->diagnostics.total(Severity::error), hasWarnings = opened->diagnostics.total(Severity::warning);
        EXPECT_EQ(hasErrors, level == "error") << summary(*opened);
        EXPECT_TRUE(level == "error" || hasWarnings == (level == "warn")) << summary(*opened);
        ++files;
    }
    EXPECT_GT(files, 100u);
}

TEST_F(VgoCorpus, ScenesMatchTheirFacts) {
    std::size_t files = 0;
    for (const fs::path& path : vgoFiles({"real", "generated"})) {
        const auto opened = open(path);
        if (needsAes(*opened)) continue;
        const std::string name = path.filename().string();
        ASSERT_TRUE(opened->result.hasScene) << name << "\n" << summary(*opened);
        const Value facts = jsonOf(path.string() + ".json");
        const Value& derived = at(facts, "derived");
        const Vector<Mat4> rest = restMatrices(opened->scene);
        const Value& nodes = at(derived, "nodeWorldPosition");
        ASSERT_EQ(rest.size(), sizeOf(nodes) + 1) << name;
        for (std::size_t i = 1; i < rest.size(); ++i)
            expectNear(at(nodes, i - 1), transformPoint(rest[i], {}), name + " node " + std::to_string(i - 1));

        const Value& renderers = at(derived, "renderers");
        ASSERT_EQ(opened->scene.renderers.size(), sizeOf(renderers)) << name;
        for (std::size_t r = 0; r < sizeOf(renderers); ++r) {
            const Renderer& renderer = opened->scene.renderers[r];
            const Mesh& mesh = opened->scene.meshes[renderer.mesh];
            const Value& wanted = at(renderers, r);
            const std::string what = name + " renderer " + std::to_string(r);
            EXPECT_EQ(renderer.node, at(wanted, "node").asNumber(-2) + 1) << what;
            EXPECT_EQ(mesh.vertexCount, at(wanted, "vertexCount").asNumber(-1)) << what;
            EXPECT_EQ((mesh.indices16.count + mesh.indices32.count) / 3, at(wanted, "triangleCount").asNumber(-1)) << what;
            Vec3 least{1e9, 1e9, 1e9}, most{-1e9, -1e9, -1e9};
            for (const Vec3 point : vertices(*opened, renderer, rest)) {
                least = {std::fmin(least.x, point.x), std::fmin(least.y, point.y), std::fmin(least.z, point.z)};
                most = {std::fmax(most.x, point.x), std::fmax(most.y, point.y), std::fmax(most.z, point.z)};
            }
            expectNear(at(wanted, "min"), least, what);
            expectNear(at(wanted, "max"), most, what);
        }
        ++files;
    }
    EXPECT_GT(files, 25u);
}

/// The variants of a scene differ in axes, texture origin, encoding and version.
TEST_F(VgoCorpus, VariantsOfASceneAreEqual) {
    for (const auto& [scene, least] : {std::pair{"cube_", 10}, {"avatar_", 5}, {"scene_", 4}, {"accessors_", 2}}) {
        std::unique_ptr<test::Opened> first;
        int compared = 0;
        for (const fs::path& path : vgoFiles({"generated"})) {
            if (!path.filename().string().starts_with(scene)) continue;
            auto opened = open(path);
            ++compared;
            if (needsAes(*opened)) continue;
            SCOPED_TRACE(path.filename().string());
            if (!first) {
                first = std::move(opened);
                continue;
            }
            const Scene &wanted = first->scene, &got = opened->scene;
            ASSERT_EQ(got.nodes.size(), wanted.nodes.size());
            for (std::size_t i = 0; i < got.nodes.size(); ++i) {
                const Transform &a = wanted.nodes[i].local, &b = got.nodes[i].local;
                EXPECT_LT(length(a.translation - b.translation) + length(a.scale - b.scale), 1e-6) << i;
                EXPECT_GT(std::fabs(a.rotation.x * b.rotation.x + a.rotation.y * b.rotation.y + a.rotation.z * b.rotation.z +
                                    a.rotation.w * b.rotation.w),
                          1 - 1e-6)
                    << i;
            }
            ASSERT_EQ(got.meshes.size(), wanted.meshes.size());
            for (std::size_t m = 0; m < got.meshes.size(); ++m) {
                const Mesh &a = wanted.meshes[m], &b = got.meshes[m];
                const auto same = [&](const Column<float>& own, const Column<float>& other, const char* what) {
                    const auto values = floats(*first, own), others = floats(*opened, other);
                    ASSERT_EQ(values.size(), others.size()) << what << " of mesh " << m;
                    for (std::size_t i = 0; i < values.size(); ++i) ASSERT_NEAR(values[i], others[i], 1e-6) << what << " of mesh " << m;
                };
                same(a.positions, b.positions, "positions");
                same(a.normals, b.normals, "normals");
                same(a.weights, b.weights, "weights");
                ASSERT_EQ(a.uvs.size(), b.uvs.size());
                for (std::size_t i = 0; i < a.uvs.size(); ++i) same(a.uvs[i], b.uvs[i], "texture coordinates");
                ASSERT_EQ(a.morphs.size(), b.morphs.size());
                for (std::size_t i = 0; i < a.morphs.size(); ++i) {
                    EXPECT_EQ(a.morphs[i].name, b.morphs[i].name);
                    same(a.morphs[i].positions, b.morphs[i].positions, "shapes");
                }
            }
            ASSERT_EQ(got.expressions.size(), wanted.expressions.size());
            for (std::size_t i = 0; i < got.expressions.size(); ++i) {
                EXPECT_EQ(got.expressions[i].name, wanted.expressions[i].name);
                EXPECT_EQ(got.expressions[i].preset, wanted.expressions[i].preset);
            }
            EXPECT_EQ(got.lights.size(), wanted.lights.size());
            EXPECT_EQ(got.clips.size(), wanted.clips.size());
            EXPECT_EQ(got.materials.size(), wanted.materials.size());
        }
        EXPECT_GE(compared, least) << scene;
    }
}

}  // namespace
}  // namespace rigcast
