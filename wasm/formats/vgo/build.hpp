// Functions for all files of the conversion to a scene: access to the layout, checked indices,
// findings. The conversion consists of several files: nodes, mesh, skin, material, expression,
// feature and animation.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/diagnostics.hpp"
#include "core/vector.hpp"
#include "formats/vgo/accessor.hpp"
#include "formats/vgo/document.hpp"
#include "scene/scene.hpp"

namespace rigcast {

using Values = std::span<const Value>;

// Member names are C strings, because passing a pointer needs a third of the code of passing a
// string_view, and there are about three hundred calls of these functions.

/// Returns a member of an object, or nullptr if it is absent or null.
const Value* vgoMember(const Value* object, const char* name);
/// Returns the list in a member, or an empty list if the member is not a list.
Values vgoList(const Value* object, const char* name);
Values vgoItems(const Value* value);
/// Returns the number in a value, or `fallback`. Also accepts the texts "NaN", "Infinity" and
/// "-Infinity" (vgo.md section 2.1).
double vgoNumber(const Value& value, double fallback);
double vgoNumber(const Value* object, const char* name, double fallback);
/// Returns a member, or `fallback` if the member is not a number that is finite as a float.
float vgoFloat(const Value* object, const char* name, float fallback);
bool vgoFlag(const Value* object, const char* name, bool fallback);
std::string vgoText(const Value* object, const char* name);
/// Reads the first `count` numbers of a list into `to`. Elements of `to` whose number is missing or
/// not finite keep their value. Returns false if the list is empty or not a list.
bool vgoFloats(const Value* list, float* to, std::size_t count);
/// Returns the number of bytes that a value occupies in memory, excluding texts.
std::uint64_t vgoSize(const Value& value);

Value vgoNumbers(std::span<const float> numbers);
void vgoPut(Properties& to, const char* name, Value value);
void vgoPut(Properties& to, const std::string& name, Value value);

/// Maps keys to scene indices, so that equal objects are created only once.
class VgoCache {
public:
    /// Returns a reference to the index for a key. The index is `none` if the key is new; the
    /// caller must then set it. Keys are structs without padding, which are compared by their
    /// bytes.
    template <class Key>
    std::uint32_t& operator[](const Key& key) {
        return find({reinterpret_cast<const char*>(&key), sizeof(Key)});
    }
    std::uint32_t& find(std::string_view key);

private:
    StringTable keys_;
    Vector<std::uint32_t> rows_;
};

/// A renderer. Since version 2.5, files store its members in the node; older files store some of
/// them in the mesh.
struct VgoRenderer {
    std::uint32_t node = 0;            // index in the layout
    std::uint32_t mesh = none;         // index in the layout
    std::uint32_t skin = none;         // index in the layout
    const Value* component = nullptr;  // `meshRenderer`; nullptr up to version 2.4
    Values materials, presets = {};    // members of the component; up to version 2.4, of the mesh
    double blendShapeKind = 0;
    std::uint32_t row = none;  // index in scene.renderers
};

/// State that all functions of the conversion share. Its lists are lists of the layout and may
/// contain nulls.
struct VgoBuild {
    const VgoDocument& document;
    Scene& scene;
    Arena& arena;
    Diagnostics& diagnostics;
    Values nodes, skins, meshes, materials, textures, clips, colliders, clothes, lights, particles;

    Vector<std::uint32_t> rows = {};      // scene node for each node of the layout; none: no scene node
    Vector<std::uint32_t> meshRows = {};  // scene mesh for each mesh of the layout; none: no scene mesh
    Vector<VgoRenderer> renderers = {};   // sorted by their node
    // World rest matrices by scene node, in the handedness of the file; computed on demand.
    Vector<Mat4> rest = {};

    /// Returns node `i` of the layout, or nullptr if this element of the layout is null.
    const Value* node(std::size_t i) const;
    void add(Code code, Severity severity, const char* list, std::size_t index, const Detail& detail = noDetail, std::uint64_t count = 1);
    void warn(Code code, const char* list, std::size_t index, const Detail& detail = noDetail, std::uint64_t count = 1) {
        add(code, Severity::warning, list, index, detail, count);
    }
    /// Returns the index in `value`, or `none` if it is absent, -1 or invalid. Reports a finding if
    /// it is invalid (not below `size`). `list[owner]`: the object that contains the index.
    std::uint32_t index(const Value* value, std::size_t size, Severity severity, const char* list, std::size_t owner, const char* member);
    /// Returns the scene node for a node index of the layout, or `none` if there is no such node.
    std::uint32_t row(const Value* value, const char* list, std::size_t owner, const char* member);
    /// Returns the accessor with the index in `value`, or nullptr if the index is absent, -1 or
    /// invalid. Reports a finding if it is invalid.
    const VgoAccessor* accessor(const Value* value, Severity severity, const char* list, std::size_t owner, const char* member);
    /// Subtracts the work of reading `bytes` bytes for `list[index]` from the work budget. Needed
    /// because many objects can share an accessor. Returns false and reports a finding if the
    /// budget does not suffice.
    bool spend(std::uint64_t bytes, const char* list, std::size_t index);
    /// Copies a value of the file into properties, without nulls and limited to the maximum depth.
    /// If the value has too many lists and objects for the work budget, omits it and reports a
    /// finding.
    void keep(Properties& to, const std::string& name, Value value);
    const Vector<Mat4>& restOfNodes();
};

/// Adds nodes so that parents precede children. Reports cycles, invalid parents, and nodes without
/// a parent.
void addVgoNodes(VgoBuild& build);

/// Adds materials and textures with the same indices as in the layout, followed by copies of
/// textures for slots with a different transform or colour space.
void addVgoMaterials(VgoBuild& build);
/// Returns true if the shader of the material uses vertex colours.
bool drawsVertexColors(const Value& material);

/// Adds meshes, skins and renderers.
void addVgoRenderers(VgoBuild& build);
/// Adds skins to the scene when renderers need them.
class VgoSkins {
public:
    explicit VgoSkins(VgoBuild& build) : build_(build) {
        for (const Value& skin : build.skins) joints_.push_back(vgoList(&skin, "joints"));
    }
    std::size_t jointCount(std::uint32_t skin) const { return joints_[skin].size(); }
    std::uint32_t row(std::uint32_t skin, std::uint32_t node);

private:
    static constexpr std::uint32_t derived = none - 1;
    VgoBuild& build_;
    Vector<Values> joints_;  // joints of each skin
    VgoCache storedRows_;    // scene skin by skin index; `derived`: the file contains no matrices
    VgoCache derivedRows_;   // scene skin by skin index and rest matrix of the renderer's node
};

void addVgoExpressions(VgoBuild& build);
/// Adds lights and features.
void addVgoFeatures(VgoBuild& build);
void addVgoClips(VgoBuild& build);

}  // namespace rigcast
