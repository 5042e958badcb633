// What the parts of the way from a VGO document to the scene share: the layout's trees, proven indices, findings. One part a file: nodes, mesh,
// skin, material, expression, feature, animation.
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

// Names of members are plain C strings: a pointer is a third of the code of a string_view, three hundred times.

/// A member of an object; nullptr where it is absent or null.
const Value* vgoMember(const Value* object, const char* name);
/// A member that is a list, else nothing.
Values vgoList(const Value* object, const char* name);
Values vgoItems(const Value* value);
/// A number, which may be written as "NaN", "Infinity" or "-Infinity" (vgo.md section 2.1).
double vgoNumber(const Value& value, double fallback);
double vgoNumber(const Value* object, const char* name, double fallback);
/// Finite as a float.
float vgoFloat(const Value* object, const char* name, float fallback);
bool vgoFlag(const Value* object, const char* name, bool fallback);
std::string vgoText(const Value* object, const char* name);
/// The first `count` numbers of a list; those missing or not finite keep what `to` holds. False where it is no list.
bool vgoFloats(const Value* list, float* to, std::size_t count);
/// Bytes that it takes in memory, texts left out.
std::uint64_t vgoSize(const Value& value);

/// The three of a vector, and lists of any length.
Value vgoNumbers(std::span<const float> numbers);
void vgoPut(Properties& to, const char* name, Value value);
void vgoPut(Properties& to, const std::string& name, Value value);

/// Rows that were made for a key, so that they are made once.
class VgoMemo {
public:
    /// The row for the bytes of `key` (a struct without gaps); `none`, and to be filled in, where it is new.
    template <class Key>
    std::uint32_t& operator[](const Key& key) {
        return find({reinterpret_cast<const char*>(&key), sizeof(Key)});
    }
    std::uint32_t& find(std::string_view key);

private:
    StringTable keys_;
    Vector<std::uint32_t> rows_;
};

/// A renderer of the layout: on the node from 2.5 on, half on the mesh before.
struct VgoRenderer {
    std::uint32_t node = 0;            // of the layout
    std::uint32_t mesh = none;         // of the layout
    std::uint32_t skin = none;         // of the layout
    const Value* component = nullptr;  // meshRenderer, nullptr up to 2.4
    Values materials, presets = {};    // of the component, or of the mesh up to 2.4
    double blendShapeKind = 0;
    std::uint32_t row = none;  // of the scene's renderers
};

/// What the parts share. Lists are those of the layout; their entries may be null.
struct VgoBuild {
    const VgoDocument& document;
    Scene& scene;
    Arena& arena;
    Diagnostics& diagnostics;
    Values nodes, skins, meshes, materials, textures, clips, colliders, clothes, lights, particles;

    Vector<std::uint32_t> rows = {};      // of the scene's nodes, by the layout's; none where there is no node
    Vector<std::uint32_t> meshRows = {};  // of the scene's meshes, by the layout's; none where there is no mesh
    Vector<VgoRenderer> renderers = {};   // in the order of the nodes
    Vector<Mat4> rest = {};               // world matrices at rest by row, in the file's own handedness; made when needed

    /// The layout's node `i`, nullptr where it is null.
    const Value* node(std::size_t i) const;
    void add(Code code, Severity severity, const char* list, std::size_t index, const Detail& detail = noDetail, std::uint64_t count = 1);
    void warn(Code code, const char* list, std::size_t index, const Detail& detail = noDetail, std::uint64_t count = 1) {
        add(code, Severity::warning, list, index, detail, count);
    }
    /// An index below `size`; none where it is absent or -1, and with a finding where it names nothing. `list[index]` is its owner.
    std::uint32_t index(const Value* value, std::size_t size, Severity severity, const char* list, std::size_t owner, const char* member);
    /// Row of the node that an index of the layout names, or none.
    std::uint32_t row(const Value* value, const char* list, std::size_t owner, const char* member);
    /// The accessor that an index names; nullptr where it is absent or -1, and with a finding where it names nothing.
    const VgoAccessor* accessor(const Value* value, Severity severity, const char* list, std::size_t owner, const char* member);
    /// Whether making that many bytes of data for `list[index]` is in proportion: many may name one accessor. A finding where it is not.
    bool spend(std::uint64_t bytes, const char* list, std::size_t index);
    /// Puts a value of the file into a property bag: without nulls, cut where it is nested deeper than the scene allows. Left out, with a finding,
    /// where it is made of more lists and objects than a file of this size may hand over.
    void keep(Properties& to, const std::string& name, Value value);
    const Vector<Mat4>& restOfNodes();
};

/// Nodes with their checks (cycles, parents, orphans), in an order in which parents come first.
void addVgoNodes(VgoBuild& build);

/// Materials and textures keep the layout's numbers; copies of textures for slots follow.
void addVgoMaterials(VgoBuild& build);
/// Whether the material's shader draws vertex colours.
bool drawsVertexColors(const Value& material);

/// Meshes, skins and renderers.
void addVgoRenderers(VgoBuild& build);
/// A row of the scene's skins, or none. `node`: row of the renderer's node, which matters where bind matrices have to be derived.
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
    VgoMemo storedRows_;     // by skin; `derived` if it has no matrices of its own
    VgoMemo derivedRows_;    // by skin and the node's place
};

void addVgoExpressions(VgoBuild& build);
/// Lights, and everything that is a feature.
void addVgoFeatures(VgoBuild& build);
void addVgoClips(VgoBuild& build);

}  // namespace rigcast
