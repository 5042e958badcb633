// Lights, skies, particles and springs: which of them are those of the picture, and whom they belong to.
#include <gtest/gtest.h>

#include <functional>

#include "support/open.hpp"
#include "support/vgoPuppet.hpp"

namespace rigcast {
namespace {

using test::itemOf;
using test::listOf;
using test::memberOf;
using test::Opened;
using test::puppetVgo;

/// The puppet with one thing changed.
std::unique_ptr<Opened> openWith(const std::function<void(VgoBuilder&)>& change, const test::VgoManner& manner = {}) {
    VgoBuilder vgo = puppetVgo(manner);
    change(vgo);
    return test::readBytes("vgo", vgo.write(), {.name = "puppet.vgo"});
}

Value& at(VgoBuilder& vgo, std::string_view list, std::size_t index) { return itemOf(memberOf(vgo.layout, list), index); }

const Value* propertyOf(const Scene& scene, std::string_view kind, std::string_view name) {
    for (const Feature& feature : scene.features)
        for (const Property& entry : feature.properties)
            if (feature.kind == kind && entry.name == name) return &entry.value;
    return nullptr;
}

TEST(VgoFeatures, AMeshRendererBesideParticlesIsTheMeshThatTheyAreMadeOf) {
    const auto opened = openWith([](VgoBuilder& vgo) {
        memberOf(at(vgo, "nodes", 7), "meshRenderer") = Properties{{"name", "Sparks"}, {"mesh", 0}, {"materials", listOf({1})}};
    });
    ASSERT_EQ(opened->scene.renderers.size(), 1u) << "nothing still stands at the emitter";
    EXPECT_EQ(opened->scene.renderers[0].node, 4u);
    EXPECT_EQ(propertyOf(opened->scene, "particleSystem", "mesh")->asNumber(-1), 0);
    EXPECT_EQ(std::get<Vector<Value>>(propertyOf(opened->scene, "particleSystem", "materials")->data).at(0).asNumber(-1), 1);
    EXPECT_EQ(opened->diagnostics.total(Severity::warning) + opened->diagnostics.total(Severity::error), 0u);
}

TEST(VgoFeatures, AMeshOnANodeWithParticlesIsDrawnUpTo24) {
    const auto opened = openWith([](VgoBuilder& vgo) { memberOf(at(vgo, "nodes", 7), "mesh") = 0; }, {.minor = 4});
    EXPECT_EQ(opened->scene.renderers.size(), 2u);
}

}  // namespace
}  // namespace rigcast
