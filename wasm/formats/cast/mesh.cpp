// Meshes. Arrays are read from the file and columns are written a window at a time, so that neither have to be in the heap whole.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/order.hpp"
#include "core/vector.hpp"
#include "formats/cast/bulk.hpp"
#include "formats/cast/scene.hpp"
#include "scene/bounds.hpp"
#include "scene/lower.hpp"

namespace rigcast {

namespace {

/// The smallest mesh that is streamed, in bytes of columns: smaller ones are not larger than a window.
constexpr std::uint64_t leastStreamed = isUnderSanitizer ? 0 : 0x10000;

/// The most vertices that the triangles of a window may span before all vertices are loaded for them.
constexpr std::uint32_t widestSpan = 16 * windowRecords;

/// Calls `visit(first, count)` for each window of `entries`. Stops at the first that returns false.
template <class Visit>
void everyWindow(std::uint32_t entries, Visit visit) {
    for (std::uint32_t first = 0; first < entries; first += windowRecords)
        if (!visit(first, std::min<std::uint32_t>(windowRecords, entries - first))) return;
}

template <class T>
void writeZeros(Outlet<T>& to, std::uint32_t count) {
    everyWindow(count, [&](std::uint32_t, std::uint32_t some) {
        std::fill_n(to.room(some), some, T{0});
        to.put(some);
        return true;
    });
}

/// A layer property and the number in its name.
struct Layer {
    std::uint32_t number;
    CastProperty property;
};

/// The UV sets or colours that a mesh announces, in order.
struct Layers {
    CastName counter;
    Vector<Layer> list;
    std::size_t beyond = 0;   // layers that are left out because the count is lower
    bool areMissing = false;  // the count is higher
};

/// Memory for some entries of an array.
struct Window {
    Vector<std::uint8_t> raw;
    Vector<float> repaired;
};

class MeshReader final : Patches {
public:
    MeshReader(CastContext& context, std::uint32_t node, CastModel& model) : context_(context), node_(node), model_(model) {}

    void read() {
        find();
        if (vertices() == 0 || faces_.count == 0) {
            context_.add(Code::MESH_UNUSABLE, Severity::error, node_, vertices() == 0 ? "no positions" : "no faces");
            return;
        }
        mesh_.name = context_.name(node_, "");
        mesh_.vertexCount = mesh_.sourceVertexCount = vertices();
        isStreamed_ = canStream();
        mesh_.block = isStreamed_ ? context_.arena.addOpenBlock(columnBytes()) : context_.arena.addBlock();
        if (!writePositions() || !writeFaces() || isWithoutFaces()) return;
        if (!writeNormals() || !writeLayers() || !addTangents() || !writeWeights()) return;
        if (isStreamed_) bound(mesh_);
        if (isStreamed_ && hasJoints(mesh_)) model_.boxes->reach(mesh_);
        mesh_.properties = context_.unknownProperties(node_);
        showCastMesh(context_, node_, model_, std::move(mesh_));
    }

private:
    std::uint32_t vertices() const { return positions_.count; }

    /// Finds the arrays of the mesh. An array of a wrong type is treated as absent.
    void find() {
        const CastName names[] = {"vp", "vn", "vt", "f", "wb", "wv", "mi", "ul", "cl", "m", "vc"};
        CastProperty found[std::size(names)];
        context_.document.find(node_, names, found);
        for (std::size_t i = 6; i < 10; ++i) context_.bring(found[i].payload);  // read in place below and for the material
        const auto floats = [&](std::size_t i, CastType type) { return found[i].type == type ? found[i] : CastProperty{}; };
        const auto numbers = [&](std::size_t i) { return CastIntegers(found[i]).empty() ? CastProperty{} : found[i]; };
        positions_ = floats(0, CastType::vec3);
        normals_ = floats(1, CastType::vec3);
        tangents_ = floats(2, CastType::vec3);
        faces_ = numbers(3);
        bones_ = numbers(4);
        weights_ = floats(5, CastType::f32);
        const CastIntegers influences(found[6]);
        influences_ = influences.empty() ? 0 : influences[0];
        uvs_ = layersOf('u', "ul");
        colors_ = layersOf('c', "cl");
        // One layer before 2024-08, and still in some writers. It is used if no layer is announced, and in place of a missing c0.
        const auto announced = castNumberOf(found[8]);
        const auto& list = colors_.list;
        if (found[10].type == CastType::u32 && found[10].count > 0 &&
            (!announced || (*announced >= 1 && (list.empty() || list[0].number > 0))))
            legacyColor_ = found[10];
    }

