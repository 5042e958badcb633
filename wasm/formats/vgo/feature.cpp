// Converts lights and features. Keeps their members as in the file, adds defaults for missing ones,
// and converts them to scene space (vgo.md sections 5.2 and 5.8 to 5.14).
#include <algorithm>
#include <cmath>

#include "core/code.hpp"
#include "formats/vgo/build.hpp"

#include "core/vector.hpp"

namespace rigcast {

namespace {

constexpr double pi = 3.14159265358979323846;

/// Type of a member of a feature. direction: a vector whose z is mirrored. spring: a vector whose z
/// is mirrored depending on the version of the writer. extent: a size, whose z is negative in
/// right-handed files (E5). elsewhere: another function reads the member.
enum class Kind : std::uint8_t { number, flag, text, direction, spring, extent, elsewhere };

struct Member {
    const char* name;
    Kind kind = Kind::number;
    float fallback = 0;
};

constexpr Member animatorMembers[] = {
    {"enabled", Kind::flag, 1}, {"applyRootMotion", Kind::flag}, {"updateMode"}, {"cullingMode"}, {"humanAvatar", Kind::elsewhere}};
constexpr Member colliderMembers[] = {{"enabled", Kind::flag, 1},   {"type"},
                                      {"isTrigger", Kind::flag},    {"center", Kind::direction},
                                      {"size", Kind::extent, 1},    {"radius", Kind::number, -1},
                                      {"height", Kind::number, -1}, {"direction", Kind::number, -1}};
constexpr Member rigidbodyMembers[] = {{"mass", Kind::number, 1},
                                       {"drag"},
                                       {"angularDrag"},
                                       {"useGravity", Kind::flag, 1},
                                       {"isKinematic", Kind::flag},
                                       {"interpolation"},
                                       {"collisionDetectionMode"},
                                       {"constraints"}};
constexpr Member clothMembers[] = {{"enabled", Kind::flag, 1},
                                   {"stretchingStiffness"},
                                   {"bendingStiffness"},
                                   {"damping"},
                                   {"worldVelocityScale"},
                                   {"worldAccelerationScale"},
                                   {"friction"},
                                   {"collisionMassScale"},
                                   {"useVirtualParticles"},
                                   {"stiffnessFrequency"},
                                   {"selfCollisionDistance"},
                                   {"selfCollisionStiffness"},
                                   {"sleepThreshold"},
                                   {"useTethers", Kind::flag, 1},
                                   {"useGravity", Kind::flag, 1},
                                   {"enableContinuousCollision", Kind::flag, 1},
                                   {"externalAcceleration", Kind::direction},
                                   {"randomAcceleration", Kind::extent},
                                   {"clothSolverFrequency", Kind::number, 1},
                                   {"coefficients", Kind::elsewhere}};
constexpr Member springMembers[] = {{"enabled", Kind::flag, 1},
                                    {"comment", Kind::text},
                                    {"dragForce"},
                                    {"stiffnessForce", Kind::number, 1},
                                    {"gravityDirection", Kind::spring},
                                    {"gravityPower", Kind::number, 1},
                                    {"hitRadius", Kind::number, 0.1f},
                                    {"drawGizmo", Kind::flag},
                                    {"rootBones", Kind::elsewhere}};
constexpr Member springColliderGroupMembers[] = {{"colliders", Kind::elsewhere}};
constexpr Member springColliderMembers[] = {{"colliderType"}, {"offset", Kind::spring}, {"radius"}};

/// Bone names of VRM 1.0, in the order of Unity's HumanBodyBones (vgo.md section 5.2).
constexpr std::string_view bodyBones[] = {"hips",          "leftUpperLeg", "rightUpperLeg", "leftLowerLeg", "rightLowerLeg", "leftFoot",
                                          "rightFoot",     "spine",        "chest",         "neck",         "head",          "leftShoulder",
                                          "rightShoulder", "leftUpperArm", "rightUpperArm", "leftLowerArm", "rightLowerArm", "leftHand",
                                          "rightHand",     "leftToes",     "rightToes",     "leftEye",      "rightEye",      "jaw"};
constexpr std::string_view fingers[] = {"Thumb", "Index", "Middle", "Ring", "Little"};
constexpr std::string_view phalanges[] = {"Proximal", "Intermediate", "Distal"};
constexpr std::string_view thumbPhalanges[] = {"Metacarpal", "Proximal", "Distal"};

std::string humanBoneName(std::size_t id) {
    if (id < 24) return std::string(bodyBones[id]);
    if (id == 54) return "upperChest";
    if (id > 54) return {};
    const std::size_t side = (id - 24) / 15, finger = (id - 24) % 15 / 3, phalanx = id % 3;
    std::string name(side ? "right" : "left");
    name += fingers[finger];
    name += finger ? phalanges[phalanx] : thumbPhalanges[phalanx];
    return name;
}

class FeatureBuilder {
public:
    explicit FeatureBuilder(VgoBuild& build) : build_(build) {}

