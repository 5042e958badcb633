// Tests the conversion of materials of Unity's shader families, with their properties and textures.
#include <gtest/gtest.h>

#include <cmath>

#include "core/vector.hpp"
#include "support/open.hpp"
#include "support/vgoPuppet.hpp"

namespace rigcast {
namespace {

using test::listOf;
using test::memberOf;
using test::Opened;
using test::tinyPng;

/// Opens a file with one material. The file has two textures with the same image: texture 0 is
/// declared as colour, and texture 1 as data.
std::unique_ptr<Opened> openMaterial(Properties material, bool bson = false) {
    VgoBuilder vgo;
    vgo.bsonLayout = bson;
    vgo.addTransforms(Vector<float>{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1});
    const int image = vgo.addImage(tinyPng());
    vgo.set("nodes", listOf({Properties{{"name", "Root"}, {"isRoot", true}}}));
    vgo.set("materials", listOf({std::move(material)}));
    vgo.set("textures",
            listOf({Properties{{"name", "color"}, {"source", image}, {"wrapModeU", 1}, {"wrapModeV", 2}, {"filterMode", 2}},
                    Properties{{"name", "data"}, {"source", image}, {"colorSpace", 1}, {"mapType", 5}, {"metallicRoughness", 0.25}}}));
    return test::readBytes("vgo", vgo.write());
}

Properties shader(std::string_view name, Properties numbers = {}, Properties textures = {}) {
    Properties material{{"name", "Paint"}, {"shaderName", name}, {"renderQueue", 3005}};
    if (!numbers.empty()) material.push_back({"floatProperties", std::move(numbers)});
    if (!textures.empty()) material.push_back({"textureIndexProperties", std::move(textures)});
    return material;
}

struct Wanted {
    const char* name;
    Properties numbers;
    const char* model;
    AlphaMode mode;
    Side side = Side::front;
    bool depthWrite = false;
};

TEST(VgoMaterial, FamiliesReadTheirOwnProperties) {
    const Vector<Wanted> all{
        {"Standard", {{"_Mode", 0}}, "standard", AlphaMode::opaque},
        {"Standard", {{"_Mode", 1}}, "standard", AlphaMode::mask},
        {"Standard", {{"_Mode", 3}}, "standard", AlphaMode::blend},
        {"Standard", {{"_Mode", 77}}, "standard", AlphaMode::opaque},
        {"UniGLTF/StandardVColor", {}, "standard", AlphaMode::opaque},
        {"Universal Render Pipeline/Lit", {{"_Surface", 0}, {"_AlphaClip", 1}, {"_Cull", 0}}, "standard", AlphaMode::mask, Side::both},
        {"Universal Render Pipeline/Lit", {{"_Surface", 1}, {"_Blend", 0}}, "standard", AlphaMode::blend},
        {"Universal Render Pipeline/Lit", {{"_Surface", 1}, {"_Blend", 3}, {"_Cull", 1}}, "standard", AlphaMode::multiply, Side::back},
        {"Universal Render Pipeline/Unlit", {{"_Surface", 1}, {"_Blend", 2}}, "unlit", AlphaMode::add},
        {"Universal Render Pipeline/Particles/Unlit", {{"_Surface", 1}, {"_Blend", 2}}, "unlit", AlphaMode::add},
        {"HDRP/Lit", {{"_SurfaceType", 0}, {"_AlphaCutoffEnable", 1}, {"_DoubleSidedEnable", 1}}, "standard", AlphaMode::mask, Side::both},
        {"HDRP/Lit", {{"_SurfaceType", 1}, {"_BlendMode", 1}}, "standard", AlphaMode::add},
        {"HDRP/Lit", {{"_SurfaceType", 1}, {"_BlendMode", 4}}, "standard", AlphaMode::blend},
        {"HDRP/Hair", {{"_SurfaceType", 1}}, "standard", AlphaMode::mask},
        {"Unlit/Texture", {{"_BlendMode", 2}}, "unlit", AlphaMode::opaque},
        {"Unlit/Transparent", {}, "unlit", AlphaMode::blend},
        {"Unlit/Transparent Cutout", {}, "unlit", AlphaMode::mask},
        {"VRM/UnlitTransparentZWrite", {}, "unlit", AlphaMode::blend, Side::front, true},
        {"UniGLTF/UniUnlit", {{"_BlendMode", 1}, {"_CullMode", 0}}, "unlit", AlphaMode::mask, Side::both},
        {"VRM/MToon", {{"_BlendMode", 3}}, "mtoon", AlphaMode::blend, Side::front, true},
        {"VRM/MToon", {{"_BlendMode", 1}, {"_CullMode", 1}}, "mtoon", AlphaMode::mask, Side::back},
        {"VRM10/MToon10", {{"_AlphaMode", 2}}, "mtoon", AlphaMode::blend},
        {"VRM10/Universal Render Pipeline/MToon10",
         {{"_AlphaMode", 2}, {"_TransparentWithZWrite", 1}, {"_DoubleSided", 1}},
         "mtoon",
         AlphaMode::blend,
         Side::both,
         true},
        {"lilToon", {}, "liltoon", AlphaMode::blend, Side::front, true},  // because of the test's render queue
        {"Hidden/lilToonCutoutOutline", {{"_Cull", 0}}, "liltoon", AlphaMode::mask, Side::both},
        {"Hidden/lilToonTransparent", {{"_ZWrite", 0}}, "liltoon", AlphaMode::blend},
        {"_lil/lilToonMulti", {{"_TransparentMode", 1}}, "liltoon", AlphaMode::mask},
        {"Particles/Standard Surface", {{"_Mode", 4}}, "standard", AlphaMode::add},
        {"Particles/Standard Unlit", {{"_BlendMode", 6}}, "unlit", AlphaMode::multiply},
        {"Skybox/6 Sided", {}, "skybox", AlphaMode::opaque},
    };
    for (const Wanted& wanted : all) {
        const auto opened = openMaterial(shader(wanted.name, wanted.numbers));
        const Material& got = opened->scene.materials.at(0);
        EXPECT_EQ(got.model, wanted.model) << wanted.name;
        EXPECT_EQ(static_cast<int>(got.alphaMode), static_cast<int>(wanted.mode)) << wanted.name;
        EXPECT_EQ(static_cast<int>(got.side), static_cast<int>(wanted.side)) << wanted.name;
        EXPECT_EQ(got.depthWrite, wanted.depthWrite) << wanted.name;
        const bool isBlended = wanted.mode != AlphaMode::opaque && wanted.mode != AlphaMode::mask;
        EXPECT_EQ(got.renderOrder, isBlended ? 5 : 0) << wanted.name;
        EXPECT_FALSE(opened->has(Code::SHADER_UNKNOWN)) << wanted.name;
    }
}

TEST(VgoMaterial, ReadsNumbersOfBothMaps) {
    Properties material = shader("VRM/MToon");
    material.push_back({"intProperties", Properties{{"_BlendMode", 2}, {"_CullMode", 0}}});
    const auto opened = openMaterial(std::move(material));
    EXPECT_EQ(opened->scene.materials.at(0).alphaMode, AlphaMode::blend);
    EXPECT_EQ(opened->scene.materials.at(0).side, Side::both);
}

TEST(VgoMaterial, ReadsCommonNamesOfUnknownShaders) {
    Properties material =
        shader("Custom/Nobody knows", {{"_Metallic", 0.5}, {"_Smoothness", 0.75}, {"_Cutoff", "NaN"}}, {{"_MainTex", 0}, {"_Weird", 1}});
    material.push_back({"colorProperties", Properties{{"_Color", listOf({0.5, 0.25, "Infinity"})}}});
    const auto opened = openMaterial(std::move(material));
    const Finding* finding = opened->finding(Code::SHADER_UNKNOWN);
    ASSERT_NE(finding, nullptr);
    EXPECT_EQ(finding->severity, Severity::info);
    EXPECT_EQ(finding->detail, "Custom/Nobody knows");
    const Material& got = opened->scene.materials.at(0);
    EXPECT_EQ(got.model, "standard");
    EXPECT_EQ(got.metalness, 0.5f);
    EXPECT_EQ(got.roughness, 0.25f);
    EXPECT_EQ(got.alphaCutoff, 0.5f);
    EXPECT_EQ(got.color[1], 0.25f);
    EXPECT_EQ(got.color[2], 1);
    EXPECT_EQ(got.color[3], 1);
    ASSERT_EQ(got.slots.size(), 2u);
    EXPECT_EQ(got.slots[0].slot, "baseColor");
    EXPECT_EQ(got.slots[1].slot, "_Weird");
    EXPECT_EQ(got.slots[1].texture, 1u);
    EXPECT_EQ(got.properties[0].name, "shaderName");
}

TEST(VgoMaterial, SlotsDetermineTheColourSpace) {
    const auto opened = openMaterial(shader("Standard", {{"_Glossiness", 0.25}, {"_GlossMapScale", 1}},
                                            {{"_MetallicGlossMap", 1}, {"_MainTex", 1}, {"_BumpMap", 0}, {"_EmissionMap", 0}}));
    const Material& got = opened->scene.materials.at(0);
    ASSERT_EQ(got.slots.size(), 4u);
    for (const MaterialSlot& slot : got.slots) {
        const bool isColor = slot.slot == "baseColor" || slot.slot == "emissive";
        EXPECT_EQ(opened->scene.textures.at(slot.texture).srgb, isColor) << slot.slot;
    }
    EXPECT_EQ(got.roughness, 0) << "the scale of the map";
    EXPECT_EQ(opened->scene.textures.size(), 4u) << "two of the file, and each in the other space";
    EXPECT_EQ(opened->scene.images.size(), 1u);
    const Texture& first = opened->scene.textures[0];
    EXPECT_EQ(first.wrapU, Wrap::clamp);
    EXPECT_EQ(first.wrapV, Wrap::mirror);
    EXPECT_EQ(first.filter, Filter::trilinear);
}

TEST(VgoMaterial, TexturesShareTheTransformOfTheBase) {
    Properties material = shader("VRM/MToon", {}, {{"_BumpMap", 1}, {"_MainTex", 0}, {"_SphereAdd", 0}});
    material.push_back({"textureScaleProperties", Properties{{"_MainTex", listOf({2, 0.5})}}});
    material.push_back({"textureOffsetProperties", Properties{{"_MainTex", listOf({0.25, 0.125})}}});
    const auto opened = openMaterial(std::move(material));
    for (const MaterialSlot& slot : opened->scene.materials.at(0).slots) {
        const Texture& texture = opened->scene.textures.at(slot.texture);
        const bool isPlaced = slot.slot != "matcap";
        EXPECT_EQ(texture.scale[0], isPlaced ? 2 : 1) << slot.slot;
        EXPECT_EQ(texture.offset[0], isPlaced ? 0.25f : 0) << slot.slot;
        EXPECT_EQ(texture.offset[1], isPlaced ? 0.375f : 0) << slot.slot;
    }
}

TEST(VgoMaterial, AddsTheBaseTextureOfHdrpOnce) {
    const auto once = openMaterial(shader("HDRP/Lit", {}, {{"_MainTex", 0}, {"_BaseColorMap", 0}}));
    ASSERT_EQ(once->scene.materials.at(0).slots.size(), 1u);
    EXPECT_EQ(once->scene.materials[0].slots[0].source, "_BaseColorMap");
    const auto other = openMaterial(shader("HDRP/Lit", {}, {{"_MainTex", 1}, {"_BaseColorMap", 0}}));
    ASSERT_EQ(other->scene.materials.at(0).slots.size(), 2u);
    EXPECT_EQ(other->scene.materials[0].slots[1].slot, "_MainTex");
}

TEST(VgoMaterial, EmissionNeedsItsKeyword) {
    const auto glow = [](std::string_view name, Properties keywords, Properties numbers = {}) {
        Properties material = shader(name, std::move(numbers));
        material.push_back({"colorProperties", Properties{{"_EmissionColor", listOf({4, 2, 1})}}});
        material.push_back({"keywordMap", std::move(keywords)});
        return openMaterial(std::move(material))->scene.materials.at(0).emissive[0];
    };
    EXPECT_EQ(glow("Standard", {{"_EMISSION", false}}), 0);
    EXPECT_EQ(glow("Standard", {{"_EMISSION", true}}), 4);
    EXPECT_EQ(glow("VRM/MToon", {}), 4);
    EXPECT_EQ(glow("lilToon", {}), 0);
    EXPECT_EQ(glow("lilToon", {}, {{"_UseEmission", 1}}), 4);
    EXPECT_EQ(glow("Particles/Standard Surface", {}, {{"_EmissionEnabled", 1}}), 4);
}

/// BSON contains nulls and non-finite numbers. JSON omits nulls and contains these numbers as text.
TEST(VgoMaterial, JsonAndBsonGiveEqualProperties) {
    Properties material = shader("Particles/Standard Surface");
    material.push_back({"tagMap", Value()});
    material.push_back({"vectorProperties", Properties{{"_Fade", listOf({INFINITY, -INFINITY, NAN, 0.5})}}});
    for (const bool bson : {false, true}) {
        const auto opened = openMaterial(material, bson);
        const Properties& kept = opened->scene.materials.at(0).properties;
        ASSERT_EQ(kept.size(), 3u) << bson;
        const auto& fade = kept[2].value.find("_Fade")->as<Vector<Value>>();
        EXPECT_EQ(fade[0].asString(""), "Infinity") << bson;
        EXPECT_EQ(fade[1].asString(""), "-Infinity") << bson;
        EXPECT_EQ(fade[2].asString(""), "NaN") << bson;
        EXPECT_EQ(fade[3].asNumber(0), 0.5) << bson;
    }
}

TEST(VgoMaterial, DetectsImageTypesByContent) {
    const auto with = [](Vector<std::uint8_t> bytes, const char* type) {
        VgoBuilder vgo;
        vgo.addTransforms(Vector<float>{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1});
        vgo.set("nodes", listOf({Properties{{"name", "Root"}, {"isRoot", true}}}));
        vgo.set("textures", listOf({Properties{{"name", "a"}, {"source", vgo.addImage(bytes)}, {"mimeType", type}}}));
        return test::readBytes("vgo", vgo.write());
    };
    const auto bytesOf = [](std::string_view text) { return Vector<std::uint8_t>(text.begin(), text.end()); };
    EXPECT_TRUE(with(tinyPng(), "image/png")->diagnostics.findings().empty());
    const auto lies = with(tinyPng(), "image/jpeg");
    EXPECT_EQ(lies->finding(Code::IMAGE_TYPE)->severity, Severity::warning);
    EXPECT_EQ(lies->scene.images.at(0).mimeType, "image/png");
    EXPECT_EQ(with(bytesOf("\xFF\xD8\xFF\xE0 and so on"), "image/jpeg")->scene.images.size(), 1u);
    EXPECT_EQ(with(bytesOf("RIFF....WEBPVP8X...."), "image/webp")->scene.images.size(), 1u);
    for (const std::string_view bad : {"<svg xmlns=\"http://www.w3.org/2000/svg\"/>", "\x89PNG\r\n\x1a\nbroken and longer than a header",
                                       "\x89PNG\r\n\x1a\n", "GIF89a", "R", "RIFF....AVI LIST", "RIFF....WEBPVPXX", "\xFF\xD8"}) {
        const auto opened = with(bytesOf(bad), "image/png");
        EXPECT_TRUE(opened->has(Code::TEXTURE_DAMAGED)) << bad;
        EXPECT_TRUE(opened->scene.images.empty());
        EXPECT_EQ(opened->scene.textures.at(0).image, none);
    }
}

}  // namespace
}  // namespace rigcast