    /// The layers of a family that the mesh announces.
    Layers layersOf(char letter, CastName counter) {
        Layers layers{counter, {}};
        Vector<Layer>& list = layers.list;
        for (const CastProperty& property : context_.document.propertiesOf(node_)) {
            std::uint32_t number = 0;
            if (isLayerName(property.name, letter, number) && property.count > 0) list.push_back({number, property});
        }
        sortBy(list, [](const Layer& layer) { return std::uint64_t{layer.number}; });
        // Keeps the last of duplicates.
        const auto before = std::unique(list.rbegin(), list.rend(), [](const Layer& a, const Layer& b) { return a.number == b.number; });
        list.erase(list.begin(), before.base());

        const double announced = context_.values.number(node_, counter).value_or(0);
        for (; !list.empty() && list.back().number >= announced; ++layers.beyond) list.pop_back();
        // The legacy vc may replace c0.
        const bool standsIn = letter == 'c' && context_.document.find(node_, "vc") && (list.empty() || list[0].number > 0);
        const double complete = static_cast<double>(list.size()) + (standsIn && announced > 0 ? 1 : 0);
        layers.areMissing = complete < announced;
        return layers;
    }

    /// Returns true if the columns of the mesh need not stay in the heap: it is large, and nothing needs random access to them.
    bool canStream() {
        return columnBytes() >= leastStreamed && !context_.addsTangents && !model_.hasShapes && tangents_.count != vertices() &&
               influences_ <= 4;
    }

    /// The most bytes that the columns of a streamed mesh take.
    std::uint64_t columnBytes() const {
        const std::uint64_t count = vertices();
        std::uint64_t size = 0;
        const auto add = [&](std::uint64_t bytes) { size += (bytes + 7) & ~std::uint64_t{7}; };
        add(count * 12);
        add(faces_.count * std::uint64_t{count <= narrowVertices ? 2u : 4u});
        add(count * 12);
        std::uint32_t sets = 0;
        for (const Layer& layer : uvs_.list)
            if (isUv(layer, sets) && layer.property.count == count) sets = layer.number + 1;
        for (std::uint32_t set = 0; set < sets; ++set) add(count * 8);
        if (legacyColor_.count == count) add(count * 4);
        for (const Layer& layer : colors_.list)
            if (layer.property.count == count) add(layer.property.payload.size());
        if (influences_)
            for (const unsigned width : {model_.skeleton.bones.size() <= narrowJoints ? 4u : 8u, 16u}) add(count * width);
        return size;
    }

    /// Returns true if a layer can be the next UV set after `sets` others, with at most 8 blank ones between.
    static bool isUv(const Layer& layer, std::size_t sets) { return layer.property.type == CastType::vec2 && layer.number <= sets + 8; }

    template <class T>
    Outlet<T> outlet(std::uint64_t perVertex) {
        return context_.arena.outlet<T>(mesh_.block, perVertex * vertices());
    }

    /// Bytes of some entries, in place or, until its next use, in `buffer`.
    Bytes part(const CastProperty& all, std::size_t first, std::size_t count, Vector<std::uint8_t>& buffer) const {
        const std::size_t size = infoOf(all.type).size;
        return context_.part(all.payload, first * size, count * size, buffer);
    }
    CastIntegers integers(const CastProperty& all, std::size_t first, std::size_t count, Vector<std::uint8_t>& buffer) const {
        CastProperty some = all;
        some.payload = part(all, first, count, buffer);
        some.count = static_cast<std::uint32_t>(count);
        return CastIntegers(some);
    }
    /// Some entries of an array of floats, repaired as by `makeFinite`. Adds the number of repaired floats to `damaged`.
    Bytes finite(const CastProperty& all, std::size_t first, std::size_t count, Window& window, std::size_t group, std::uint64_t& damaged) {
        const Bytes raw = part(all, first, count, window.raw);
        const std::size_t floats = raw.size() / sizeof(float);
        if (areFinite(raw.data(), floats)) return raw;
        window.repaired.resize(floats);
        std::memcpy(window.repaired.data(), raw.data(), raw.size());
        damaged += makeFinite(window.repaired, group);
        return {reinterpret_cast<const std::uint8_t*>(window.repaired.data()), raw.size()};
    }
    Bytes points(std::size_t first, std::size_t count, Window& window) {
        std::uint64_t reported = 0;
        return finite(positions_, first, count, window, 1, reported);
    }

