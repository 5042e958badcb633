#include "formats/mrtk/curve.hpp"

#include "core/code.hpp"
#include "core/vector.hpp"

namespace rigcast {

namespace {

[[gnu::cold]] Extrapolation wrapMode(std::int32_t mode, std::uint64_t offset, const std::string& name, Diagnostics& diagnostics) {
    switch (mode) {
        case 8:
            return Extrapolation::hold;
        case 2:
        case 4:
            diagnostics.add(Code::WRAP_MODE, {.offset = offset, .path = name}, {"mode {}", {mode}});
            break;
        case 0:
        case 1:
            diagnostics.add(Code::WRAP_MODE, {.offset = offset, .path = name}, {"mode {}", {mode}});
            return Extrapolation::hold;
        default:
            diagnostics.add(Code::WRAP_MODE_UNKNOWN, {.offset = offset, .path = name}, {"mode {}", {mode}});
            return Extrapolation::hold;
    }
    return mode == 2 ? Extrapolation::loop : Extrapolation::pingPong;
}

}  // namespace

static_assert(sizeof(UnityKey) == 28, "a full key as it lies in the file");

PlayCurve playable(const MrtkDocument& document, std::size_t index, Diagnostics& diagnostics) {
    const MrtkCurve raw = document.curve(index);
    if (index >= document.curves.size()) return {};
    const std::string name = document.curveName(index);
    const Extrapolation before = wrapMode(raw.preWrap, raw.offset, name, diagnostics);
    const Extrapolation after = wrapMode(raw.postWrap, raw.offset + 4, name, diagnostics);
    const bool full = raw.keys.stride() > 8;
    Vector<UnityKey> keys(raw.keys.size());
    for (std::size_t k = 0; k < keys.size(); ++k) {
        if (full)
            keys[k] = raw.keys.get<UnityKey>(k, 0);
        else
            keys[k] = {.time = raw.time(k), .value = raw.value(k)};
    }
    const UnityKeys kind = document.isBoolean(index) ? UnityKeys::state : full ? UnityKeys::full : UnityKeys::simple;
    PlayCurve curve = playable(keys, kind, {name, raw.offset, raw.keys.offsetOf(0), raw.keys.stride()}, diagnostics);
    curve.before = before;
    curve.after = after;
    return curve;
}

}  // namespace rigcast
