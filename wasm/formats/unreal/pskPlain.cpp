// Compiled for speed, without vectors.
#include "formats/unreal/pskPlain.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstring>

#include "formats/unreal/pskMesh.hpp"
#include "formats/unreal/records.hpp"
#include "formats/unreal/skeleton.hpp"
#include "scene/bounds.hpp"
#include "scene/fourInfluences.hpp"

namespace rigcast::unreal {

namespace {

constexpr std::uint16_t isUsed = 0x100;

/// Some records, where they lie or in `buffer`.
[[gnu::noinline]] Records partOf(const Records& all, std::size_t first, std::size_t count, Source* source, Vector<std::uint8_t>& buffer) {
    if (!source) return all.slice(first, count);
    const std::uint64_t offset = all.offsetOf(first);
    return {source->window(static_cast<std::size_t>(offset), count * all.stride(), buffer), all.stride(), offset};
}

/// A point as its vertices have it.
struct Point {
    float weights[4];
    float position[3], normal[3];
    std::uint16_t joints[4];
};

FourWords loadFour(const std::uint8_t* at) {
    FourWords four;
    std::memcpy(&four, at, sizeof four);
    return four;
}

/// `writeSorted` of four influences of the point in the records at `at`. False where one of them is another point's, too.
bool takeFour(const std::uint8_t* at, std::uint32_t point, std::uint32_t bones, Point& to) {
    static_assert(influenceField::weight == 0 && influenceField::point == 4 && influenceField::bone == 8 && influenceField::size == 12);
    const FourWords a = loadFour(at), b = loadFour(at + 16), c = loadFour(at + 32);  // w p j w | p j w p | j w p j
    const FourWords bits = __builtin_shufflevector(__builtin_shufflevector(a, b, 0, 3, 6, 6), c, 0, 1, 2, 5);
    const FourWords points = __builtin_shufflevector(__builtin_shufflevector(a, b, 1, 4, 7, 7), c, 0, 1, 2, 6);
    const FourWords joints = __builtin_shufflevector(__builtin_shufflevector(a, b, 2, 5, 5, 5), c, 0, 1, 4, 7);
    const auto areOfPoint = points == point;
    return (areOfPoint[0] & areOfPoint[1] & areOfPoint[2] & areOfPoint[3]) &&
           writeSorted(bitCast<FourFloats>(bits), joints, bones, to.joints, to.weights);
}

}  // namespace

/// The points of a mesh, each converted once, in the order of the file, just before the first vertex needs it. The last ones are at hand.
class PlainMesh::Points final : private Patches {
public:
    /// `reach`: how many must be at hand: a window names none further before the highest that it or an earlier one has named.
    Points(const Psk& psk, float scale, Source* source, std::size_t reach, JointBoxes* boxes)
        : psk_(psk),
          scale_(scale),
          source_(source),
          boxes_(boxes),
          bones_(static_cast<std::uint32_t>(std::min(psk.bones.size(), boneLimit))),
          isTight_(psk.influences.stride() == influenceField::size) {
        std::size_t size = 1;
        while (size < reach) size *= 2;
        const bool isRing = size < psk.points.size();
        mask_ = isRing ? size - 1 : SIZE_MAX;
        ring_.resize(isRing ? size : psk.points.size());
    }

    /// Returns one of the last `reach` converted points. Earlier points are overwritten.
    const Point& operator[](std::uint32_t point) const {
        assert(point < done_ && done_ - point <= ring_.size());
        return ring_[point & mask_];
    }

    /// Converts those before `end`. False where one is not plain.
    bool convertTo(std::size_t end) {
        while (done_ < end) {
            const std::size_t count = std::min(windowRecords, end - done_);
            Patch patch{.first = done_, .count = count};
            if (!convert(part(psk_.points, done_, count, pointBuffer_), part(psk_.normals, done_, count, normalBuffer_), patch))
                return false;
            add(patch);
            done_ += count;
        }
        return true;
    }