    /// Writes a column of floats and reports damage. `visit(first, count, values)` sees each window of it.
    template <class Visit>
    bool writeFloats(const CastProperty& from, std::size_t group, Outlet<float> to, Visit visit) {
        if (!to) return false;
        std::uint64_t damaged = 0;
        everyWindow(vertices(), [&](std::uint32_t first, std::uint32_t count) {
            const Bytes values = finite(from, first, count, window_, group, damaged);
            to.copy(values);
            visit(first, count, values);
            return true;
        });
        if (damaged) context_.warn(Code::NON_FINITE, node_, {}, from.name, damaged);
        return true;
    }
    bool writeFloats(const CastProperty& from, Column<float>& column) {
        const Outlet<float> to = outlet<float>(infoOf(from.type).width);
        column = to.column();
        return writeFloats(from, 1, to, [](std::uint32_t, std::uint32_t, Bytes) {});
    }

    /// Returns true if an array has one entry per vertex. An empty one is treated as absent.
    bool fits(const CastProperty& property) {
        if (property.count == vertices()) return true;
        if (property.count) context_.warn(Code::ATTRIBUTE_COUNT, node_, {"{} instead of {}", {property.count, vertices()}}, property.name);
        return false;
    }

    bool writePositions() {
        const Outlet<float> to = outlet<float>(3);
        mesh_.positions = to.column();
        return writeFloats(positions_, 1, to, [&](std::uint32_t first, std::uint32_t count, Bytes points) {
            if (!isStreamed_) return;
            Patch patch{.first = first, .count = count};
            growBox(points.data(), count, patch.low, patch.high);
            Patches::add(patch);
        });
    }

    double farthestIn(const Patch& patch, const Vec3& center) override {
        return farthestSquare(points(patch.first, patch.count, window_).data(), patch.count, center);
    }

    bool writeFaces() {
        using Winding = CastOptions::Winding;
        const Winding winding = context_.options.winding;
        isInsideOut_ = winding == Winding::automatic && normals_.count == vertices() && isInsideOut();
        isReversed_ = isInsideOut_ || winding == Winding::reversed;
        if (faces_.count % 3) context_.warn(Code::FACE_TAIL, node_, {"{} indices", {faces_.count}}, "f");
        if (!(vertices() <= narrowVertices ? writeFaces(mesh_.indices16) : writeFaces(mesh_.indices32))) return false;
        if (triangles_.outside)
            context_.add(Code::FACE_INDEX_RANGE, Severity::error, node_, {"{} vertices", {vertices()}}, "f", triangles_.outside);
        if (triangles_.degenerate) context_.warn(Code::FACE_DEGENERATE, node_, {}, "f", triangles_.degenerate);
        return true;
    }

    template <class Index>
    bool writeFaces(Column<Index>& column) {
        const std::uint32_t usable = faces_.count - faces_.count % 3;
        Outlet<Index> to = context_.arena.outlet<Index>(mesh_.block, usable);
        if (!to) return false;
        everyWindow(usable / 3, [&](std::uint32_t first, std::uint32_t count) {
            const CastIntegers faces = integers(faces_, 3 * std::size_t{first}, 3 * std::size_t{count}, window_.raw);
            Index* const room = to.room(3 * std::size_t{count});
            const TriangleCounts counts = copyTriangles(faces, 3 * count, vertices(), room);
            if (isReversed_) reverseTriangles(std::span<Index>(room, counts.kept));
            to.put(counts.kept);
            triangles_.kept += counts.kept;
            triangles_.outside += counts.outside;
            triangles_.degenerate += counts.degenerate;
            return true;
        });
        column = to.column().slice(0, triangles_.kept);
        writeZeros(to, usable - triangles_.kept);
        return true;
    }

    /// Bad faces are left out one by one; a mesh that has no others is left out.
    bool isWithoutFaces() {
        if (triangles_.outside == 0 || triangles_.kept > 0) return false;
        context_.add(Code::MESH_UNUSABLE, Severity::error, node_, "no face is left");
        return true;
    }