    void run() {
        const Value* springs = vgoMember(&build_.document.layout, "springBoneInfo");
        // Before version 2.1.2, the writer stored springs in Unity's axes, even in right-handed
        // files (vgo.md section 6).
        const std::string& writer = build_.scene.asset.generator;
        springsAreLeftHanded_ = build_.document.leftHanded || writer == "UniVGO 2.1.0" || writer == "UniVGO 2.1.1";
        springGroups_ = vgoList(springs, "springBoneGroups");
        springColliders_ = vgoList(springs, "colliderGroups");
        groupRows_.assign(springGroups_.size(), none);
        lights_.resize(build_.lights.size());
        particleSizes_.resize(build_.particles.size());
        colliderGroupIsPlaced_.assign(springColliders_.size(), false);
        for (std::uint32_t i = 0; i < build_.nodes.size(); ++i)
            if (const Value* node = build_.node(i)) addNode(*node, i);
        for (std::uint32_t i = 0; i < springGroups_.size(); ++i) addSpring(i);
        for (std::uint32_t i = 0; i < springColliders_.size(); ++i)
            if (!colliderGroupIsPlaced_[i]) addSpringColliders(i, none);
        exposeLights();
        if (notPlayed_) build_.diagnostics.add(Code::NOT_SIMULATED, {}, {}, notPlayed_);
    }

private:
    /// Returns all `members` with their values in `source` or, if missing, their defaults, followed
    /// by all other members of `source`.
    Properties complete(const Value& source, std::span<const Member> members) const {
        Properties made;
        made.reserve(members.size());
        for (const Member& member : members)
            if (member.kind != Kind::elsewhere) vgoPut(made, member.name, valueOf(source, member));
        if (const auto* own = source.get<Properties>())
            for (const auto& [name, value] : *own) {
                bool isDone = name == "name" || value.isNull();
                for (const Member& member : members) isDone |= name == member.name;
                if (!isDone) build_.keep(made, name, value);
            }
        return made;
    }

    Value valueOf(const Value& source, const Member& member) const {
        switch (member.kind) {
            case Kind::flag:
                return vgoFlag(&source, member.name, member.fallback != 0);
            case Kind::text:
                return vgoText(&source, member.name);
            case Kind::number:
                return vgoFloat(&source, member.name, member.fallback);
            default:
                break;
        }
        float numbers[3] = {member.fallback, member.fallback, member.fallback};
        vgoFloats(vgoMember(&source, member.name), numbers, 3);
        if (member.kind == Kind::spring ? springsAreLeftHanded_ : member.kind == Kind::direction && build_.document.leftHanded)
            numbers[2] = -numbers[2];
        if (member.kind == Kind::extent) numbers[2] = std::fabs(numbers[2]);
        return vgoNumbers(numbers);
    }

    /// If a feature with this `key` exists, adds a feature for `node` that refers to it
    /// (`Feature::same`) and returns true. Nodes that share an object of the layout thereby share
    /// the name and properties of its features.
    bool isShared(std::string_view kind, std::uint32_t node, std::span<const std::uint32_t> key) {
        std::string bytes(kind);
        bytes.append(reinterpret_cast<const char*>(key.data()), key.size_bytes());
        std::uint32_t& first = features_.find(bytes);
        const bool isNew = first == none;
        if (isNew)
            first = static_cast<std::uint32_t>(build_.scene.features.size());
        else
            add(kind, node).same = first;
        return !isNew;
    }

    Feature& add(std::string_view kind, std::uint32_t node) {
        Feature feature;
        feature.kind = kind;
        feature.node = node == none ? none : build_.rows[node];
        build_.scene.features.push_back(std::move(feature));
        return build_.scene.features.back();
    }