    /// Whether all that the file has were converted, with all influences.
    bool isComplete() const { return done_ == psk_.points.size() && (!boxes_ || influence_ == psk_.influences.size()); }

    using Patches::bound;

    /// How many points have weights that do not sum to 1, and the most influences of one.
    std::uint32_t notNormalized = 0, maximum = 0;

private:
    Records part(const Records& all, std::size_t first, std::size_t count, Vector<std::uint8_t>& buffer) const {
        return partOf(all, first, count, source_, buffer);
    }

    [[gnu::noinline]] bool convert(const Records& points, const Records& normals, Patch& patch) {
        const float scale = scale_;
        float damage = 0;
        FourFloats low = patch.low, high = patch.high;
        for (std::size_t i = 0; i < points.size(); ++i) {
            Point& to = ring_[(patch.first + i) & mask_];
            const float x = points.get<float>(i, 0) * scale, y = points.get<float>(i, 4) * scale, z = points.get<float>(i, 8) * scale;
            damage += (x + y + z) * 0;
            to.position[0] = x;
            to.position[1] = z;
            to.position[2] = -y;
            const FourFloats place = {x, z, -y, 0};
            low = place < low ? place : low;
            high = place > high ? place : high;

            const float nx = normals.get<float>(i, 0), ny = normals.get<float>(i, 4), nz = normals.get<float>(i, 8);
            const float squared = nx * nx + ny * ny + nz * nz;
            if (!(squared > 1e-12f && squared < 1e12f)) return false;
            const float unit = std::abs(squared - 1) < 1e-4f ? 1 : 1 / std::sqrt(squared);
            to.normal[0] = nx * unit;
            to.normal[1] = nz * unit;
            to.normal[2] = -ny * unit;
            if (boxes_ && !addInfluences(static_cast<std::uint32_t>(patch.first + i), to)) return false;
        }
        patch.low = low;
        patch.high = high;
        return damage == 0;
    }

    bool addInfluences(std::uint32_t point, Point& to) {
        if (influence_ + 5 > windowEnd_ && windowEnd_ < psk_.influences.size()) moveWindow();
        const std::size_t first = influence_ - windowFirst_, left = windowEnd_ - influence_;
        const auto isOfPoint = [&](std::size_t i) {
            return i < left && influences_.get<std::uint32_t>(first + i, influenceField::point) == point;
        };
        const float x = to.position[0], y = to.position[1], z = to.position[2];
        const FourFloats place[3] = {{x, x, x, x}, {y, y, y, y}, {z, z, z, z}};
        if (isTight_ && left >= 4 && !isOfPoint(4) && takeFour(influences_.bytes(first, 0, 4).data(), point, bones_, to)) {
            for (const std::uint16_t joint : to.joints) boxes_->include(joint, place);
            maximum = 4;
            influence_ += 4;
            return true;
        }
        std::size_t count = 0;
        while (count < 5 && isOfPoint(count)) ++count;
        if (count - 1 > 3) return false;  // none, or more than four
        bool isSound = true;
        for (std::size_t i = 0; i < count; ++i) isSound &= records_.joint(first + i) < bones_;
        if (!isSound) return false;
        if (!(count == 4 && writeSortedFour(records_, first, to.joints, to.weights))) {
            double sum = 0;
            if (!writeFew(records_, first, count, sum, to.joints, to.weights)) return false;
            notNormalized += std::fabs(sum - 1) > 1e-3;
        }
        maximum = std::max(maximum, static_cast<std::uint32_t>(count));
        influence_ += count;
        for (std::size_t i = 0; i < 4 && to.weights[i] > 0; ++i) boxes_->include(to.joints[i], place);
        return true;
    }