    /// Returns true if nearly all triangles face against their normals: Greyhound's before 2023-12-19 (cast.md section 6).
    bool isInsideOut() {
        const std::uint32_t triangles = faces_.count / 3;
        Vector<std::uint32_t> corners(3 * std::min<std::size_t>(windowRecords, triangles));
        Window pointWindow, normalWindow;
        Bytes points, normals;
        bool areAllLoaded = false;
        WindingCounts counts;
        everyWindow(triangles, [&](std::uint32_t first, std::uint32_t count) {
            const CastIntegers faces = integers(faces_, 3 * std::size_t{first}, 3 * std::size_t{count}, window_.raw);
            const std::span<std::uint32_t> kept(corners.data(), copyTriangles(faces, 3 * count, vertices(), corners.data()).kept);
            if (kept.empty()) return true;
            const auto [low, high] = std::minmax_element(kept.begin(), kept.end());
            std::uint32_t base = *low, span = *high - *low + 1;
            if (areAllLoaded || span > widestSpan) {
                base = 0;
                span = vertices();
            }
            if (!areAllLoaded) {
                areAllLoaded = span == vertices();
                if (!Budget::affords(std::uint64_t{span} * 24)) return false;
                std::uint64_t reported = 0;
                points = this->points(base, span, pointWindow);
                normals = finite(normals_, base, span, normalWindow, 3, reported);
            }
            for (std::uint32_t& corner : kept) corner -= base;
            countWinding(kept, points.data(), normals.data(), counts);
            return !counts.isDecided(triangles);
        });
        return counts.isAgainst();
    }

    bool writeNormals() {
        const Outlet<float> to = outlet<float>(3);
        mesh_.normals = to.column();
        mesh_.normalsComputed = !fits(normals_);
        if (mesh_.normalsComputed) return to && writeSmooth(to);
        bool haveDirections = true;
        const auto look = [&](std::uint32_t, std::uint32_t count, Bytes normals) { haveDirections &= haveLength(normals.data(), count); };
        if (!writeFloats(normals_, 3, to, look)) return false;
        if (isInsideOut_) context_.warn(Code::FACE_WINDING, node_, {}, "f");
        return haveDirections || writeSmooth(to);
    }

    /// Writes all normals, with smooth ones for vertices that have none.
    bool writeSmooth(Outlet<float> to) {
        const std::uint32_t usable = faces_.count - faces_.count % 3;
        const std::size_t floats = 3 * std::size_t{vertices()};
        if (!Budget::affords(std::uint64_t{floats} * 24 + std::uint64_t{usable} * 4)) return false;
        Vector<std::uint32_t> corners(usable);
        corners.resize(copyTriangles(integers(faces_, 0, usable, window_.raw), usable, vertices(), corners.data()).kept);
        if (isReversed_) reverseTriangles(corners);
        Vector<float> normals(floats, 0.f), positions(floats);
        std::uint64_t reported = 0;
        if (!mesh_.normalsComputed)
            std::memcpy(normals.data(), finite(normals_, 0, vertices(), window_, 3, reported).data(), floats * sizeof(float));
        std::memcpy(positions.data(), points(0, vertices(), window_).data(), floats * sizeof(float));
        const std::uint64_t repaired = repairNormals(positions, corners, {}, normals);
        if (!mesh_.normalsComputed && repaired) context_.warn(Code::NORMAL_DAMAGED, node_, {}, "vn", repaired);
        to.copy({reinterpret_cast<const std::uint8_t*>(normals.data()), floats * sizeof(float)});
        return true;
    }

    void tell(const Layers& layers) {
        if (layers.beyond)
            context_.warn(Code::LAYER_COUNT, node_, {"{} layers beyond the count were left out", {layers.beyond}}, layers.counter.text());
        else if (layers.areMissing)
            context_.warn(Code::LAYER_COUNT, node_, "announced layers are missing", layers.counter.text());
    }

