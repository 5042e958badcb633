#include "scene/validate.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "core/vector.hpp"
#include "support/open.hpp"
#include "support/scenes.hpp"

namespace rigcast {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float inf = std::numeric_limits<float>::infinity();

using test::FullScene;

TEST(Validate, ValidSceneHasNoViolation) {
    FullScene full;
    test::expectSound(full.scene, full.arena);
}

TEST(Validate, SmallestSceneIsValid) {
    Scene scene;
    Arena arena;
    test::addNode(scene, "", none);
    test::expectSound(scene, arena);
}

/// Breaks one rule in the full scene, and expects a violation with this path and these words.
template <class Break>
void expectBroken(Break breakIt, std::string_view path, std::string_view words) {
    FullScene full;
    breakIt(full);
    const auto broken = validateScene(full.scene, full.arena);
    for (const std::string& line : broken)
        if (line.starts_with(std::string(path) + ":") && line.find(words) != std::string::npos) return;
    std::string all;
    for (const std::string& line : broken) all += "\n  " + line;
    ADD_FAILURE() << "expected " << path << ": ... " << words << " ..., got" << (all.empty() ? " nothing" : all);
}

/// Defines a test that breaks one rule. Its arguments are the name of the test, the path and words
/// of the expected violation, and the code that breaks the rule.
#define PROMISE(name, path, words, ...)                     \
    TEST(Validate, name) {                                  \
        expectBroken(                                       \
            [](FullScene& full) {                           \
                [[maybe_unused]] Scene& scene = full.scene; \
                [[maybe_unused]] Arena& arena = full.arena; \
                __VA_ARGS__;                                \
            },                                              \
            path, words);                                   \
    }

// ---- nodes, names, numbers
PROMISE(ThereIsARoot, "nodes", "no root", scene.nodes.clear())
PROMISE(TheRootHasNoParent, "nodes[0].parent", "root has a parent", scene.nodes[0].parent = 1)
PROMISE(ThereIsOneRoot, "nodes[2].parent", "second root", scene.nodes[2].parent = none)
PROMISE(ParentsComeFirst, "nodes[1].parent", "before its child", scene.nodes[1].parent = 2)
PROMISE(NoNodeIsItsOwnParent, "nodes[1].parent", "before its child", scene.nodes[1].parent = 1)
PROMISE(NodeNamesAreInTheTable, "nodes[2].name", "names entry 99", scene.nodes[2].name = 99)
PROMISE(NodeTransformsAreFinite, "nodes[2].local", "not finite", scene.nodes[2].local.translation.x = std::nan(""))
PROMISE(NodeTransformsAreFiniteAsFloats, "nodes[2].local", "not finite", scene.nodes[2].local.scale.z = 1e39)
PROMISE(NodeRotationsAreUnit, "nodes[1].local.rotation", "unit length", scene.nodes[1].local.rotation.w = 1.01)
PROMISE(BonesAreMinusOneOrAnIndex, "nodes[1].bone", "below -1", scene.nodes[1].bone = -2)
PROMISE(StringsAreUtf8, "strings[5]", "UTF-8",
        while (scene.strings.list().size() < 5) scene.strings.intern(std::to_string(scene.strings.list().size()));
        scene.strings.intern("\xFF"))
PROMISE(AssetTextIsUtf8, "asset.author", "UTF-8", scene.asset.author = "\xC0\x80")
PROMISE(UnitIsPositive, "asset.metresPerUnit", "positive", scene.asset.metresPerUnit = 0)
PROMISE(PropertyTextIsUtf8, "meshes[0].properties", "UTF-8",
        scene.meshes[0].properties.push_back({"list", Vector<Value>{Value(Properties{{"deep", "\xED\xA0\x80"}})}}))
PROMISE(PropertyNamesAreUtf8, "clips[0].properties", "UTF-8", scene.clips[0].properties.push_back({"\x80", 1.0}))
PROMISE(UnitIsSmall, "asset.metresPerUnit", "positive", scene.asset.metresPerUnit = 1e39)
PROMISE(PropertiesAreNotBottomless, "asset.properties", "deeper", Value nested; for (int i = 0; i < 70; ++i) nested = Vector<Value>{nested};
        scene.asset.properties.push_back({"a", nested}))

// ---- columns
PROMISE(ColumnsLieInABlock, "meshes[0].normals", "no block", scene.meshes[0].normals.block = 77)
PROMISE(ColumnsLieInTheirOwnersBlock, "meshes[0].normals", "another block", scene.meshes[0].normals.block = scene.meshes[1].block)
PROMISE(ColumnsAreAligned, "meshes[0].normals", "aligned", scene.meshes[0].normals.offset += 2)
PROMISE(ColumnsLieInsideAPiece, "meshes[0].normals", "inside a piece", scene.meshes[0].normals.offset += 4)
PROMISE(ColumnsEndInsideTheirBlock, "meshes[0].normals", "inside a piece", scene.meshes[0].normals.offset = 0xFFFFFFF8)

// ---- meshes
PROMISE(MeshesHavePositions, "meshes[0].positions", "no block", scene.meshes[0].positions = {})
PROMISE(PositionsAreThreeAVertex, "meshes[0].positions", "has 11 entries instead of 12", scene.meshes[0].positions.count = 11)
PROMISE(PositionsAreFinite, "meshes[0].positions", "entry 4 is not finite", arena.values(scene.meshes[0].positions)[4] = nan)
PROMISE(NormalsAreThreeAVertex, "meshes[0].normals", "has 9 entries", scene.meshes[0].normals.count = 9)
PROMISE(NormalsAreFinite, "meshes[0].normals", "entry 11 is not finite", arena.values(scene.meshes[0].normals)[11] = -inf)
PROMISE(TangentsAreFourAVertex, "meshes[0].tangents", "has 12 entries instead of 16", scene.meshes[0].tangents.count = 12)
PROMISE(UvsAreTwoAVertex, "meshes[0].uvs[0]", "has 6 entries instead of 8", scene.meshes[0].uvs[0].count = 6)
PROMISE(UvLayersArePresent, "meshes[0].uvs[1]", "no block", scene.meshes[0].uvs.emplace_back())
PROMISE(ByteColorsAreFourAVertex, "meshes[0].colors[0].bytes", "has 15 entries", scene.meshes[0].colors[0].bytes.count = 15)
PROMISE(FloatColorsAreFinite, "meshes[0].colors[1].floats", "not finite", arena.values(scene.meshes[0].colors[1].floats)[3] = inf)
PROMISE(ColorLayersHoldBytesOrFloats, "meshes[0].colors[0]", "neither or both", scene.meshes[0].colors[0].bytes = {})
PROMISE(IndicesNameVertices, "meshes[0].indices16", "entry 5 is 4, not below 4", arena.values(scene.meshes[0].indices16)[5] = 4)
PROMISE(TrianglesHaveThreeCorners, "meshes[0].indices16", "lacks corners", scene.meshes[0].indices16.count = 5)
PROMISE(SmallMeshesHaveShortIndices, "meshes[0].indices32", "16 bit up to 65535", Mesh& mesh = scene.meshes[0]; mesh.indices16 = {};
        mesh.indices32 = test::put<std::uint32_t>(arena, mesh.block, {0, 1, 2, 0, 2, 3}))
PROMISE(IndicesAreGivenOnce, "meshes[0].indices16", "twice",
        scene.meshes[0].indices32 = test::put<std::uint32_t>(arena, scene.meshes[0].block, {0, 1, 2}))
PROMISE(GroupsLieInsideTheIndices, "meshes[0].groups[0]", "beyond the 6", scene.meshes[0].groups[0].start = 3)
PROMISE(GroupsDoNotWrapRound, "meshes[0].groups[0]", "beyond", scene.meshes[0].groups[0] = {0xFFFFFFFD, 6, 0})
PROMISE(GroupsDoNotCutTriangles, "meshes[0].groups[0]", "cuts", scene.meshes[0].groups[0].count = 4)
PROMISE(GroupMaterialsExist, "meshes[0].groups[0].material", "names entry 1 of 1", scene.meshes[0].groups[0].material = 1)
PROMISE(SourceVerticesAreInRange, "meshes[0].sourceVertices", "not below 2", scene.meshes[0].sourceVertexCount = 2)
PROMISE(SourceVerticesAreOneAVertex, "meshes[0].sourceVertices", "has 3 entries", scene.meshes[0].sourceVertices.count = 3)
PROMISE(StrandsHaveOffsets, "meshes[1].strandOffsets", "missing", scene.meshes[1].strandOffsets = {})
PROMISE(StrandOffsetsEndAtTheLastVertex, "meshes[1].strandOffsets", "rise from 0 to 3", scene.meshes[1].strandOffsets.count = 2)
PROMISE(StrandOffsetsRise, "meshes[1].strandOffsets", "rise", arena.values(scene.meshes[1].strandOffsets)[1] = 7)
PROMISE(StrandsHaveNoIndices, "meshes[1].indices16", "strands have no indices", scene.meshes[1].indices16 = scene.meshes[0].indices16)
PROMISE(TrianglesHaveNoStrands, "meshes[0].strandOffsets", "no strands", scene.meshes[0].strandOffsets = scene.meshes[1].strandOffsets)
PROMISE(BoxesAreNotTurnedInsideOut, "meshes[0].min", "above max", scene.meshes[0].min[1] = 5)
PROMISE(BoxesAreFinite, "meshes[0].max", "not finite", scene.meshes[0].max[1] = inf)
PROMISE(RadiusIsALength, "meshes[0].radius", "no", scene.meshes[0].radius = -1)
PROMISE(RadiusIsFinite, "meshes[0].radius", "not a length", scene.meshes[0].radius = inf)
PROMISE(StrandsHaveNoLongIndices, "meshes[1].indices16", "strands have no indices",
        scene.meshes[1].indices32 = test::put<std::uint32_t>(arena, scene.meshes[1].block, {0, 1, 2}))
PROMISE(StrandOffsetsBeginAtZero, "meshes[1].strandOffsets", "rise", arena.values(scene.meshes[1].strandOffsets)[0] = 1)
PROMISE(StrandOffsetsAreInABlock, "meshes[1].strandOffsets", "no block", scene.meshes[1].strandOffsets.block = 99)
PROMISE(TopologyIsKnown, "meshes[0].topology", "not a known value", scene.meshes[0].topology = static_cast<Topology>(9))

// ---- influences
PROMISE(JointsComeWithWeights, "meshes[0].joints", "come together", scene.meshes[0].weights = {})
PROMISE(JointsAreFourAVertex, "meshes[0].joints16", "has 12 entries", scene.meshes[0].joints16.count = 12)
PROMISE(JointsAreGivenOnce, "meshes[0].joints", "twice",
        scene.meshes[0].joints8 = test::put<std::uint8_t>(arena, scene.meshes[0].block, {0, 1, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}))
PROMISE(NarrowJointsAreOfTheSkin, "meshes[0].joints", "not below 5", Mesh& mesh = scene.meshes[0]; mesh.joints16 = {};
        mesh.joints8 = test::put<std::uint8_t>(arena, mesh.block, {0, 1, 2, 3, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}))
PROMISE(WeightsAreFinite, "meshes[0].weights", "not finite", arena.values(scene.meshes[0].weights)[4] = nan)
PROMISE(WeightsAreNotNegative, "meshes[0].weights", "negative (vertex 1)", auto weights = arena.values(scene.meshes[0].weights);
        weights[4] = 1.5f; weights[5] = -0.5f)
PROMISE(WeightsSumToOneOrZero, "meshes[0].weights", "neither 1 nor 0 (vertex 3)", arena.values(scene.meshes[0].weights)[12] = 0.9f)
PROMISE(WeightsAreStrongestFirst, "meshes[0].weights", "strongest first (vertex 2)", auto weights = arena.values(scene.meshes[0].weights);
        std::swap(weights[8], weights[9]))
PROMISE(JointsAreOfTheSkin, "meshes[0].joints", "not below 5", arena.values(scene.meshes[0].joints16)[4] = 5)
PROMISE(AllInfluencesComeWhole, "meshes[0].influenceOffsets", "come together", scene.meshes[0].influenceWeights = {})
PROMISE(AllInfluencesAreThereWhereAVertexHasMoreThanFour, "meshes[0].maxInfluences", "more than four", Mesh& mesh = scene.meshes[0];
        mesh.influenceOffsets = {}; mesh.influenceJoints = {}; mesh.influenceWeights = {})
PROMISE(AllInfluencesHaveJoints, "meshes[0].influenceOffsets", "come together", scene.meshes[0].influenceJoints = {})
PROMISE(AllInfluencesComeWithTheStrongestFour, "meshes[0].joints", "strongest four", scene.meshes[0].joints16 = {};
        scene.meshes[0].weights = {})
PROMISE(AllInfluencesJointsLieInABlock, "meshes[0].influenceJoints", "inside a piece", scene.meshes[0].influenceJoints.count = 1u << 20)
PROMISE(AllInfluencesWeightsAreFinite, "meshes[0].influenceWeights", "not finite", arena.values(scene.meshes[0].influenceWeights)[0] = nan)
PROMISE(AllInfluencesHaveOffsetsForEveryVertex, "meshes[0].influenceOffsets", "has 4 entries instead of 5",
        scene.meshes[0].influenceOffsets.count = 4)
PROMISE(InfluenceOffsetsRise, "meshes[0].influenceOffsets", "rise", arena.values(scene.meshes[0].influenceOffsets)[1] = 0xFFFFFFFF)
PROMISE(AllInfluencesAreOfTheSkin, "meshes[0].influenceJoints", "not below 5", arena.values(scene.meshes[0].influenceJoints)[0] = 6)
PROMISE(AllInfluencesSumToOne, "meshes[0].influenceWeights", "neither 1 nor 0 (vertex 0)",
        arena.values(scene.meshes[0].influenceWeights)[4] = 0.01f)
PROMISE(NoVertexHasMoreInfluencesThanTheMost, "meshes[0].maxInfluences", "more", Mesh& mesh = scene.meshes[0];
        auto offsets = arena.values(mesh.influenceOffsets); offsets[1] = 6; offsets[2] = 6)

// ---- morphs
PROMISE(MorphVerticesAscend, "meshes[0].morphs[0].vertices", "ascending", arena.values(scene.meshes[0].morphs[0].vertices)[0] = 3)
PROMISE(MorphVerticesAreUnique, "meshes[0].morphs[0].vertices", "unique", arena.values(scene.meshes[0].morphs[0].vertices)[0] = 2)
PROMISE(MorphVerticesExist, "meshes[0].morphs[0].vertices", "not below 4", arena.values(scene.meshes[0].morphs[0].vertices)[1] = 4)
PROMISE(MorphDeltasAreThreeAVertex, "meshes[0].morphs[0].positions", "has 3 entries", scene.meshes[0].morphs[0].positions.count = 3)
PROMISE(MorphDeltasAreFinite, "meshes[0].morphs[0].normals", "not finite", arena.values(scene.meshes[0].morphs[0].normals)[0] = nan)
PROMISE(MorphMaximaAreFinite, "meshes[0].morphs[0].maximum", "not finite", scene.meshes[0].morphs[0].maximum = inf)
PROMISE(MorphNamesAreUtf8, "meshes[0].morphs[0].name", "UTF-8", scene.meshes[0].morphs[0].name = "\xFF")

// ---- renderers and skins
PROMISE(RenderersHaveANode, "renderers[0].node", "names entry 9", scene.renderers[0].node = 9)
PROMISE(RenderersHaveAMesh, "renderers[0].mesh", "names entry", scene.renderers[0].mesh = none)
PROMISE(RenderersSkinsExist, "renderers[0].skin", "names entry 1", scene.renderers[0].skin = 1)
PROMISE(SkinnedMeshesHaveJoints, "renderers[1].skin", "no joints", scene.renderers[1].skin = 0)
PROMISE(RenderersMaterialsExist, "renderers[0].materials[0]", "names entry 4", scene.renderers[0].materials[0] = 4)
PROMISE(RenderersMaterialsAreOneAGroup, "renderers[0].materials", "one a group", scene.renderers[0].materials.push_back(0))
PROMISE(SkinnedMeshesHaveASkinOfJoints, "renderers[0].skin", "no joints", scene.skins[0].joints = {};
        scene.skins[0].inverseBindMatrices = {}; scene.skins[0].jointBoxes = {})
PROMISE(SkinJointsAreNodes, "skins[0].joints", "not below 3", arena.values(scene.skins[0].joints)[2] = 3)
PROMISE(InverseBindsAreSixteenAJoint, "skins[0].inverseBindMatrices", "has 64 entries instead of 80",
        scene.skins[0].inverseBindMatrices.count = 64)
PROMISE(InverseBindsAreFinite, "skins[0].inverseBindMatrices", "not finite", arena.values(scene.skins[0].inverseBindMatrices)[7] = inf)
PROMISE(SkinsHaveJointBoxes, "skins[0].jointBoxes", "no block", scene.skins[0].jointBoxes = {})
PROMISE(SkeletonRootIsANode, "skins[0].skeletonRoot", "names entry 3", scene.skins[0].skeletonRoot = 3)

// ---- materials, textures, images
PROMISE(SlotsTexturesExist, "materials[0].slots[0].texture", "names entry 1", scene.materials[0].slots[0].texture = 1)
PROMISE(MaterialNumbersAreFinite, "materials[0].color", "not finite", scene.materials[0].color[2] = nan)
PROMISE(AlphaModeIsKnown, "materials[0].alphaMode", "not a known", scene.materials[0].alphaMode = static_cast<AlphaMode>(99))
PROMISE(MaterialNamesAreUtf8, "materials[0].name", "UTF-8", scene.materials[0].name = "\xE9")
PROMISE(TexturesImagesExist, "textures[0].image", "names entry 1", scene.textures[0].image = 1)
PROMISE(TextureTransformsAreFinite, "textures[0].scale", "not finite", scene.textures[0].scale[0] = inf)
PROMISE(ImageBytesLieInABlock, "images[0].bytes", "no block", scene.images[0].bytes.block = 99)
PROMISE(ImagePathsAreUtf8, "images[0].path", "UTF-8", scene.images[0].path = "tex\x80.png")

// ---- clips
PROMISE(ClipDurationIsNotNegative, "clips[0].duration", "negative", scene.clips[0].duration = -1)
PROMISE(ClipNumbersAreFinite, "clips[0].frameRate", "not finite", scene.clips[0].frameRate = inf)
PROMISE(FrameRateIsNotNegative, "clips[0].frameRate", "negative", scene.clips[0].frameRate = -1)
PROMISE(ClipsHaveABlock, "clips[0].block", "not a block", scene.clips[0].block = none)
PROMISE(TrackColumnsLieInTheClipsBlock, "clips[0].tracks[0].values", "another block",
        scene.clips[0].tracks[0].values = test::put(arena, arena.addBlock(), Vector<float>(8, 0.5f)))
PROMISE(TrackTargetsAreInTheTable, "clips[0].tracks[0].target", "names entry", scene.clips[0].tracks[0].target = none)
PROMISE(TrackNodesExist, "clips[0].tracks[1].node", "names entry 3", scene.clips[0].tracks[1].node = 3)
PROMISE(TimesAscend, "clips[0].tracks[0].times", "ascending", arena.values(scene.clips[0].tracks[0].times)[0] = 2)
PROMISE(TimesAreFinite, "clips[0].tracks[0].times", "entry 1 is not finite", arena.values(scene.clips[0].tracks[0].times)[1] = nan)
PROMISE(TracksHaveAKey, "clips[0].tracks[0].times", "no key", scene.clips[0].tracks[0].times.count = 0)
PROMISE(ValuesAreAsManyAsKeysNeed, "clips[0].tracks[1].values", "has 5 entries instead of 6", scene.clips[0].tracks[1].values.count = 5)
PROMISE(ValuesAreFinite, "clips[0].tracks[1].values", "not finite", arena.values(scene.clips[0].tracks[1].values)[2] = inf)
PROMISE(RotationKeysAreUnit, "clips[0].tracks[0].values", "quaternion 1 is not of unit",
        arena.values(scene.clips[0].tracks[0].values)[4] = 1.1f)
PROMISE(SlerpIsForRotations, "clips[0].tracks[1].interpolation", "whole rotations",
        scene.clips[0].tracks[1].interpolation = Interpolation::slerp)
PROMISE(UnreadClipsHaveNoKeys, "clips[0].keysUnread", "exactly if", scene.clips[0].keysUnread = true)
PROMISE(ReadClipsHaveKeys, "clips[0].keysUnread", "exactly if", scene.clips[0].tracks[0].times = scene.clips[0].tracks[0].values = {})
PROMISE(ComponentsExist, "clips[0].tracks[2].component", "no such component", scene.clips[0].tracks[2].component = 3)
PROMISE(InterpolationIsKnown, "clips[0].tracks[0].interpolation", "not a known",
        scene.clips[0].tracks[0].interpolation = static_cast<Interpolation>(6))
PROMISE(PathIsKnown, "clips[0].tracks[0].path", "not a known", scene.clips[0].tracks[0].path = static_cast<Path>(200))
PROMISE(KindsComeWithPerKey, "clips[0].tracks[2].kinds", "per key", scene.clips[0].tracks[2].kinds = {})
PROMISE(KindsComeOnlyWithPerKey, "clips[0].tracks[2].kinds", "per key", scene.clips[0].tracks[2].interpolation = Interpolation::bezier)
PROMISE(KindsAreSegments, "clips[0].tracks[2].kinds", "not below 5", arena.values(scene.clips[0].tracks[2].kinds)[1] = 5)
PROMISE(KindsAreOneAKey, "clips[0].tracks[2].kinds", "has 1 entries", scene.clips[0].tracks[2].kinds.count = 1)
PROMISE(CurvesHaveTangents, "clips[0].tracks[2].tangents", "missing", scene.clips[0].tracks[2].tangents = {})
PROMISE(TangentsAreTwoAValue, "clips[0].tracks[2].tangents", "has 3 entries instead of 4", scene.clips[0].tracks[2].tangents.count = 3)
PROMISE(TangentsAreNumbers, "clips[0].tracks[2].tangents", "not a number", arena.values(scene.clips[0].tracks[2].tangents)[0] = nan)
PROMISE(BeziersHaveWeights, "clips[0].tracks[2].weights", "missing", scene.clips[0].tracks[2].weights = {})
PROMISE(WeightsOfKeysAreFinite, "clips[0].tracks[2].weights", "not finite", arena.values(scene.clips[0].tracks[2].weights)[3] = inf)
PROMISE(BlendWeightsAreFinite, "clips[0].tracks[0].blendWeight", "not finite", scene.clips[0].tracks[0].blendWeight = nan)
PROMISE(EventTimesAreFinite, "clips[0].events[0].time", "not finite", scene.clips[0].events[0].time = nan)
PROMISE(EventNamesAreInTheTable, "clips[0].events[0].name", "names entry", scene.clips[0].events[0].name = 1000)
PROMISE(OverridesNamesAreInTheTable, "clips[0].overrides[0].node", "names entry", scene.clips[0].overrides[0].node = 1000)

// ---- the rest
PROMISE(LightsHaveANode, "lights[0].node", "names entry 3", scene.lights[0].node = 3)
PROMISE(LightNumbersAreFinite, "lights[0].intensity", "not finite", scene.lights[0].intensity = inf)
PROMISE(CamerasHaveANode, "cameras[0].node", "names entry 3", scene.cameras[0].node = 3)
PROMISE(CameraNumbersAreFinite, "cameras[0].aspect", "not finite", scene.cameras[0].aspect = nan)
PROMISE(InstancesReferencesExist, "instances[0].reference", "names entry 1", scene.instances[0].reference = 1)
PROMISE(InstancesHaveANode, "instances[0].node", "names entry 3", scene.instances[0].node = 3)
PROMISE(InstancesAreTenNumbers, "instances[0].transforms", "has 9 entries instead of 10", scene.instances[0].transforms.count = 9)
PROMISE(InstanceRotationsAreUnit, "instances[0].transforms", "quaternion 0", arena.values(scene.instances[0].transforms)[6] = 2)
PROMISE(InstanceNamesAreInTheTable, "instances[0].names", "not below", arena.values(scene.instances[0].names)[0] = 1000)
PROMISE(FeaturesShareWithEarlierOnes, "features[0].same", "names no earlier feature", scene.features[0].same = 0)
PROMISE(FeaturesShareWithOnesThatHaveTheirOwn, "features[2].same", "names no earlier feature",
        scene.features.push_back({.kind = "b", .name = {}, .properties = {}, .same = 0});
        scene.features.push_back({.kind = "c", .name = {}, .properties = {}, .same = 1}))
PROMISE(FeaturesThatShareHaveNothingOfTheirOwn, "features[1].same", "names no earlier feature",
        scene.features.push_back({.kind = "b", .name = {}, .properties = {{"a", 1}}, .same = 0}))
PROMISE(FeaturesNodesExist, "features[0].node", "names entry 3", scene.features[0].node = 3)
PROMISE(ExpressionsRenderersExist, "expressions[0].bindings[0].renderer", "names entry 2", scene.expressions[0].bindings[0].renderer = 2)
PROMISE(ExpressionsMorphsExist, "expressions[0].bindings[0].morph", "names entry 1 of 1", scene.expressions[0].bindings[0].morph = 1)
PROMISE(ReferencesAreUtf8, "references[0].name", "UTF-8", scene.references[0].name = "\xFE")

#undef PROMISE

TEST(Validate, TangentsMayBeInfinite) {
    FullScene full;
    full.arena.values(full.scene.clips[0].tracks[2].tangents)[1] = -inf;
    test::expectSound(full.scene, full.arena);
}

TEST(Validate, RotationsHaveUnitLengthForAnyInterpolation) {
    for (const Interpolation interpolation : {Interpolation::step, Interpolation::linear, Interpolation::slerp, Interpolation::hermite}) {
        FullScene full;
        Track& turn = full.scene.clips[0].tracks[0];
        turn.interpolation = interpolation;
        if (interpolation == Interpolation::hermite)
            turn.tangents = test::put(full.arena, full.scene.clips[0].block, Vector<float>(16, 0.f));
        test::expectSound(full.scene, full.arena);
        full.arena.values(turn.values)[4] = 2;
        EXPECT_EQ(validateScene(full.scene, full.arena),
                  (Vector<std::string>{"clips[0].tracks[0].values: quaternion 1 is not of unit length"}));
    }
}

TEST(Validate, EqualTimesAreAJump) {
    FullScene full;
    full.arena.values(full.scene.clips[0].tracks[0].times)[0] = 1;
    test::expectSound(full.scene, full.arena);
}

TEST(Validate, UnweightedVerticesAreAllowed) {
    FullScene full;
    full.arena.values(full.scene.meshes[0].weights)[4] = 0;
    test::expectSound(full.scene, full.arena);
}

TEST(Validate, ReturnsAtMostTheLimit) {
    FullScene full;
    for (Node& node : full.scene.nodes) node.name = 1000;
    Track unnamed;
    unnamed.target = 1000;
    full.scene.clips[0].tracks.resize(10'000, unnamed);
    EXPECT_EQ(validateScene(full.scene, full.arena, 2).size(), 2u);
    EXPECT_EQ(validateScene(full.scene, full.arena).size(), 20u);
}

TEST(Validate, SurvivesGarbage) {
    // Replaces every 32-bit number in the structs that `validateScene` reads with hostile numbers.
    for (const std::uint32_t garbage : {0u, 1u, 7u, 0x7FFFFFFFu, 0xFFFFFFF8u, 0xFFFFFFFEu, none}) {
        FullScene full;
        Scene& scene = full.scene;
        for (Mesh& mesh : scene.meshes) {
            mesh.vertexCount = mesh.sourceVertexCount = garbage;
            mesh.influenceOffsets.count = mesh.positions.count = mesh.indices16.offset = garbage;
            mesh.maxInfluences = garbage;
            for (Group& group : mesh.groups) group = {garbage, garbage, garbage};
            for (MorphTarget& morph : mesh.morphs) morph.vertices.count = morph.positions.offset = garbage;
        }
        for (Skin& skin : scene.skins) skin.joints.count = skin.block = skin.skeletonRoot = garbage;
        for (Renderer& renderer : scene.renderers) renderer.node = renderer.mesh = renderer.skin = garbage;
        for (Track& track : scene.clips[0].tracks) track.times.count = track.kinds.offset = track.target = garbage;
        for (InstanceSet& set : scene.instances) set.names.count = set.transforms.count = set.block = garbage;
        for (Node& node : scene.nodes) node.parent = node.name = garbage;
        computeBounds(scene, full.arena);
        parentsFirst(scene, full.arena);
        EXPECT_FALSE(validateScene(scene, full.arena).empty());
        for (std::size_t limit = 1; limit < 40; ++limit) EXPECT_LE(validateScene(scene, full.arena, limit).size(), limit);
    }
}

}  // namespace
}  // namespace rigcast
