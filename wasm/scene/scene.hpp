// What a file means, in one vocabulary for all formats. Plain structs, indices, no pointers.
//
// Space: right-handed, Y up, metres, seconds, counter-clockwise fronts, quaternions x y z w, UV origin top-left (as glTF).
// What has no place here goes into `properties` with an info finding: nothing is dropped in silence.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/math.hpp"
#include "core/value.hpp"
#include "core/vector.hpp"
#include "scene/arena.hpp"

namespace rigcast {

/// Index into Scene::strings. Names that exist by the ten thousand (nodes, track targets, events) are stored once.
using StringId = std::uint32_t;

/// Different texts, numbered in the order in which they came. Also the core's one way to look something up by name: every map or set of
/// the standard library would be another 2 KB of wasm.
class StringTable {
public:
    /// The number of `text`, which is added where it is new.
    StringId intern(std::string_view text);
    /// Whether `text` was new.
    bool add(std::string_view text);
    /// `none` where it is not there.
    StringId find(std::string_view text) const;
    bool contains(std::string_view text) const { return find(text) != none; }
    bool empty() const { return list_.empty(); }
    StringId size() const { return static_cast<StringId>(list_.size()); }
    const std::string& operator[](StringId id) const { return list_[id]; }
    const Vector<std::string>& list() const { return list_; }

private:
    static constexpr std::uint32_t mostProbes = 32;
    /// Where `text` is, or where it would go; `none` where others have all places that it may have.
    std::uint32_t slotOf(std::string_view text) const;
    StringId findCrowded(std::string_view text) const;
    void addCrowded(StringId id);
    void put(StringId id);
    void grow();
    Vector<std::string> list_;
    Vector<StringId> slots_;  // open addressing, a power of two of them and at most half in use; none: free
    /// Those that found no place, which only names made for it do: sorted runs, each a power of two long, the longest first. So no names make
    /// looking up slower than by the square of a logarithm.
    Vector<StringId> crowded_;
};

struct Asset {
    std::string name;       // of the file, without extension
    std::string generator;  // what wrote it, as far as it says
    std::string author;
    std::string copyright;
    std::string upAxis;        // "x", "y", "z" where the format only hints it (then applied on node 0), else empty
    double metresPerUnit = 1;  // what was applied to reach metres; 1 where the unit is unknown
    Properties properties;
};

// ------------------------------------------------------------------------------------------------ nodes

/// nodes[0] is the synthetic root. Parents come before children. A bone is a node that some skin may name.
struct Node {
    using MadeOf = MovableParts;
    StringId name = 0;            // as in the file
    std::uint32_t parent = none;  // none only for node 0
    Transform local;              // rest pose
    std::int32_t bone = -1;       // index of the bone in the file, -1 where the node is none
    bool visible = true;          // own flag; what is hidden hides its subtree
    bool segmentScaleCompensate =
        false;  // the bone refuses the scale of its parent bone (cast.md section 3.1); nothing where that is no bone
    Properties properties;
};

// ------------------------------------------------------------------------------------------------ meshes

/// Attributes are columns of the mesh's own block; those absent are absent columns. n = vertexCount.
struct ColorLayer {
    using MadeOf = MovableParts;
    std::string name;
    Column<std::uint8_t> bytes;  // 4n, normalised RGBA; or
    Column<float> floats;        // 4n
};

/// Sparse deltas against the mesh. `vertices` ascending and unique.
struct MorphTarget {
    using MadeOf = MovableParts;
    std::string name;
    Column<std::uint32_t> vertices;  // k
    Column<float> positions;         // 3k deltas
    Column<float> normals;           // 3k deltas, or absent
    float maximum = 1;               // weight at which a slider ends
    Properties properties;
};

/// A run of the index buffer (strands: of the vertices) with one material.
struct Group {
    std::uint32_t start = 0;
    std::uint32_t count = 0;
    std::uint32_t material = none;
};

enum class Topology : std::uint8_t { triangles, strands };

enum class SkinningMethod : std::uint8_t { linear, dualQuaternion };

struct Mesh {
    using MadeOf = MovableParts;
    std::string name;
    std::uint32_t block = none;
    Topology topology = Topology::triangles;
    std::uint32_t vertexCount = 0;
    std::uint32_t loneVertices = 0;  // of them the last, which no triangle names: there to be asked for, not part of any box
    Column<float> positions;         // 3n
    Column<float> normals;           // 3n
    Column<float> tangents;          // 4n, as glTF: cross(normal, tangent) * w points to the image's top, against V
    Vector<Column<float>> uvs;       // 2n each
    Vector<ColorLayer> colors;
    bool colorsAreMaterial = false;  // draw layer 0 by default (most formats keep masks there)
    Column<std::uint16_t> joints;    // 4n, strongest first; into Skin::joints
    Column<float> weights;           // 4n, sum 1 or 0
    /// All influences, strongest first, only where some vertex has more than four: CSR, offsets n+1.
    Column<std::uint32_t> influenceOffsets;
    Column<std::uint16_t> influenceJoints;
    Column<float> influenceWeights;  // sum 1 a vertex
    std::uint32_t maxInfluences = 0;
    SkinningMethod skinning = SkinningMethod::linear;
    Column<std::uint16_t> indices16;  // one of the two for triangles: 16 bit where vertexCount <= 65535
    Column<std::uint32_t> indices32;
    Column<std::uint32_t> strandOffsets;   // strands: s+1 offsets into the vertices
    Column<std::uint32_t> sourceVertices;  // n: the file's own vertex (PSK: point) of every vertex; absent = the same
    std::uint32_t sourceVertexCount = 0;
    Vector<Group> groups;
    Vector<MorphTarget> morphs;
    double min[3] = {0, 0, 0}, max[3] = {0, 0, 0};  // box at rest, mesh space
    double center[3] = {0, 0, 0}, radius = 0;       // sphere around the box's centre, every morph at its maximum included: for culling
    Properties properties;
};

/// What a node shows. A mesh may be shown by several.
struct Renderer {
    using MadeOf = MovableParts;
    std::string name;
    std::uint32_t node = 0;
    std::uint32_t mesh = none;
    std::uint32_t skin = none;
    Vector<std::uint32_t> materials;  // one a group, overriding the groups' own; empty: the groups' own
    bool visible = true;
    Properties properties;
};

struct Skin {
    using MadeOf = MovableParts;
    std::string name;
    std::uint32_t block = none;
    Column<std::uint32_t> joints;       // j: nodes
    Column<float> inverseBindMatrices;  // 16j, column-major
    /// 6j: min and max, in each joint's bind space, of all vertices it moves, every morph at its maximum included; empty boxes have
    /// min > max. For bounds without skinning every vertex (root motion included).
    Column<float> jointBoxes;
    std::uint32_t skeletonRoot = none;  // node
};

// ------------------------------------------------------------------------------------------------ materials

enum class AlphaMode : std::uint8_t { opaque, mask, blend, add, multiply };
enum class Side : std::uint8_t { front, back, both };

/// One texture slot. `slot` is a standard name: baseColor, normal, metallic, roughness, metallicRoughness, occlusion, emissive, specular,
/// specularColor, gloss, opacity, orm ...; or the format's own where there is no standard one. `source` is the file's spelling.
struct MaterialSlot {
    using MadeOf = MovableParts;
    std::string slot;
    std::string source;
    std::uint32_t texture = none;
    bool hasColor = false;          // a factor instead of, or beside, the texture
    float color[4] = {1, 1, 1, 1};  // linear
};

struct Material {
    using MadeOf = MovableParts;
    std::string name;
    std::string model = "standard";  // standard, specular, unlit, mtoon, liltoon, skybox ...
    float color[4] = {1, 1, 1, 1};   // linear
    float emissive[3] = {0, 0, 0};   // linear
    float metalness = 0;
    float roughness = 0.8f;
    AlphaMode alphaMode = AlphaMode::opaque;
    float alphaCutoff = 0.5f;
    bool depthWrite = false;  // although blended
    Side side = Side::front;
    bool visible = true;
    std::int32_t renderOrder = 0;
    Vector<MaterialSlot> slots;
    Properties properties;  // the format's own, kept whole
};

enum class Wrap : std::uint8_t { repeat, clamp, mirror };
enum class Filter : std::uint8_t { nearest, linear, trilinear };

struct Texture {
    using MadeOf = MovableParts;
    std::string name;
    std::uint32_t image = none;
    Wrap wrapU = Wrap::repeat, wrapV = Wrap::repeat;
    Filter filter = Filter::trilinear;
    float offset[2] = {0, 0}, scale[2] = {1, 1};
    std::uint32_t uvSet = 0;
    bool srgb = false;
    Properties properties;
};

/// Embedded bytes, or a path as the file spells it (a file name to look for, never to be fetched unasked).
struct Image {
    using MadeOf = MovableParts;
    std::string name;
    std::string mimeType;
    Column<std::uint8_t> bytes;
    std::string path;
};

// ------------------------------------------------------------------------------------------------ motion

/// visible: the node and all below it. shown: its mesh alone. material: a number of the mesh's shader. weight, shown and material are a mesh's:
/// `Track::node` is the node that carries it.
enum class Path : std::uint8_t { translation, rotation, scale, weight, visible, property, shown, material };

/// How a segment runs from its key to the next. `perKey`: see Track::kinds. `slerp` takes the short way.
enum class Interpolation : std::uint8_t { step, linear, slerp, hermite, bezier, perKey };

/// What a value does to the rest (relative) or current (additive) value; delta: against the clip's first frame.
enum class Mode : std::uint8_t { absolute, relative, additive, delta };

/// What holds before the first and after the last key.
enum class Extrapolation : std::uint8_t { hold, loop, pingPong };

inline constexpr std::uint8_t allComponents = 255;

/// One animated value. width = 3 (translation, scale), 4 (rotation), 1 (the others), or 1 where `component` names one.
/// All columns lie in the clip's block. k keys.
struct Track {
    StringId target = 0;    // a node's name; of what is a mesh's that mesh's or its renderer's, empty = every mesh that has the morph
    StringId property = 0;  // weight: morph target; property: name; material: the shader's, with its component (`_Color.r`); else 0
    std::uint32_t occurrence = 0;  // the k-th node of that name (psk-psa.md section 7.1)
    std::uint32_t node = none;     // known target in this file's own scene, where names do not tell
    Path path = Path::translation;
    std::uint8_t component = allComponents;
    Interpolation interpolation = Interpolation::linear;
    Mode mode = Mode::absolute;
    Extrapolation before = Extrapolation::hold, after = Extrapolation::hold;
    float blendWeight = 1;       // additive
    Column<float> times;         // k, seconds, ascending; equal times are a jump, the later wins from then on
    Column<float> values;        // k * width
    Column<std::uint8_t> kinds;  // k, Interpolation of the segment after each key; only with perKey
    Column<float> tangents;      // k * width * 2: in and out slopes (value per second); hermite and bezier; infinite = step
    Column<float> weights;       // k * width * 2: in and out weights, fractions of the segment; bezier
};

struct Event {
    float time = 0;
    StringId name = 0;
};
/// By time; what happens at one time stays in the order of the file.
void sortEvents(Vector<Event>& events);

/// Tracks of `node`'s descendants (nearest override wins) run in `mode` instead of their own (cast.md section 3.5).
struct ModeOverride {
    StringId node = 0;
    Mode mode = Mode::absolute;
    bool translation = false, rotation = false, scale = false;
    bool includesNode = false;  // reaches the named node as well
};

struct Clip {
    using MadeOf = MovableParts;
    std::string name;
    std::uint32_t block = none;
    float start = 0;               // seconds; negative where the file has a pre-roll
    float duration = 0;            // seconds from 0 to the last frame
    float frameRate = 0;           // frames a second, 0 where the format has none
    std::uint32_t frameCount = 0;  // 0 where the format has none
    bool loop = true;
    Vector<Track> tracks;
    Vector<Event> events;
    Vector<ModeOverride> overrides;
    Properties properties;
};

// ------------------------------------------------------------------------------------------------ the rest

enum class LightType : std::uint8_t { directional, point, spot, rectangle, disc };

/// Shines along the node's local -Z.
struct Light {
    using MadeOf = MovableParts;
    std::string name;
    std::uint32_t node = 0;
    LightType type = LightType::point;
    float color[3] = {1, 1, 1};                    // linear
    float intensity = 1;                           // three.js sense
    float range = 0;                               // metres, 0 = endless
    float innerAngle = 0, outerAngle = 0.785398f;  // half angles, radians
    float size[2] = {1, 1};
    bool castShadow = false;
    bool enabled = true;
    Properties properties;
};

/// Looks along the node's local -Z.
struct Camera {
    using MadeOf = MovableParts;
    std::string name;
    std::uint32_t node = 0;
    float verticalFov = 0.9f;  // radians
    float aspect = 1.6f;
    float near = 0.05f, far = 100;
    Properties properties;
};

/// Copies of another file's scene. t transforms.
struct InstanceSet {
    std::uint32_t reference = none;  // Scene::references
    std::uint32_t node = 0;          // parent
    std::uint32_t block = none;
    Column<float> transforms;     // 10t: translation 3, rotation 4, scale 3
    Column<std::uint32_t> names;  // t: StringIds
};

/// What a scene carries for solvers and extensions: ik, constraint, socket, collider, spring ...
struct Feature {
    using MadeOf = MovableParts;
    std::string kind;
    std::string name;
    std::uint32_t node = none;
    Properties properties;
    std::uint32_t same = none;  // an earlier feature whose properties are these as well; `properties` is empty then
};

struct ExpressionBinding {
    std::uint32_t renderer = 0;
    std::uint32_t morph = 0;
    float weight = 1;
};

struct Expression {
    using MadeOf = MovableParts;
    std::string name;
    std::string preset;
    Vector<ExpressionBinding> bindings;
};

/// Something outside this file, or something that JavaScript makes of it (`decrypt`). `kind`: config, key, decrypt, resource, instance,
/// texture. Unsatisfied ones come back as `needs`, also if there is no scene without them.
struct Reference {
    using MadeOf = MovableParts;
    std::string kind;
    std::string name;       // as the file spells it
    bool required = false;  // without it the scene is null or has a hole
    bool supplied = false;
    Properties properties = {};  // what it takes to find or make it
};

/// How a bone takes over the scale of the bones above it: as matrices multiply, shear included; or axis by axis, rotations among themselves,
/// without shear (Unreal's FTransform).
enum class ScaleInheritance : std::uint8_t { matrix, axes };

/// What a format takes for granted and those who draw its scenes have to know.
struct Hints {
    bool namedMaterials = false;       // materials are names: what they look like lies in files beside the model
    bool directXNormals = false;       // green of normal maps points down the image
    bool morphNormals = false;         // normals follow morphs that have none of their own
    bool dualQuaternionScale = false;  // bones' scale acts on meshes of dual quaternions, too
};

struct Scene {
    Asset asset;
    Hints hints;
    ScaleInheritance scaleInheritance = ScaleInheritance::matrix;
    StringTable strings;
    Vector<Node> nodes;
    Vector<Mesh> meshes;
    Vector<Renderer> renderers;
    Vector<Skin> skins;
    Vector<Material> materials;
    Vector<Texture> textures;
    Vector<Image> images;
    Vector<Clip> clips;
    Vector<Light> lights;
    Vector<Camera> cameras;
    Vector<InstanceSet> instances;
    Vector<Feature> features;
    Vector<Expression> expressions;
    Vector<Reference> references;
};

}  // namespace rigcast