    bool writeLayers() {
        tell(uvs_);
        for (const Layer& layer : uvs_.list) {
            if (layer.property.type != CastType::vec2 || !fits(layer.property) || !isUv(layer, mesh_.uvs.size())) continue;
            // Materials find a UV set by its number: a missing one below another is filled.
            while (mesh_.uvs.size() < layer.number) {
                Outlet<float> blank = outlet<float>(2);
                if (!blank) return false;
                writeZeros(blank, 2 * vertices());
                mesh_.uvs.push_back(blank.column());
            }
            if (!writeFloats(layer.property, mesh_.uvs.emplace_back())) return false;
        }
        tell(colors_);
        if (legacyColor_) {
            context_.add(Code::LEGACY_FORM, Severity::info, node_, "colours before 2024-08", "vc");
            if (!writeColors(legacyColor_)) return false;
        }
        for (const Layer& layer : colors_.list)
            if (!writeColors(layer.property)) return false;
        return true;
    }

    bool writeColors(const CastProperty& from) {
        const bool isPacked = from.type == CastType::u32;
        if ((!isPacked && from.type != CastType::vec4) || !fits(from)) return true;
        ColorLayer& layer = mesh_.colors.emplace_back();
        layer.name = from.name;
        if (!isPacked) return writeFloats(from, layer.floats);
        Outlet<std::uint8_t> to = outlet<std::uint8_t>(4);  // R in the low byte: the bytes are R, G, B, A as they lie
        if (!to) return false;
        layer.bytes = to.column();
        everyWindow(vertices(), [&](std::uint32_t first, std::uint32_t count) {
            to.copy(part(from, first, count, window_.raw));
            return true;
        });
        return true;
    }

    /// Adds the handedness, which the file lacks: it follows from the direction of V in the triangles around a vertex.
    bool addTangents() {
        if (!fits(tangents_)) return true;
        if (!Budget::affords(std::uint64_t{vertices()} * 24)) return false;
        auto made = context_.arena.allocate<float>(mesh_.block, std::uint64_t{vertices()} * 4);
        if (!made) return false;
        const auto normals = context_.arena.values(mesh_.normals);
        const auto at = [](std::span<const float> values, std::size_t i) {
            return Vec3{values[i * 3], values[i * 3 + 1], values[i * 3 + 2]};
        };
        Vector<Vec3> alongV(mesh_.uvs.empty() ? 0 : vertices());
        if (!alongV.empty()) {
            const auto positions = context_.arena.values(mesh_.positions), uv = context_.arena.values(mesh_.uvs[0]);
            const auto narrow = context_.arena.values(mesh_.indices16);
            const auto wide = context_.arena.values(mesh_.indices32);
            const auto corner = [&](std::size_t i) -> std::size_t { return narrow.empty() ? wide[i] : narrow[i]; };
            for (std::size_t i = 0; i < triangles_.kept; i += 3) {
                const std::size_t a = corner(i), b = corner(i + 1), c = corner(i + 2);
                const double u1 = double{uv[b * 2]} - uv[a * 2], v1 = double{uv[b * 2 + 1]} - uv[a * 2 + 1];
                const double u2 = double{uv[c * 2]} - uv[a * 2], v2 = double{uv[c * 2 + 1]} - uv[a * 2 + 1];
                const Vec3 e1 = at(positions, b) - at(positions, a), e2 = at(positions, c) - at(positions, a);
                const Vec3 direction = (e2 * u1 - e1 * u2) * (u1 * v2 - u2 * v1 < 0 ? -1 : 1);
                for (const std::size_t vertex : {a, b, c}) alongV[vertex] = alongV[vertex] + direction;
            }
        }
        std::uint64_t damaged = 0;
        everyWindow(vertices(), [&](std::uint32_t first, std::uint32_t count) {
            const Bytes stored = finite(tangents_, first, count, window_, 1, damaged);
            for (std::size_t i = 0; i < count; ++i) {
                const std::size_t vertex = first + i;
                float* const out = &made.values[vertex * 4];
                std::memcpy(out, stored.data() + i * 12, 12);
                const Vec3 t{out[0], out[1], out[2]};
                const bool isMirrored = !alongV.empty() && dot(cross(at(normals, vertex), t), alongV[vertex]) > 0;
                out[3] = isMirrored ? -1.f : 1.f;  // cross(n, t) * w points against V
            }
            return true;
        });
        if (damaged) context_.warn(Code::NON_FINITE, node_, {}, "vt", damaged);
        mesh_.tangents = made.column;
        return true;
    }