    Feature& add(std::string_view kind, std::uint32_t node, const Value& source, Properties properties) {
        Feature& feature = add(kind, node);
        feature.name = vgoText(&source, "name");
        feature.properties = std::move(properties);
        return feature;
    }

    void addNode(const Value& node, std::uint32_t i) {
        if (const Value* animator = vgoMember(&node, "animator")) {
            add("animator", i, *animator, complete(*animator, animatorMembers));
            if (const Value* avatar = vgoMember(animator, "humanAvatar")) addHuman(*avatar, i);
        }
        if (const Value* body = vgoMember(&node, "rigidbody")) add("rigidbody", i, *body, complete(*body, rigidbodyMembers));
        // Up to version 2.3, colliders are objects; since then, they are indices (vgo.md section
        // 6).
        for (const Value& entry : vgoList(&node, "colliders")) {
            const bool isObject = entry.is<Properties>();
            const std::uint32_t index =
                isObject ? none : build_.index(&entry, build_.colliders.size(), Severity::warning, "nodes", i, "colliders");
            if (!isObject && index == none) continue;
            const Value& collider = isObject ? entry : build_.colliders[index];
            if (!isObject && isShared("collider", i, {&index, 1})) continue;
            Feature& made = add("collider", i, collider, complete(collider, colliderMembers));
            if (!isObject) vgoPut(made.properties, "index", index);
        }
        if (const Value* light = vgoMember(&node, "light")) {
            const bool isObject = light->is<Properties>();
            const std::uint32_t index = isObject ? none : build_.index(light, build_.lights.size(), Severity::warning, "nodes", i, "light");
            if (isObject || index != none) addLight(isObject ? *light : build_.lights[index], i, index);
        }
        addCloth(node, i);
        const std::uint32_t particle =
            build_.index(vgoMember(&node, "particle"), build_.particles.size(), Severity::warning, "nodes", i, "particle");
        if (particle != none) addParticles(particle, node, i);
        if (const Value* sky = vgoMember(&node, "skybox")) {
            const std::uint32_t material =
                build_.index(vgoMember(sky, "materialIndex"), build_.materials.size(), Severity::warning, "nodes", i, "skybox");
            Properties properties;
            vgoPut(properties, "enabled", vgoFlag(sky, "enabled", true));
            vgoPut(properties, "materialIndex", material == none ? Value(-1) : Value(material));
            add("skybox", i, *sky, std::move(properties));
        }
        if (const Value* right = vgoMember(&node, "right")) add("right", i, *right, complete(*right, {}));
        for (const Value& entry : vgoList(&node, "springBoneGroups")) {
            const std::uint32_t group = build_.index(&entry, springGroups_.size(), Severity::warning, "nodes", i, "springBoneGroups");
            if (group != none) groupRows_[group] = i;
        }
        const std::uint32_t group = build_.index(vgoMember(&node, "springBoneColliderGroup"), springColliders_.size(), Severity::warning,
                                                 "nodes", i, "springBoneColliderGroup");
        if (group != none) addSpringColliders(group, i);
    }

    void addHuman(const Value& avatar, std::uint32_t i) {
        Properties bones;
        for (const Value& entry : vgoList(&avatar, "humanBones")) {
            const double id = vgoNumber(&entry, "humanBodyBone", -1);
            const std::string name = id >= 0 && id < 55 ? humanBoneName(static_cast<std::size_t>(id)) : std::string();
            const std::uint32_t row = build_.row(vgoMember(&entry, "nodeIndex"), "nodes", i, "humanBones");
            if (name.empty() || row == none) continue;
            vgoPut(bones, name, row);
            markBone(row);
        }
        Properties properties;
        vgoPut(properties, "bones", std::move(bones));
        add("humanoid", i, avatar, std::move(properties));
    }

    void markBone(std::uint32_t row) { build_.scene.nodes[row].bone = 0; }  // marks the node as a bone; the numbers are set later

    void addLight(const Value& source, std::uint32_t i, std::uint32_t index) {
        SharedLight own;
        SharedLight& shared = index == none ? own : lights_[index];
        const bool isNew = shared.size == 0;
        if (isNew) shared = {lightOf(source), vgoSize(source)};
        Light light = shared.light;
        light.node = build_.rows[i];
        light.name = build_.scene.strings[build_.scene.nodes[light.node].name];
        if (isNew || build_.spend(3 * shared.size, "lights", index)) light.properties = complete(source, {});
        build_.scene.lights.push_back(std::move(light));
    }

