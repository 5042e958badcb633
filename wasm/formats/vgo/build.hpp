// Shared parts of the conversion from a VGO document to the scene: access to the layout's trees,
// checked indices, findings. Each part has a file: nodes, mesh, skin, material, expression,
// feature, animation.
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

// Member names are C strings: in some three hundred calls, a pointer compiles to a third of the
// code of a string_view.

/// Returns a member of an object, or nullptr if it is absent or null.
const Value* vgoMember(const Value* object, const char* name);
/// Returns the list in a member; empty if it is not a list.
Values vgoList(const Value* object, const char* name);
Values vgoItems(const Value* value);
/// Reads a number, which may be spelled "NaN", "Infinity" or "-Infinity" (vgo.md section 2.1).
double vgoNumber(const Value& value, double fallback);
double vgoNumber(const Value* object, const char* name, double fallback);
/// Same for values that are finite as float; others give the fallback.
float vgoFloat(const Value* object, const char* name, float fallback);
bool vgoFlag(const Value* object, const char* name, bool fallback);
std::string vgoText(const Value* object, const char* name);
/// Reads the first `count` numbers of a list. Missing or non-finite numbers leave `to` unchanged.
/// Returns false if the list is empty or not a list.
bool vgoFloats(const Value* list, float* to, std::size_t count);
/// Returns the bytes of a value in memory, without texts.
std::uint64_t vgoSize(const Value& value);

/// Returns a list of numbers.
Value vgoNumbers(std::span<const float> numbers);
void vgoPut(Properties& to, const char* name, Value value);
void vgoPut(Properties& to, const std::string& name, Value value);

/// Maps keys to rows, so that each row is created only once.
class VgoMemo {
public:
    /// Returns the row for a key, compared by its bytes (a struct without padding). `none` if the
    /// key is new; the caller then sets it.
    template <class Key>
    std::uint32_t& operator[](const Key& key) {
        return find({reinterpret_cast<const char*>(&key), sizeof(Key)});
    }
    std::uint32_t& find(std::string_view key);

private:
    StringTable keys_;
    Vector<std::uint32_t> rows_;
};

/// A renderer of the layout. Since 2.5 its members belong to the node; before, some belong to the
/// mesh.
struct VgoRenderer {
    std::uint32_t node = 0;            // index in the layout
    std::uint32_t mesh = none;         // index in the layout
    std::uint32_t skin = none;         // index in the layout
    const Value* component = nullptr;  // `meshRenderer`; nullptr up to 2.4
    Values materials, presets = {};    // of the component; up to 2.4, of the mesh
    double blendShapeKind = 0;
    std::uint32_t row = none;  // index of the scene's renderer
};

/// State that the parts share. Lists are those of the layout; entries may be null.
struct VgoBuild {
    const VgoDocument& document;
    Scene& scene;
    Arena& arena;
    Diagnostics& diagnostics;
    Values nodes, skins, meshes, materials, textures, clips, colliders, clothes, lights, particles;

    Vector<std::uint32_t> rows = {};      // scene nodes by layout index; none: no node
    Vector<std::uint32_t> meshRows = {};  // scene meshes by layout index; none: no mesh
    Vector<VgoRenderer> renderers = {};   // in the order of the nodes
    // World matrices at rest by row, in the handedness of the file; computed on demand.
    Vector<Mat4> rest = {};

    /// Returns node `i` of the layout, or nullptr if it is null.
    const Value* node(std::size_t i) const;
    void add(Code code, Severity severity, const char* list, std::size_t index, const Detail& detail = noDetail, std::uint64_t count = 1);
    void warn(Code code, const char* list, std::size_t index, const Detail& detail = noDetail, std::uint64_t count = 1) {
        add(code, Severity::warning, list, index, detail, count);
    }
    /// Reads an index. Returns `none` if it is absent or -1, and with a finding if it is not below
    /// `size`. `list[owner]` is the object that contains it.
    std::uint32_t index(const Value* value, std::size_t size, Severity severity, const char* list, std::size_t owner, const char* member);
    /// Returns the row of the node that an index of the layout refers to, or none.
    std::uint32_t row(const Value* value, const char* list, std::size_t owner, const char* member);
    /// Returns the accessor at an index. nullptr if the index is absent or -1, and with a finding
    /// if it is invalid.
    const VgoAccessor* accessor(const Value* value, Severity severity, const char* list, std::size_t owner, const char* member);
    /// Takes work for creating `bytes` of data for `list[index]`, because many objects can share an
    /// accessor. Returns false, with a finding, if too little is left.
    bool spend(std::uint64_t bytes, const char* list, std::size_t index);
    /// Copies a value of the file into properties, without nulls and cut at the maximum depth of
    /// the scene. Omits it, with a finding, if it contains more lists and objects than the work
    /// budget allows.
    void keep(Properties& to, const std::string& name, Value value);
    const Vector<Mat4>& restOfNodes();
};

/// Adds nodes and checks them (cycles, parents, orphans). Parents precede children.
void addVgoNodes(VgoBuild& build);

/// Adds materials and textures with their indices of the layout, followed by copies of textures for
/// slots.
void addVgoMaterials(VgoBuild& build);
/// Returns true if the shader of the material uses vertex colours.
bool drawsVertexColors(const Value& material);

/// Adds meshes, skins and renderers.
void addVgoRenderers(VgoBuild& build);
/// Adds skins on demand. Returns the index of a skin, or none. `node` is the row of the renderer's
/// node; derived bind matrices depend on it.
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
    Vector<Values> joints_;  // by skin
    VgoMemo storedRows_;     // by skin; `derived` if the file has no matrices
    VgoMemo derivedRows_;    // by skin and rest matrix of the renderer's node
};

void addVgoExpressions(VgoBuild& build);
/// Adds lights and features.
void addVgoFeatures(VgoBuild& build);
void addVgoClips(VgoBuild& build);

}  // namespace rigcast