    bool writeWeights() {
        const std::string method = context_.values.text(node_, "sm", "linear");
        if (method == "quaternion")
            mesh_.skinning = SkinningMethod::dualQuaternion;
        else if (method != "linear" && !method.empty())
            context_.warn(Code::VALUE_UNKNOWN, node_, method, "sm");
        if (influences_ == 0) {
            if (bones_.count) context_.warn(Code::ATTRIBUTE_COUNT, node_, "weights without a number of influences", "mi");
            return true;
        }
        const std::uint64_t wanted = std::uint64_t{influences_} * vertices();
        if (bones_.count != wanted || (!isRigid() && weights_.count != wanted)) {
            context_.warn(Code::ATTRIBUTE_COUNT, node_, {"{} bones and {} weights instead of {}", {bones_.count, weights_.count, wanted}},
                          "wb");
            return true;
        }
        const std::size_t boneCount = model_.skeleton.bones.size();
        if (boneCount == 0) {
            context_.warn(Code::INFLUENCE_BONE_RANGE, node_, "the model has no bones", "wb", wanted);
            return true;
        }
        if (boneCount > 65535) {
            context_.add(Code::TOO_MANY_BONES, Severity::error, node_, {"{}", {boneCount}});
            return true;
        }
        InfluenceSummary summary;
        if (!(influences_ <= 4 ? writeFour(summary) : writeAll(summary))) return false;
        if (outsideBones_) context_.warn(Code::INFLUENCE_BONE_RANGE, node_, {"{} bones", {boneCount}}, "wb", outsideBones_);
        if (damagedWeights_) context_.warn(Code::NON_FINITE, node_, {}, "wv", damagedWeights_);
        if (summary.notNormalized) context_.warn(Code::INFLUENCE_SUM, node_, {}, "wv", summary.notNormalized);
        if (summary.unweighted) context_.warn(Code::INFLUENCE_MISSING, node_, {}, "wv", summary.unweighted);
        if (summary.duplicates) context_.warn(Code::INFLUENCE_DUPLICATE, node_, {}, "wb", summary.duplicates);
        if (summary.isFullListCut) context_.add(Code::WORK_LIMIT, Severity::error, node_, "all but the four strongest influences", "wb");
        return true;
    }

    /// A single influence weighs 1 whatever `wv` says, as in the reference.
    bool isRigid() const { return influences_ == 1; }

    /// Writes up to four influences per vertex.
    bool writeFour(InfluenceSummary& summary) {
        const auto boneCount = static_cast<std::uint32_t>(model_.skeleton.bones.size());
        JointOutlet joints(context_.arena, mesh_.block, vertices(), boneCount);
        Outlet<float> weights = outlet<float>(4);
        if (!joints || !weights || (isStreamed_ && !makeBoxes())) return false;
        joints.giveTo(mesh_);
        mesh_.weights = weights.column();
        everyWindow(vertices(), [&](std::uint32_t first, std::uint32_t count) {
            const std::size_t four = 4 * std::size_t{count};
            std::uint16_t* const toJoints = joints.room(four);
            float* const toWeights = weights.room(four);
            const CastIntegers bones = bonesOf(first, count);
            const Bytes shares = weightsOf(first, count);
            InfluenceSummary unlessDamaged = summary;
            if (copyInfluences(bones, shares.data(), influences_, boneCount, count, toJoints, toWeights, unlessDamaged))
                summary = unlessDamaged;
            else
                cleanInfluences(usableInfluences(bones, shares, count), toJoints, toWeights, summary);
            if (isStreamed_) includeVertices(*model_.boxes, points(first, count, window_).data(), toJoints, toWeights, count);
            joints.put(four);
            weights.put(four);
            return true;
        });
        mesh_.maxInfluences = summary.maximum;
        return true;
    }

    /// Writes any number of influences per vertex.
    bool writeAll(InfluenceSummary& summary) {
        if (!Budget::affords((2 * std::uint64_t{influences_} + 1) * 4 * vertices())) return false;
        return setInfluences(context_.arena, mesh_, model_.skeleton.bones.size(),
                             usableInfluences(bonesOf(0, vertices()), weightsOf(0, vertices()), vertices()), {}, summary);
    }

    CastIntegers bonesOf(std::size_t first, std::size_t count) {
        return integers(bones_, first * influences_, count * influences_, boneWindow_);
    }
    /// Without bytes if every weight is 1.
    Bytes weightsOf(std::size_t first, std::size_t count) {
        return isRigid() ? Bytes{} : part(weights_, first * influences_, count * influences_, weightWindow_);
    }