    /// Converts all fields of a light except name, node and properties.
    static Light lightOf(const Value& source) {
        constexpr LightType types[] = {LightType::spot, LightType::directional, LightType::point, LightType::rectangle, LightType::disc};
        const double type = vgoNumber(&source, "type", 0);
        Light light;
        light.type = types[type >= 0 && type < std::size(types) ? static_cast<std::size_t>(type) : 0];
        vgoFloats(vgoMember(&source, "color"), light.color, 3);
        // Multiplies by pi, because Unity omits the factor 1 / pi of Lambert's law.
        light.intensity = static_cast<float>(std::clamp<double>(vgoFloat(&source, "intensity", 0), 0, 1e12) * pi);
        light.range = std::fmax(vgoFloat(&source, "range", 0), 0.f);
        const double angle = std::clamp<double>(vgoFloat(&source, "spotAngle", 30), 0, 180);
        light.outerAngle = static_cast<float>(angle * pi / 360);
        // The file does not contain the inner angle. In Unity it is 21.8 degrees for an outer angle
        // of 30 degrees.
        light.innerAngle = light.outerAngle * 0.727f;
        vgoFloats(vgoMember(&source, "areaSize"), light.size, 2);
        if (light.type == LightType::disc)
            light.size[0] = light.size[1] =
                static_cast<float>(std::fmax(vgoFloat(&source, "areaRadius", 1), 0.f) * 1.7724538509055159);  // sqrt(pi)
        light.castShadow = vgoNumber(&source, "shadows", 0) != 0;
        light.enabled = vgoFlag(&source, "enabled", true) &&
                        vgoNumber(&source, "lightmapBakeType", 4) != 2;  // baked lights are already in the lightmap
        return light;
    }

    /// Returns 1 for each node that is active together with all its ancestors, otherwise 0. Parents
    /// must precede children.
    Vector<std::uint8_t> activeNodes() const {
        const auto& nodes = build_.scene.nodes;
        Vector<std::uint8_t> isActive(nodes.size());
        for (std::size_t row = 0; row < nodes.size(); ++row)
            isActive[row] = nodes[row].visible && (nodes[row].parent == none || isActive[nodes[row].parent]);
        return isActive;
    }

    /// Scales the physical light intensities of HDRP (in lux or candela), which would need an
    /// exposure. The brightest active light gets intensity 1 (before multiplication by pi).
    void exposeLights() {
        constexpr float physical = static_cast<float>(50 * pi);
        float brightest = 0;
        const Vector<std::uint8_t> isActive = activeNodes();
        for (const Light& light : build_.scene.lights)
            if (light.enabled && light.intensity > brightest && isActive[light.node]) brightest = light.intensity;
        if (!(brightest > physical)) return;
        for (Light& light : build_.scene.lights) light.intensity *= static_cast<float>(pi) / brightest;
        build_.diagnostics.add(Code::LIGHTS_EXPOSED, {.path = "lights"});
    }

    void addCloth(const Value& node, std::uint32_t i) {
        const std::uint32_t index = build_.index(vgoMember(&node, "cloth"), build_.clothes.size(), Severity::warning, "nodes", i, "cloth");
        if (index == none) return;
        const Value& source = build_.clothes[index];
        ++notPlayed_;
        if (isShared("cloth", i, {&index, 1})) return;
        Feature& cloth = add("cloth", i, source, complete(source, clothMembers));
        const VgoAccessor* accessor =
            build_.accessor(vgoMember(&source, "coefficients"), Severity::warning, "clothes", index, "coefficients");
        if (!accessor) return;
        constexpr std::int64_t most = 65536;  // vertices
        Vector<float> numbers;
        if (accessor->count > most || !readFloats(*accessor, 2, numbers)) {
            build_.warn(Code::PROPERTY_TYPE, "clothes", index, "coefficients");
            return;
        }
        if (!build_.spend(numbers.size() * sizeof(Value), "clothes", index)) return;
        vgoPut(cloth.properties, "coefficients", vgoNumbers(numbers));
    }

