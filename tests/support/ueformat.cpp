#include "support/ueformat.hpp"

#include <cmath>

namespace rigcast::test {

namespace {

constexpr int namedColors = 2, collision = 3, nestedParts = 4, virtualBones = 5, materialPaths = 6, metadata = 7, originalSpace = 8,
              attributeSets = 10;

/// Writes values of the engine's space as a version stores them.
class UeValues : public UeBytes {
public:
    explicit UeValues(int version) : version_(version), side_(version < originalSpace ? -1 : 1) {}

    UeValues& vector(const Vec3& v) { return plain({v.x, mirrored(v.y), v.z}); }
    UeValues& rotation(const Quat& q) {
        number(q.x).number(mirrored(q.y)).number(q.z).number(mirrored(q.w));
        return *this;
    }
    UeValues& plain(const Vec3& v) {
        number(v.x).number(v.y).number(v.z);
        return *this;
    }
    UeValues& uvs(const Vector<float>& values) {
        integer(static_cast<std::int64_t>(values.size() / 2));
        for (std::size_t i = 0; i < values.size(); ++i) number(i % 2 && version_ < originalSpace ? 1 - values[i] : values[i]);
        return *this;
    }

private:
    /// Returns a positive zero for zeros of both signs.
    double mirrored(double value) const { return side_ * value + 0.0; }

