#include "formats/cast/meshArrays.hpp"

#include <algorithm>
#include <cstring>

#include "core/order.hpp"
#include "formats/cast/bulk.hpp"
#include "formats/cast/scene.hpp"

namespace rigcast {

CastMeshArrays::CastMeshArrays(CastContext& context, std::uint32_t node) : context_(context), node_(node) {
    const CastName names[] = {"vp", "vn", "vt", "f", "wb", "wv", "mi", "ul", "cl", "m", "vc"};
    CastProperty found[std::size(names)];
    context_.document.find(node_, names, found);
    // Loads the values of `mi`, `ul`, `cl` and `m`, because this constructor and the material
    // reader access them in memory.
    for (std::size_t i = 6; i < 10; ++i) context_.load(found[i].payload);
    const auto floats = [&](std::size_t i, CastType type) { return found[i].type == type ? found[i] : CastProperty{}; };
    const auto numbers = [&](std::size_t i) { return CastIntegers(found[i]).empty() ? CastProperty{} : found[i]; };
    positions = floats(0, CastType::vec3);
    normals = floats(1, CastType::vec3);
    tangents = floats(2, CastType::vec3);
    faces = numbers(3);
    bones = numbers(4);
    weights = floats(5, CastType::f32);
    const CastIntegers counts(found[6]);
    influences = counts.empty() ? 0 : counts[0];
    uvs = layersOf('u', "ul");
    colors = layersOf('c', "cl");
    // Files written before 2024-08 and files of some current writers have a single colour layer
    // `vc`. This layer is used if no layers are declared or c0 is missing.
    const auto declared = castNumberOf(found[8]);
    const auto& list = colors.list;
    if (found[10].type == CastType::u32 && found[10].count > 0 && (!declared || (*declared >= 1 && (list.empty() || list[0].number > 0))))
        legacyColor = found[10];
}

/// Returns the declared layers whose name starts with `letter`. `counter`: name of the property
/// with the number of layers.
CastLayers CastMeshArrays::layersOf(char letter, CastName counter) {
    CastLayers layers{counter, {}};
    Vector<CastLayer>& list = layers.list;
    for (const CastProperty& property : context_.document.propertiesOf(node_)) {
        std::uint32_t number = 0;
        if (isLayerName(property.name, letter, number) && property.count > 0) list.push_back({number, property});
    }
    sortBy(list, [](const CastLayer& layer) { return std::uint64_t{layer.number}; });
    // If several layers have the same number, keeps the last one.
    const auto before =
        std::unique(list.rbegin(), list.rend(), [](const CastLayer& a, const CastLayer& b) { return a.number == b.number; });
    list.erase(list.begin(), before.base());

    const double declared = context_.values.number(node_, counter).value_or(0);
    for (; !list.empty() && list.back().number >= declared; ++layers.beyond) list.pop_back();
    // The older layer `vc` replaces a missing c0.
    const bool isReplaced = letter == 'c' && context_.document.find(node_, "vc") && (list.empty() || list[0].number > 0);
    const double complete = static_cast<double>(list.size()) + (isReplaced && declared > 0 ? 1 : 0);
    layers.areMissing = complete < declared;
    return layers;
}

Bytes CastMeshArrays::part(const CastProperty& all, std::size_t first, std::size_t count, Vector<std::uint8_t>& buffer) const {
    const std::size_t size = infoOf(all.type).size;
    return context_.part(all.payload, first * size, count * size, buffer);
}

CastIntegers CastMeshArrays::integers(const CastProperty& all, std::size_t first, std::size_t count, Vector<std::uint8_t>& buffer) const {
    CastProperty some = all;
    some.payload = part(all, first, count, buffer);
    some.count = static_cast<std::uint32_t>(count);
    return CastIntegers(some);
}

Bytes CastMeshArrays::finite(const CastProperty& all, std::size_t first, std::size_t count, CastWindow& window, std::size_t group,
                             std::uint64_t& damaged) const {
    const Bytes raw = part(all, first, count, window.raw);
    const std::size_t floats = raw.size() / sizeof(float);
    if (areFinite(raw.data(), floats)) return raw;
    window.repaired.resize(floats);
    std::memcpy(window.repaired.data(), raw.data(), raw.size());
    damaged += makeFinite(window.repaired, group);
    return {reinterpret_cast<const std::uint8_t*>(window.repaired.data()), raw.size()};
}

Bytes CastMeshArrays::points(std::size_t first, std::size_t count, CastWindow& window) const {
    std::uint64_t reported = 0;
    return finite(positions, first, count, window, 1, reported);
}

}  // namespace rigcast