    /// The influences of `count` vertices. Those that cannot be used are counted and weigh nothing.
    PointInfluences usableInfluences(const CastIntegers& bones, Bytes weights, std::uint32_t count) {
        const std::size_t boneCount = model_.skeleton.bones.size();
        PointInfluences points;
        points.offsets.resize(std::size_t{count} + 1);
        for (std::size_t i = 0; i <= count; ++i) points.offsets[i] = static_cast<std::uint32_t>(i * influences_);
        points.joints.resize(bones.size());
        points.weights.assign(bones.size(), 1.f);
        if (!weights.empty()) std::memcpy(points.weights.data(), weights.data(), weights.size());
        for (std::uint32_t i = 0; i < bones.size(); ++i) {
            const std::uint32_t bone = bones[i];
            float& weight = points.weights[i];
            points.joints[i] = bone < boneCount ? bone : 0;
            if (bone >= boneCount) {
                outsideBones_ += weight != 0;  // unused slots often name a bone of no consequence
                weight = 0;
            } else if (!std::isfinite(weight)) {
                ++damagedWeights_;
                weight = 0;
            }
        }
        return points;
    }

    /// Makes the joint boxes that the streamed meshes of a model share.
    bool makeBoxes() {
        if (model_.boxes) return true;
        const Vector<Mat4>& rest = model_.skeleton.rest;
        if (!Budget::affords(rest.size() * 256)) return false;
        Vector<float> inverses(16 * rest.size());
        Vector<std::uint32_t> singular;
        invertRest({rest.data(), rest.size()}, {inverses.data(), inverses.size()}, singular);
        model_.boxes.emplace(std::span<const float>(inverses.data(), inverses.size()), rest.size());
        return true;
    }

    CastContext& context_;
    std::uint32_t node_;
    CastModel& model_;
    CastProperty positions_, normals_, tangents_, faces_, bones_, weights_, legacyColor_;
    Layers uvs_, colors_;
    std::uint32_t influences_ = 0;  // per vertex
    bool isStreamed_ = false;       // bounds are computed on the way, since columns may be outside the heap
    bool isInsideOut_ = false, isReversed_ = false;
    TriangleCounts triangles_;
    std::uint64_t outsideBones_ = 0, damagedWeights_ = 0;
    Mesh mesh_;
    Window window_;
    Vector<std::uint8_t> boneWindow_, weightWindow_;
};

}  // namespace

void addCastMesh(CastContext& context, std::uint32_t mesh, CastModel& model) { MeshReader(context, mesh, model).read(); }

void showCastMesh(CastContext& context, std::uint32_t node, CastModel& model, Mesh mesh) {
    Renderer renderer;
    renderer.name = mesh.name;
    renderer.node = model.owner;
    renderer.mesh = static_cast<std::uint32_t>(context.scene.meshes.size());
    if (hasJoints(mesh)) renderer.skin = castSkin(context, model.skeleton);
    const std::uint32_t count = mesh.indices16.present() ? mesh.indices16.count : mesh.indices32.count;
    mesh.groups.push_back({0, count, castMaterialOf(context, node, model)});
    model.meshes.add(node, renderer.mesh);
    model.renderers.add(node, static_cast<std::uint32_t>(context.scene.renderers.size()));
    context.scene.meshes.push_back(std::move(mesh));
    context.scene.renderers.push_back(std::move(renderer));
}

void finishCastBoxes(CastContext& context, CastModel& model) {
    if (!model.boxes || model.skeleton.skin == none) return;
    Scene& scene = context.scene;
    Skin& skin = scene.skins[model.skeleton.skin];
    for (const Renderer& renderer : scene.renderers) {
        if (renderer.skin != model.skeleton.skin) continue;
        Mesh& mesh = scene.meshes[renderer.mesh];
        if (mesh.radius > 0) continue;  // was streamed
        boundMesh(context.arena, mesh);
        includeMesh(*model.boxes, context.arena, mesh);
    }
    const auto made = context.arena.allocate<float>(skin.block, std::uint64_t{skin.joints.count} * 6);
    if (!made) return;
    model.boxes->write(made.values);
    skin.jointBoxes = made.column;
}

}  // namespace rigcast
