#include "support/vgoPuppet.hpp"

#include <cmath>

#include "core/vector.hpp"

namespace rigcast::test {

namespace {

/// Writes Unity data with the given conventions.
class Writer {
public:
    explicit Writer(const VgoConventions& conventions) : conventions_(conventions) {}

    float z(float value) const { return conventions_.leftHanded ? value : -value; }
    Value point(float x, float y, float zed) const { return listOf({x, y, z(zed)}); }
    /// Returns the value of a member that right-handed writers negate by mistake (E5, particle
    /// shapes).
    Value negated(float x, float y, float zed) const { return point(x, y, zed); }

    Vector<float> points(Vector<float> values) const {
        for (std::size_t i = 2; i < values.size(); i += 3) values[i] = z(values[i]);
        return values;
    }
    Vector<float> uvs(Vector<float> values) const {
        for (std::size_t i = 1; i < values.size(); i += 2) values[i] = conventions_.uvBottomLeft ? values[i] : 1 - values[i];
        return values;
    }
    Vector<std::uint32_t> triangles(Vector<std::uint32_t> indices) const {
        if (!conventions_.leftHanded)
            for (std::size_t i = 0; i + 2 < indices.size(); i += 3) std::swap(indices[i], indices[i + 2]);
        return indices;
    }
    void matrix(Vector<float>& to, Vector<float> elements) const {
        if (!conventions_.leftHanded)
            for (const std::size_t i : {2, 6, 8, 9, 11, 14}) elements[i] = -elements[i];
        to.insert(to.end(), elements.begin(), elements.end());
    }
    void translation(Vector<float>& to, float x, float y, float zed) const {
        matrix(to, {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, zed, 1});
    }

private:
    VgoConventions conventions_;
};

Value key(double time, double value, double in = 0, double out = 0) {
    return Properties{{"time", time},      {"value", value},      {"inTangent", in},
                      {"outTangent", out}, {"inWeight", 1.0 / 3}, {"outWeight", 1.0 / 3}};
}

Value binding(const char* type, const char* property, Vector<Value> keys) {
    return Properties{{"type", type},
                      {"propertyName", property},
                      {"animationCurve", Properties{{"keys", std::move(keys)}, {"preWrapMode", 8}, {"postWrapMode", 8}}}};
}

Value materials() {
    return listOf(
        {Properties{{"name", "Cloth"},
                    {"shaderName", "VRM/MToon"},
                    {"renderQueue", 2000},
                    {"intProperties", Properties{{"_BlendMode", 1}, {"_CullMode", 0}}},
                    {"floatProperties", Properties{{"_Cutoff", 0.25}}},
                    {"colorProperties", Properties{{"_Color", listOf({1, 0.5, 0.25, 1})}, {"_ShadeColor", listOf({0.5, 0.5, 0.5, 1})}}},
                    {"textureOffsetProperties", Properties{{"_MainTex", listOf({0.25, 0.125})}}},
                    {"textureScaleProperties", Properties{{"_MainTex", listOf({2, 0.5})}}},
                    {"textureIndexProperties", Properties{{"_MainTex", 0}, {"_ShadeTexture", 0}, {"_SphereAdd", 0}}}},
         Properties{{"name", "Eye"}, {"shaderName", "VRM/UnlitTransparent"}, {"isUnlit", true}, {"renderQueue", 3010}}});
}

}  // namespace

Vector<std::uint8_t> tinyPng() {
    return {0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00, 0x00, 0x00, 0x0D, 0x49, 0x48, 0x44, 0x52, 0x00, 0x00, 0x00, 0x02,
            0x00, 0x00, 0x00, 0x02, 0x08, 0x02, 0x00, 0x00, 0x00, 0xFD, 0xD4, 0x9A, 0x73, 0x00, 0x00, 0x00, 0x15, 0x49, 0x44, 0x41,
            0x54, 0x78, 0xDA, 0x63, 0x38, 0x61, 0x63, 0x63, 0x73, 0xC2, 0x86, 0x01, 0x48, 0xDC, 0xB9, 0x63, 0x03, 0x00, 0x25, 0x16,
            0x05, 0xB5, 0xAC, 0xCC, 0x12, 0xC4, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82};
}

Value& memberOf(Value& object, std::string_view name) {
    if (!object.is<Properties>()) object = Properties{};
    auto& members = object.as<Properties>();
    for (Property& member : members)
        if (member.name == name) return member.value;
    members.push_back({std::string(name), {}});
    return members.back().value;
}

Value& itemOf(Value& list, std::size_t index) { return list.as<Vector<Value>>().at(index); }

VgoBuilder puppetVgo(const VgoConventions& conventions) {
    const Writer write(conventions);
    VgoBuilder vgo;
    vgo.minor = conventions.minor;
    vgo.leftHanded = conventions.leftHanded;
    vgo.uvBottomLeft = conventions.uvBottomLeft;
    vgo.bsonAssetInfo = vgo.bsonLayout = vgo.bsonAccessors = conventions.bson;
    vgo.assetInfo =
        Properties{{"generator", Properties{{"name", "UniVGO"}, {"version", "2.5.22"}}},
                   {"right", Properties{{"title", "Puppet"}, {"author", "A. N. Author"}, {"licenseUrl", "https://example.com/"}}}};

    const int image = vgo.addImage(tinyPng());
    Vector<float> local;
    write.translation(local, 0, 0, 0);
    write.translation(local, 0, 1, 0.125f);
    // Rotates by 90 degrees about x, then moves up: (x, y, z) to (x, -z, y).
    write.matrix(local, {1, 0, 0, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 0.5f, 0, 1});
    write.translation(local, 5, 5, 5);  // has no effect on a skinned mesh
    write.translation(local, 0, 3, 1);
    write.translation(local, 0, 0, -0.5f);
    write.matrix(local, {-2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0.5f, 0, 2, 0, 1, 1});
    write.translation(local, 0, 0, 2);
    vgo.addTransforms(local);

    // A quad that faces -Z, in front of a quad of half its size. The upper vertices follow the
    // chest.
    const Vector<float> corners{-1,    0, 0, 1,    0, 0, 1,    2, 0, -1,    2, 0,  //
                                -0.5f, 0, 1, 0.5f, 0, 1, 0.5f, 2, 1, -0.5f, 2, 1};
    Vector<float> normals, deltas(corners.size()), turned(corners.size());
    for (int i = 0; i < 8; ++i) normals.insert(normals.end(), {0, 0, -1});
    deltas[3 * 2 + 2] = -0.25f;
    deltas[3 * 6 + 1] = 0.5f;
    turned[3 * 2 + 2] = 0.5f;
    turned[3 * 3 + 0] = 0.125f;
    const Vector<float> uv{0, 0, 1, 0, 1, 1, 0, 1, 0, 0.25f, 1, 0.25f, 1, 0.75f, 0, 0.75f};
    const Vector<std::uint32_t> joints{0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
    const Vector<float> weights{1,     0,     0, 0, 1,     0,     0, 0, 1, 0, 0, 0, 1, 0, 0, 0,
                                0.75f, 0.25f, 0, 0, 0.75f, 0.25f, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
    const int positions = vgo.addFloats(VgoKind::mesh, 3, write.points(corners));
    const int normal = vgo.addFloats(VgoKind::mesh, 3, write.points(normals));
    const int uvs = vgo.addFloats(VgoKind::mesh, 2, write.uvs(uv));
    const int joint = vgo.addUnsigned(VgoKind::mesh, vgoVec4U8, joints);
    const int weight = vgo.addFloats(VgoKind::mesh, 4, weights);
    const int front = vgo.addIndices(write.triangles({0, 3, 2, 0, 2, 1}));
    const int back = vgo.addIndices(write.triangles({4, 7, 6, 4, 6, 5}));
    const int smile = vgo.addSparse(3, write.points(deltas), true);
    const int smileNormals = vgo.addSparse(3, write.points(turned), false);
    const int wink = vgo.addFloats(VgoKind::mesh, 3, write.points(turned));
    Vector<float> binds;
    write.translation(binds, 0, -1, -0.125f);
    write.matrix(binds, {1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 0, 0, -0.125f, 1.5f, 1});
    const int bind = vgo.addFloats(VgoKind::skin, 16, binds);
    const int coefficients = vgo.addFloats(VgoKind::cloth, 2, Vector<float>{3.4028234663852886e38f, 0, 0.5f, 0.25f});

    const Value presets =
        listOf({Properties{{"name", "Joy"}, {"type", 2}, {"bindings", listOf({Properties{{"index", 0}, {"weight", 75}}})}},
                Properties{{"name", "Puff"}, {"type", 0}, {"bindings", listOf({Properties{{"index", 1}, {"weight", 100}}})}}});
    Properties mesh{
        {"name", "Body"},
        {"attributes",
         Properties{{"POSITION", positions}, {"NORMAL", normal}, {"TEXCOORD_0", uvs}, {"JOINTS_0", joint}, {"WEIGHTS_0", weight}}},
        {"subMeshes", listOf({front, back})},
        {"blendShapes",
         listOf(
             {Properties{{"name", "Smile"}, {"attributes", Properties{{"POSITION", smile}, {"NORMAL", smileNormals}}}, {"visemeType", 10}},
              Properties{{"name", "Wink"}, {"attributes", Properties{{"POSITION", wink}, {"NORMAL", -1}}}, {"blinkType", 1}}})}};
    Properties body{{"name", "Body"}, {"skin", 0}};
    if (conventions.minor >= 5) {
        body.push_back(
            {"meshRenderer",
             Properties{
                 {"name", "Body"}, {"mesh", 0}, {"materials", listOf({0, 1})}, {"blendShapeKind", 1}, {"blendShapePresets", presets}}});
    } else {
        body.push_back({"mesh", 0});
        mesh.push_back({"materials", listOf({0, 1})});
        mesh.push_back({"blendShapeKind", 1});
        mesh.push_back({"blendShapePesets", presets});
    }

    const Value lamp =
        Properties{{"type", 0},      {"range", 6},  {"spotAngle", 60}, {"color", listOf({1, 0.5, 0.25, 1})}, {"lightmapBakeType", 4},
                   {"intensity", 2}, {"shadows", 2}};
    const Value box = Properties{{"type", 0}, {"center", write.point(0.5f, 1, 2)}, {"size", write.negated(1, 2, 3)}};
    const bool isListed = conventions.minor >= 4;
    const Vector<Value> human{Properties{{"humanBodyBone", 0}, {"nodeIndex", 1}}, Properties{{"humanBodyBone", 8}, {"nodeIndex", 2}},
                              Properties{{"humanBodyBone", 24}, {"nodeIndex", 5}}};
    vgo.set(
        "nodes",
        listOf({Properties{
                    {"name", "Puppet"},
                    {"isRoot", true},
                    {"animator", Properties{{"name", "Puppet"}, {"humanAvatar", Properties{{"name", "Avatar"}, {"humanBones", human}}}}},
                    {"springBoneGroups", listOf({0})},
                    {"children", listOf({1, 3, 4, 6, 7})}},
                Properties{{"name", "Hips"}, {"springBoneColliderGroup", 0}, {"children", listOf({2, 5})}}, Properties{{"name", "Chest"}},
                std::move(body), Properties{{"name", "Lamp"}, {"light", isListed ? Value(0) : lamp}, {"tag", "Light"}, {"layer", 3}},
                Properties{{"name", "Tail"}},
                Properties{{"name", "Box"},
                           {"rigidbody", Properties{{"mass", 2.5}}},
                           {"colliders", listOf({isListed ? Value(0) : box})},
                           {"animation", Properties{{"name", "Box"}, {"clipIndex", 0}, {"playAutomatically", true}}},
                           {"skybox", Properties{{"materialIndex", 1}}}},
                Properties{{"name", "Sparks"}, {"particle", 0}, {"cloth", 0}, {"right", Properties{{"author", "Somebody else"}}}}}));
    vgo.set("skins", listOf({Properties{{"inverseBindMatrices", bind}, {"skeleton", 1}, {"joints", listOf({1, 2})}}}));
    vgo.set("meshes", listOf({std::move(mesh)}));
    vgo.set("materials", materials());
    vgo.set("textures",
            listOf({Properties{{"name", "weave"}, {"source", image}, {"dimensionType", 2}, {"mimeType", "image/png"}, {"filterMode", 1}}}));
    if (isListed) {
        vgo.set("lights", listOf({lamp}));
        vgo.set("colliders", listOf({box}));
    }
    vgo.set("clothes",
            listOf({Properties{{"name", "Cape"}, {"randomAcceleration", write.negated(0, 0, 4)}, {"coefficients", coefficients}}}));
    vgo.set("particles",
            listOf({Properties{
                {"main", Properties{{"duration", 5}, {"loop", true}}},
                {"shape", Properties{{"enabled", true}, {"position", write.negated(1, 2, 3)}, {"rotation", write.negated(10, 20, 30)}}}}}));
    vgo.set("springBoneInfo",
            Properties{
                {"springBoneGroups", listOf({Properties{{"comment", "tail"},
                                                        {"dragForce", 0.4},
                                                        {"gravityDirection", write.point(0, -1, 0.5f)},
                                                        {"rootBones", listOf({5})},
                                                        {"colliderGroups", listOf({0})}}})},
                {"colliderGroups",
                 listOf({Properties{{"colliders", listOf({Properties{{"offset", write.point(0, 0.25f, 0.5f)}, {"radius", 0.125}}})}}})}});
    vgo.set("animationClips",
            listOf({Properties{
                {"name", "Hop"},
                {"wrapMode", 2},
                {"curveBindings", listOf({binding("Transform", "LocalPosition.y", {key(0, 0, 0, 4), key(0.5, 1), key(1, 0, -4, 0)}),
                                          binding("Transform", "LocalPosition.z", {key(0, 1), key(1, 2)}),
                                          binding("Transform", "localEulerAnglesRaw.x", {key(0, 0, 0, 90), key(1, 90, 90, 0)}),
                                          binding("MeshRenderer", "material._Color.r", {key(0, 1), key(1, 0)})})}}}));
    return vgo;
}

Vector<std::pair<std::string, Vector<std::uint8_t>>> puppetFixtures() {
    VgoBuilder mixed = puppetVgo();
    mixed.bsonLayout = true;
    mixed.crypt = VgoCrypt::base64();
    VgoBuilder elsewhere = puppetVgo({.bson = true});
    elsewhere.bsonOthers = true;
    elsewhere.uri = "data/puppet-elsewhere.bin";
    return {{"puppet.vgo", puppetVgo().write()},
            {"puppet-rh-tl-bson.vgo", puppetVgo({false, false, true}).write()},
            {"puppet-lh-tl-2.4-bson.vgo", puppetVgo({true, false, true, 4}).write()},
            {"puppet-rh-bl-2.1.vgo", puppetVgo({false, true, false, 1}).write()},
            {"puppet-base64.vgo", mixed.write()},
            {"puppet-elsewhere.vgo", elsewhere.write()},
            {"puppet-elsewhere.bin", elsewhere.resource()}};
}

}  // namespace rigcast::test