    int version_;
    double side_;
};

std::int64_t countOf(const auto& list) { return static_cast<std::int64_t>(list.size()); }

Vector<std::uint8_t> header(const std::string& identifier, int version, const std::string& objectName) {
    UeBytes bytes;
    bytes.raw("UEFORMAT").text(identifier).put(static_cast<std::uint8_t>(version)).text(objectName);
    if (version >= attributeSets) bytes.text("/Game/" + objectName + "." + objectName);
    return bytes.bytes();
}

void addColors(const UeLodSpec& lod, int version, UeParts& parts) {
    if (lod.colors.empty()) return;
    UeBytes colors;
    if (version < namedColors) {
        parts.array("VERTEXCOLORS", lod.positions.size(), colors.put(lod.colors[0].rgba));
        return;
    }
    for (const UeColorsSpec& set : lod.colors) colors.text(set.name).integer(countOf(set.rgba) / 4).put(set.rgba);
    parts.array("VERTEXCOLORS", lod.colors.size(), colors);
}

void addMorphs(const UeLodSpec& lod, int version, UeParts& parts) {
    if (lod.morphs.empty()) return;
    UeValues values(version);
    for (const UeMorphSpec& morph : lod.morphs) {
        values.text(morph.name).integer(countOf(morph.deltas));
        for (const UeDeltaSpec& delta : morph.deltas) values.vector(delta.position).vector(delta.normal).put(delta.vertex);
    }
    parts.array("MORPHTARGETS", lod.morphs.size(), values);
}

void addLod(const UeLodSpec& lod, int version, UeParts& parts) {
    UeValues positions(version), normals(version), tangents(version), uvs(version);
    UeBytes indices, materials, weights;
    for (const Vec3& position : lod.positions) positions.vector(position);
    parts.array("VERTICES", lod.positions.size(), positions);
    for (std::size_t i = 0; i < lod.normals.size(); ++i) {
        if (version > 0) normals.number(lod.signs.empty() ? 1 : lod.signs[i]);
        normals.vector(lod.normals[i]);
    }
    if (!lod.normals.empty()) parts.array("NORMALS", lod.normals.size(), normals);
    for (const Vec3& tangent : lod.tangents) tangents.vector(tangent);
    if (!lod.tangents.empty()) parts.array("TANGENTS", lod.tangents.size(), tangents);
    for (std::size_t set = 0; set < lod.uvs.size(); ++set) {
        if (version >= attributeSets) uvs.text("UV" + std::to_string(set));
        uvs.uvs(lod.uvs[set]);
    }
    if (!lod.uvs.empty()) parts.array("TEXCOORDS", lod.uvs.size(), uvs);
    for (const std::uint32_t index : lod.indices) indices.put(index);
    parts.array("INDICES", lod.indices.size(), indices);
    addColors(lod, version, parts);
    for (const UeMaterialSpec& material : lod.materials) {
        materials.text(material.name);
        if (version >= materialPaths) materials.text(material.path);
        materials.integer(material.firstIndex).integer(material.faces);
    }
    if (!lod.materials.empty()) parts.array("MATERIALS", lod.materials.size(), materials);
    for (const UeWeightSpec& weight : lod.weights) weights.put(weight.bone).put(weight.vertex).put(weight.weight);
    if (!lod.weights.empty()) parts.array("WEIGHTS", lod.weights.size(), weights);
    addMorphs(lod, version, parts);
}

void addSkeleton(const UeModelSpec& spec, int version, UeParts& parts) {
    UeValues bones(version), sockets(version);
    UeBytes connections;
    if (version >= metadata) parts.single("METADATA", UeBytes().text(spec.skeletonPath).bytes());
    for (const UeBoneSpec& bone : spec.bones) {
        bones.text(bone.name).integer(bone.parent);
        bones.vector(bone.position).rotation(bone.rotation);
        if (version >= attributeSets && spec.hasBoneScale) bones.plain(bone.scale);
    }
    parts.array("BONES", spec.bones.size(), bones);
    for (const UeSocketSpec& socket : spec.sockets) {
        sockets.text(socket.name).text(socket.bone);
        sockets.vector(socket.position).rotation(socket.rotation).vector(socket.scale);
    }
    if (!spec.sockets.empty()) parts.array("SOCKETS", spec.sockets.size(), sockets);
    for (const UeVirtualBoneSpec& bone : spec.virtualBones) connections.text(bone.source).text(bone.target).text(bone.name);
    if (version >= virtualBones && !spec.virtualBones.empty()) parts.array("VIRTUALBONES", spec.virtualBones.size(), connections);
}

void addHulls(const UeModelSpec& spec, int version, UeParts& parts) {
    if (version < collision || spec.hulls.empty()) return;
    UeValues hulls(version);
    for (const UeHullSpec& hull : spec.hulls) {
        hulls.text(hull.name).integer(countOf(hull.vertices));
        for (const Vec3& vertex : hull.vertices) hulls.vector(vertex);
        hulls.integer(countOf(hull.indices));
        for (const std::int32_t index : hull.indices) hulls.put(index);
    }
    parts.array("COLLISION", spec.hulls.size(), hulls);
}

}  // namespace

UeParts& UeParts::array(const std::string& name, std::size_t count, const UeBytes& elements) {
    UeBytes payload;
    if (version_ >= attributeSets) payload.integer(static_cast<std::int64_t>(count));
    return add(name, count, payload.put(elements.bytes()).bytes());
}

UeParts& UeParts::add(const std::string& name, std::size_t count, const Vector<std::uint8_t>& payload) {
    ++count_;
    bytes_.text(name);
    if (version_ < attributeSets) bytes_.integer(static_cast<std::int64_t>(count));
    bytes_.integer(countOf(payload)).put(payload);
    return *this;
}

Vector<std::uint8_t> UeParts::finish() const {
    UeBytes all;
    if (version_ >= attributeSets) all.integer(static_cast<std::int64_t>(count_));
    return all.put(bytes_.bytes()).bytes();
}

Vector<std::uint8_t> makeUeFile(const std::string& identifier, int version, const Vector<std::uint8_t>& body,
                                const std::string& objectName) {
    return UeBytes().put(header(identifier, version, objectName)).put(std::uint8_t{0}).put(body).bytes();
}

Vector<std::uint8_t> makeCompressedUeFile(const std::string& identifier, int version, const std::string& compression, std::int32_t fullSize,
                                          const Vector<std::uint8_t>& body, const std::string& objectName) {
    UeBytes bytes;
    bytes.put(header(identifier, version, objectName)).put(std::uint8_t{1}).text(compression);
    return bytes.put(fullSize).integer(countOf(body)).put(body).bytes();
}

Vector<std::uint8_t> makeUeModel(const UeModelSpec& spec, int version) {
    UeParts root(version);
    if (version < nestedParts) {
        if (!spec.lods.empty()) addLod(spec.lods[0], version, root);
        if (!spec.bones.empty()) addSkeleton(spec, version, root);
    } else {
        UeBytes lods;
        for (const UeLodSpec& lod : spec.lods) {
            UeParts parts(version);
            addLod(lod, version, parts);
            const Vector<std::uint8_t> payload = parts.finish();
            lods.text(lod.name);
            if (version < attributeSets) lods.integer(countOf(payload));
            lods.put(payload);
        }
        if (!spec.lods.empty()) root.array("LODS", spec.lods.size(), lods);
        UeParts skeleton(version);
        addSkeleton(spec, version, skeleton);
        if (!spec.bones.empty()) root.single("SKELETON", skeleton.finish());
    }
    addHulls(spec, version, root);
    return makeUeFile("UEMODEL", version, root.finish());
}

Vector<std::uint8_t> makeUeAnim(const UeAnimSpec& spec, int version) {
    UeParts root(version);
    UeBytes start;
    start.put(spec.frames).put(spec.rate);
    if (version >= metadata && spec.hasMetadata) {
        UeBytes fields = start;
        fields.text(spec.refPosePath).put(spec.additiveType).put(spec.refPoseType).put(spec.refFrame);
        root.single("METADATA", fields.bytes());
    }
    UeValues tracks(version);
    for (const UeTrackSpec& track : spec.tracks) {
        tracks.text(track.bone).integer(countOf(track.position));
        for (const UeVecKey& key : track.position) {
            tracks.put(key.frame);
            tracks.vector(key.value);
        }
        tracks.integer(countOf(track.rotation));
        for (const UeQuatKey& key : track.rotation) {
            tracks.put(key.frame);
            tracks.rotation(key.value);
        }
        tracks.integer(countOf(track.scale));
        for (const UeVecKey& key : track.scale) {
            tracks.put(key.frame);
            tracks.plain(key.value);
        }
    }
    if (!spec.tracks.empty()) root.array("TRACKS", spec.tracks.size(), tracks);
    UeBytes curves;
    for (const UeCurveSpec& curve : spec.curves) {
        curves.text(curve.name).integer(countOf(curve.keys));
        for (const auto& [frame, value] : curve.keys) curves.put(frame).put(value);
    }
    if (!spec.curves.empty()) root.array("CURVES", spec.curves.size(), curves);
    UeBytes body;
    if (version < metadata) body.put(start.bytes());
    return makeUeFile("UEANIM", version, body.put(root.finish()).bytes());
}

Vector<std::uint8_t> makeUePoses(const UePosesSpec& spec, int version) {
    UeParts root(version);
    UeValues poses(version);
    for (const UePoseSpec& pose : spec.poses) {
        poses.text(pose.name).integer(countOf(pose.keys));
        for (const UePoseKeySpec& key : pose.keys) {
            poses.text(key.bone);
            poses.vector(key.position).rotation(key.rotation).plain(key.scale);
        }
        poses.integer(countOf(pose.influences));
        for (const auto& [curve, value] : pose.influences) poses.put(curve).put(value);
    }
    root.array("POSES", spec.poses.size(), poses);
    UeBytes curves;
    for (const std::string& curve : spec.curves) curves.text(curve);
    root.array("CURVES", spec.curves.size(), curves);
    return makeUeFile("UEPOSE", version, root.finish());
}

Vector<std::uint8_t> makeUeWorld(const UeWorldSpec& spec) {
    UeParts root(0);
    UeBytes models;
    for (const auto& [hash, bytes] : spec.models) models.put(hash).integer(countOf(bytes)).put(bytes);
    root.array("MESHES", spec.models.size(), models);
    UeValues actors(0);
    for (const UeActorSpec& actor : spec.actors) {
        actors.put(actor.model).text(actor.name);
        actors.vector(actor.position).plain(actor.degrees).plain(actor.scale);
    }
    root.array("ACTORS", spec.actors.size(), actors);
    return makeUeFile("UEWORLD", 0, root.finish());
}

UeModelSpec ueArm() {
    UeModelSpec arm;
    arm.skeletonPath = "/Game/Arm_Skeleton.Arm_Skeleton";
    arm.bones = {
        {.name = "Root"}, {.name = "Upper", .parent = 0, .position = {40, 0, 0}}, {.name = "Lower", .parent = 1, .position = {40, 0, 0}}};
    arm.sockets = {{.name = "Hand", .bone = "Lower", .position = {1, 2, 3}, .scale = {1, 2, 3}}};
    arm.virtualBones = {{"Root", "Lower", "VB Root_Lower"}};
    arm.hulls = {{"Hull", {{0, 0, 0}, {80, 0, 0}, {0, 10, 0}, {0, 0, 10}}, {0, 1, 2, 0, 2, 3, 0, 3, 1, 1, 3, 2}}};
    UeLodSpec lod;
    lod.uvs.resize(2);
    lod.colors = {{"COL0", {}}, {"Mask", {}}};
    for (int i = 0; i < 6; ++i) {
        const float side = i % 2 ? 1.f : 0.f, row = static_cast<float>(i / 2);
        lod.positions.push_back({40 * row, 10 * side, 0});
        lod.normals.push_back({0, 0, 1});
        lod.tangents.push_back({1, 0, 0});
        lod.signs.push_back(i == 5 ? -1.f : 1.f);
        for (const float value : {row / 2, side}) lod.uvs[0].push_back(value);
        for (const float value : {side / 2, row / 4}) lod.uvs[1].push_back(value);
        for (const int value : {255, 40 * i, 0, 128}) lod.colors[0].rgba.push_back(static_cast<std::uint8_t>(value));
        for (int k = 0; k < 4; ++k) lod.colors[1].rgba.push_back(static_cast<std::uint8_t>(10 * k));
        const auto bone = static_cast<std::uint16_t>(i / 2);
        lod.weights.push_back({bone, i, bone == 1 ? 0.75f : 1.f});
        if (bone == 1) lod.weights.push_back({0, i, 0.25f});
    }
    // `cross(b - a, c - a)` points against the normal in the left-handed space of the engine.
    lod.indices = {0, 1, 2, 1, 3, 2, 2, 3, 4, 3, 5, 4};
    lod.materials = {{"Skin", "/Game/Skin.Skin", 0, 2}, {"Cloth", "/Game/Cloth.Cloth", 6, 2}};
    lod.morphs = {{"Bulge", {{2, {0, 0, 5}, {0, 0.5, 0}}, {3, {0, 0, 5}, {}}}}};
    arm.lods = {lod};
    return arm;
}

UeAnimSpec ueArmAnim() {
    const double half = std::sqrt(0.5);
    UeAnimSpec anim;
    anim.frames = 11;
    anim.rate = 10;
    anim.tracks = {{"Root", {{0, {0, 0, 0}}, {10, {10, 20, 30}}}, {{0, {}}}, {{0, {1, 1, 1}}}},
                   {"Upper", {{0, {40, 0, 0}}}, {{0, {}}, {4, {0, 0, half, half}}, {5, {0, half, 0, half}}}, {{0, {1, 1, 1}}}},
                   {"Lower", {{0, {40, 0, 0}}}, {{0, {}}}, {{0, {1, 1, 1}}, {9, {1, 2, 3}}}}};
    anim.curves = {{"Bulge", {{0, 0}, {5, 1}, {10, 0.5}}}};
    return anim;
}

}  // namespace rigcast::test