    [[gnu::noinline, gnu::cold]] void moveWindow() {
        const Records& all = psk_.influences;
        const std::size_t count = std::min(source_ ? 2 * windowRecords : all.size(), all.size() - influence_);
        influences_ = part(all, influence_, count, influenceBuffer_);
        records_ = {
            {}, influences_.bytes(0, influenceField::bone, 4).data(), influences_.bytes(0, influenceField::weight, 4).data(), all.stride()};
        windowFirst_ = influence_;
        windowEnd_ = influence_ + count;
    }

    double farthestIn(const Patch& patch, const Vec3& center) override {
        const Records points = part(psk_.points, patch.first, patch.count, pointBuffer_);
        double squared = 0;
        for (std::size_t i = 0; i < points.size(); ++i) {
            float place[3];
            writePoint(points, i, 0, scale_, place);
            const Vec3 out = Vec3{place[0], place[1], place[2]} - center;
            squared = std::max(squared, dot(out, out));
        }
        return squared;
    }

    const Psk& psk_;
    float scale_;
    Source* source_;
    JointBoxes* boxes_;  // nullptr: nothing moves them
    std::uint32_t bones_;
    bool isTight_;  // influences are one behind the other
    std::size_t done_ = 0;
    Vector<Point> ring_;
    std::size_t mask_ = 0;
    Records influences_;  // from `windowFirst_` to `windowEnd_`
    InfluenceRecords records_;
    std::size_t influence_ = 0, windowFirst_ = 0, windowEnd_ = 0;
    Vector<std::uint8_t> pointBuffer_, normalBuffer_, influenceBuffer_;
};

Records PlainMesh::part(const Records& all, std::size_t first, std::size_t count) { return partOf(all, first, count, source_, window_); }

[[gnu::cold]] bool PlainMesh::looksPlain() const {
    const std::size_t wedges = psk_.wedges.size(), points = psk_.points.size();
    if (points == 0 || wedges == 0 || psk_.faces.size() == 0 || wedges > 0xFFFFFFF0u / 3) return false;
    if (psk_.faces.wideIndex != (wedges > narrowVertices)) return false;  // triangles are as wide as indices
    if (psk_.normals.size() != points || !psk_.colors.empty() || !psk_.morphInfos.empty() || !psk_.morphDeltas.empty()) return false;
    for (std::size_t i = 0; i < psk_.extraUvs.size(); ++i)
        if (psk_.extraUvs[i].channel != i || psk_.extraUvs[i].records.size() != wedges) return false;
    return Budget::remaining() > wedges * 12;
}

[[gnu::cold]] bool PlainMesh::examine() { return looksPlain() && examineWedges(); }

[[gnu::noinline]] bool PlainMesh::examineWedges() {
    const Wedges& all = psk_.wedges;
    const std::size_t total = all.size(), points = psk_.points.size();
    const bool hasPadding = !all.wideIndex && all.records.stride() >= 16;
    pointOfWedge_.resize(total);
    marks_.resize(total);
    std::uint32_t highest = 0, next = 0, padding = 0;
    for (std::size_t first = 0; first < total; first += windowRecords) {
        Wedges wedges = all;
        wedges.records = part(all.records, first, std::min(windowRecords, total - first));
        std::uint32_t* toPoint = &pointOfWedge_[first];
        std::uint16_t* toMark = &marks_[first];
        std::uint32_t lowest = none;
        bool isInOrder = true;
        for (std::size_t i = 0; i < wedges.size(); ++i) {
            const std::uint32_t point = wedges.point(i);
            if (hasPadding) padding |= wedges.records.get<std::uint16_t>(i, 2) | wedges.records.get<std::uint16_t>(i, 14);
            isInOrder &= point <= next;
            next += point == next;
            lowest = std::min(lowest, point);
            highest = std::max(highest, point);
            toPoint[i] = point;
            toMark[i] = wedges.materialOf(i);
        }
        if (highest >= points || padding) return false;
        isInOrder_ &= isInOrder;
        reach_ = std::max<std::size_t>(reach_, highest + 1 - lowest);
    }
    return highest + 1 == points;
}

/// Whether no wedge names some point.
[[gnu::cold]] bool PlainMesh::hasLonePoints() const {
    if (isInOrder_) return false;
    Vector<std::uint8_t> isNamed(psk_.points.size());
    for (const std::uint32_t point : pointOfWedge_) isNamed[point] = 1;
    return std::find(isNamed.begin(), isNamed.end(), 0) != isNamed.end();
}

template <class T>
T* PlainMesh::writeFaces(const Records& faces, std::size_t first, T* to) {
    const std::uint32_t* const points = pointOfWedge_.data();
    std::uint16_t* const marks = marks_.data();
    const std::size_t wedges = marks_.size(), known = psk_.materials.size(), field = psk_.faces.material;
    std::uint32_t material = material_;
    std::size_t runStart = 0, left = 0;  // of the run of triangles of that material, and those of it that are left out
    const auto endRun = [&](std::size_t end) {
        triangles_[material] += end - runStart - left;
        runStart = end;
        left = 0;
    };
    for (std::size_t i = 0; i < faces.size(); ++i) {
        const std::uint32_t a = faces.get<T>(i, 0), b = faces.get<T>(i, sizeof(T)), c = faces.get<T>(i, 2 * sizeof(T));
        if ((a >= wedges) | (b >= wedges) | (c >= wedges)) return nullptr;
        const std::uint32_t own = faces.get<std::uint8_t>(i, field);
        if (own != material) {
            endRun(i);
            if (own < material) return nullptr;
            material = own;
        }
        const std::uint32_t x = points[a], y = points[b], z = points[c];
        if ((x == y) | (y == z) | (z == x)) {
            degenerate_.add(first + i);
            ++left;
            continue;
        }
        const std::uint32_t markA = marks[a], markB = marks[b], markC = marks[c];
        if (((markA ^ own) | (markB ^ own) | (markC ^ own)) & 0xFF) disagrees_.add(first + i);
        if (own >= known) placeholder_.add(first + i);
        marks[a] = static_cast<std::uint16_t>(markA | isUsed);
        marks[b] = static_cast<std::uint16_t>(markB | isUsed);
        marks[c] = static_cast<std::uint16_t>(markC | isUsed);
        to[0] = static_cast<T>(a);
        to[1] = static_cast<T>(c);
        to[2] = static_cast<T>(b);
        to += 3;
    }
    endRun(faces.size());
    material_ = material;
    return to;
}

[[gnu::cold]] bool PlainMesh::writeIndices(Mesh& mesh) {
    const Records& all = psk_.faces.records;
    const std::size_t halves = psk_.faces.wideIndex ? 2 : 1;  // 16 bits each
    Outlet<std::uint16_t> indices = arena_.outlet<std::uint16_t>(mesh.block, 3 * halves * std::uint64_t{all.size()});
    if (!indices) return false;
    std::uint32_t written = 0;
    for (std::size_t first = 0; first < all.size(); first += windowRecords) {
        const Records faces = part(all, first, std::min(windowRecords, all.size() - first));
        std::uint16_t* const room = indices.room(3 * halves * faces.size());
        const void* const end = halves == 2 ? static_cast<void*>(writeFaces(faces, first, reinterpret_cast<std::uint32_t*>(room)))
                                            : static_cast<void*>(writeFaces(faces, first, room));
        if (!end) return false;
        const auto count = static_cast<std::size_t>(static_cast<const std::uint16_t*>(end) - room);
        indices.put(count);
        written += static_cast<std::uint32_t>(count);
    }
    std::uint16_t common = isUsed;
    for (const std::uint16_t mark : marks_) common &= mark;
    if (!common) return false;
    const Column<std::uint16_t> column = arena_.cut(indices.column(), written);
    if (halves == 2)
        mesh.indices32 = {column.block, column.offset, written / 2};
    else
        mesh.indices16 = column;
    return true;
}

[[gnu::noinline]] bool PlainMesh::writeUvs(Mesh& mesh, const Records& all, std::size_t field) {
    Outlet<float> to = arena_.outlet<float>(mesh.block, 2 * std::uint64_t{all.size()});
    if (!to) return false;
    mesh.uvs.push_back(to.column());
    float damage = 0;
    for (std::size_t first = 0; first < all.size(); first += windowRecords) {
        const Records records = part(all, first, std::min(windowRecords, all.size() - first));
        float* out = to.room(2 * records.size());
        for (std::size_t i = 0; i < records.size(); ++i) {
            const float u = records.get<float>(i, field), v = records.get<float>(i, field + 4);
            damage += (u + v) * 0;
            out[2 * i] = u;
            out[2 * i + 1] = v;
        }
        to.put(2 * records.size());
    }
    return damage == 0;
}

/// What the next vertices have of their points, `size` bytes each.
template <std::size_t size, class To>
[[gnu::noinline]] void PlainMesh::writeField(To& to, const Points& points, std::size_t offset,
                                             std::span<const std::uint32_t> pointOfVertex) {
    auto* out = to.room(pointOfVertex.size() * (size / sizeof(*to.room(0))));
    const std::size_t width = size / sizeof(*out);
    for (const std::uint32_t point : pointOfVertex) {
        std::memcpy(out, reinterpret_cast<const std::uint8_t*>(&points[point]) + offset, size);
        out += width;
    }
    to.put(pointOfVertex.size() * width);
}

[[gnu::noinline]] bool PlainMesh::writeVertices(Points& points, Outlet<float>& positions, Outlet<float>& normals, JointOutlet& joints,
                                                Outlet<float>& weights) {
    const std::size_t total = pointOfWedge_.size();
    std::uint32_t highest = 0;
    for (std::size_t first = 0; first < total; first += windowRecords) {
        const std::size_t count = std::min(windowRecords, total - first);
        const std::uint32_t* const pointOf = &pointOfWedge_[first];
        for (std::size_t i = 0; i < count; ++i) highest = std::max(highest, pointOf[i]);
        if (!points.convertTo(std::size_t{highest} + 1)) return false;
        const std::span<const std::uint32_t> vertices(pointOf, count);
        writeField<12>(positions, points, offsetof(Point, position), vertices);
        writeField<12>(normals, points, offsetof(Point, normal), vertices);
        if (!joints) continue;
        writeField<8>(joints, points, offsetof(Point, joints), vertices);
        writeField<16>(weights, points, offsetof(Point, weights), vertices);
    }
    return true;
}

[[gnu::cold]] bool PlainMesh::make(const Skin* skin, Mesh& mesh) {
    const std::size_t count = psk_.wedges.size();
    const std::uint32_t block = mesh.block;
    const bool isNarrow = count <= narrowVertices;
    triangles_.resize(256);
    if (!isNarrow && !writeIndices(mesh)) return false;
    Outlet<float> positions = arena_.outlet<float>(block, 3 * count);
    Outlet<std::uint32_t> sources = arena_.outlet<std::uint32_t>(block, count);
    Outlet<float> normals = arena_.outlet<float>(block, 3 * count);
    if (!sources) return false;
    sources.copy({reinterpret_cast<const std::uint8_t*>(pointOfWedge_.data()), count * sizeof(std::uint32_t)});
    if (!writeUvs(mesh, psk_.wedges.records, psk_.wedges.uv)) return false;
    for (const ExtraUvs& set : psk_.extraUvs)
        if (!writeUvs(mesh, set.records, 0)) return false;
    if (isNarrow && !writeIndices(mesh)) return false;
    JointOutlet joints;
    Outlet<float> weights;
    if (skin) {
        joints = JointOutlet(arena_, block, count, std::min(psk_.bones.size(), boneLimit));
        weights = arena_.outlet<float>(block, 4 * count);
    }
    if (arena_.exhausted() || Budget::remaining() < psk_.points.size() * sizeof(Point) || hasLonePoints()) return false;

    JointBoxes boxes(skin ? arena_.values(skin->inverseBindMatrices) : std::span<const float>{}, skin ? skin->joints.count : 0);
    Points points(psk_, static_cast<float>(options_.unitScale), source_, reach_, skin ? &boxes : nullptr);
    if (!writeVertices(points, positions, normals, joints, weights) || !points.isComplete()) return false;
    if (!points.bound(mesh)) return false;
    mesh.vertexCount = static_cast<std::uint32_t>(count);
    mesh.sourceVertexCount = static_cast<std::uint32_t>(psk_.points.size());
    mesh.positions = positions.column();
    mesh.sourceVertices = sources.column();
    mesh.normals = normals.column();
    if (!skin) return true;
    joints.giveTo(mesh);
    mesh.weights = weights.column();
    mesh.maxInfluences = points.maximum;
    notNormalized_ = points.notNormalized;
    boxes.reach(mesh);
    jointBoxes_.resize(6 * std::size_t{skin->joints.count});
    boxes.write({jointBoxes_.data(), jointBoxes_.size()});
    return true;
}

[[gnu::cold]] bool PlainMesh::add(std::uint32_t skin, Scene& scene, Diagnostics& diagnostics) {
    Mesh mesh;
    mesh.name = scene.asset.name;
    const std::uint64_t vertices = psk_.wedges.size(), corners = 3 * std::uint64_t{psk_.faces.size()};
    std::uint64_t size = 0;
    const auto add = [&](std::uint64_t bytes) { size += (bytes + 7) & ~std::uint64_t{7}; };
    add(corners * (vertices > narrowVertices ? 4 : 2));
    for (const std::uint64_t width : {12, 4, 12}) add(vertices * width);
    for (std::size_t set = 0; set <= psk_.extraUvs.size(); ++set) add(vertices * 8);
    if (skin != none)
        for (const std::uint64_t width : {psk_.bones.size() <= narrowJoints ? 4 : 8, 16}) add(vertices * width);
    if (Budget::remaining() < size) return false;
    mesh.block = arena_.addOpenBlock(size);
    if (!make(skin == none ? nullptr : &scene.skins[skin], mesh)) {
        arena_.dropBlock();
        return false;
    }
    Skin* const skinned = skin == none ? nullptr : &scene.skins[skin];
    if (skinned) skinned->jointBoxes = arena_.copy(skinned->block, std::span<const float>(jointBoxes_.data(), jointBoxes_.size()));
    const Records& faces = psk_.faces.records;
    degenerate_.mention(diagnostics, Code::FACE_DEGENERATE, faces, "FACE0000", "faces");
    disagrees_.mention(diagnostics, Code::MATERIAL_DISAGREES, faces, "FACE0000", "faces");
    placeholder_.report(diagnostics, Code::MATERIAL_RANGE, faces, "FACE0000", "face");
    std::size_t materials = 0, next = 0;
    for (std::uint32_t material = 0; material < 256; ++material) {
        const std::size_t count = triangles_[material];
        if (!count) continue;
        mesh.groups.push_back({static_cast<std::uint32_t>(3 * next), static_cast<std::uint32_t>(3 * count), material});
        next += count;
        materials = material + 1;
    }
    addMaterials(psk_, materials, scene, diagnostics);
    if (skinned && notNormalized_)
        diagnostics.add(Code::INFLUENCE_SUM, {.offset = psk_.influences.offsetOf(0), .path = "RAWWEIGHTS"},
                        {"{} points", {notNormalized_}});
    showMesh(std::move(mesh), skin, scene);
    return true;
}

}  // namespace rigcast::unreal