    /// Adds a particle system with all its members, in Unity's axes. In right-handed files, two
    /// members of the shape have a negated z (vgo.md section 7).
    void addParticles(std::uint32_t index, const Value& node, std::uint32_t i) {
        const Value& source = build_.particles[index];
        // The renderer of a node with a particle system contains the mesh of the particles (vgo.md
        // section 5.3).
        const Value* drawn = vgoMember(&node, "meshRenderer");
        std::uint32_t mesh =
            drawn ? build_.index(vgoMember(drawn, "mesh"), build_.meshes.size(), Severity::warning, "nodes", i, "mesh") : none;
        if (mesh != none) mesh = build_.meshRows[mesh];
        Vector<std::uint32_t> key = {index, drawn != nullptr, mesh};
        for (const Value& entry : vgoList(drawn, "materials"))
            key.push_back(build_.index(&entry, build_.materials.size(), Severity::warning, "nodes", i, "materials"));
        if (isShared("particleSystem", i, key)) return;
        // The properties are copied for each node, because nodes can use different meshes or
        // materials.
        std::uint64_t& size = particleSizes_[index];
        if (size != 0 && !build_.spend(2 * size, "particles", index)) return;
        if (size == 0) size = vgoSize(source);
        Properties particles = complete(source, {});
        if (!build_.document.leftHanded)
            for (Property& module : particles) {
                auto* shape = module.name == "shape" ? module.value.get<Properties>() : nullptr;
                for (std::size_t k = 0; shape && k < shape->size(); ++k) {
                    Property& member = (*shape)[k];
                    auto* list = member.value.get<Vector<Value>>();
                    if ((member.name == "position" || member.name == "rotation") && list && list->size() == 3)
                        (*list)[2] = -vgoNumber((*list)[2], 0);
                }
            }
        if (drawn) {
            Vector<Value> materials;
            for (std::size_t k = 3; k < key.size(); ++k) materials.push_back(key[k] == none ? Value(-1) : Value(key[k]));
            if (mesh != none) vgoPut(particles, "mesh", mesh);
            vgoPut(particles, "materials", std::move(materials));
        }
        add("particleSystem", i, source, std::move(particles));
    }

    void addSpring(std::uint32_t index) {
        const Value& source = springGroups_[index];
        Properties properties = complete(source, springMembers);
        Vector<Value> roots;
        for (const Value& entry : vgoList(&source, "rootBones")) {
            const std::uint32_t row = build_.row(&entry, "springBoneGroups", index, "rootBones");
            if (row == none) continue;
            roots.push_back(row);
            markBone(row);
        }
        vgoPut(properties, "rootBones", std::move(roots));
        for (const Value& entry : vgoList(&source, "colliderGroups"))
            build_.index(&entry, springColliders_.size(), Severity::warning, "springBoneGroups", index, "colliderGroups");
        add("springBone", groupRows_[index], source, std::move(properties));
    }

    void addSpringColliders(std::uint32_t index, std::uint32_t node) {
        const Value& source = springColliders_[index];
        if (isShared("springBoneColliderGroup", node, {&index, 1})) return;
        Properties properties = complete(source, springColliderGroupMembers);
        Vector<Value> colliders;
        for (const Value& entry : vgoList(&source, "colliders")) colliders.push_back(complete(entry, springColliderMembers));
        vgoPut(properties, "index", index);
        vgoPut(properties, "colliders", std::move(colliders));
        add("springBoneColliderGroup", node, source, std::move(properties));
        colliderGroupIsPlaced_[index] = true;
    }

    VgoBuild& build_;
    Values springGroups_, springColliders_;
    bool springsAreLeftHanded_ = false;
    Vector<std::uint32_t> groupRows_;  // node index in the layout, by collider group
    Vector<std::uint32_t> colliderGroupIsPlaced_;
    std::uint64_t notPlayed_ = 0;
    VgoCache features_;  // scene features by key
    struct SharedLight {
        Light light;
        std::uint64_t size = 0;  // size of the source in bytes; 0: not read yet
    };
    Vector<SharedLight> lights_;
    Vector<std::uint64_t> particleSizes_;  // size in bytes; 0: not read yet
};

}  // namespace

void addVgoFeatures(VgoBuild& build) { FeatureBuilder(build).run(); }

}  // namespace rigcast
