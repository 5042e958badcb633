#include "support/writers/mrtk.hpp"

#include "core/text.hpp"
#include "core/vector.hpp"

namespace rigcast {

namespace {

class Writer {
public:
    template <class T>
    void put(T value) {
        const auto* at = reinterpret_cast<const std::uint8_t*>(&value);
        bytes.insert(bytes.end(), at, at + sizeof(T));
    }
    void put(Bytes more) { bytes.insert(bytes.end(), more.begin(), more.end()); }

    Vector<std::uint8_t> bytes;
};

}  // namespace

Vector<std::uint8_t> writeMrtk(const MrtkDocument& document) {
    Writer writer;
    writer.put(mrtkMagic);
    writer.put(document.major);
    writer.put(document.minor);
    if (!document.isFirst())
        for (const std::uint8_t flag : document.flagBytes) {
            if (document.layout.wideFlags)
                writer.put(std::uint32_t{flag});
            else
                writer.put(flag);
        }
    for (const MrtkCurve& curve : document.curves) {
        writer.put(curve.preWrap);
        writer.put(curve.postWrap);
        writer.put(static_cast<std::int32_t>(curve.keys.size()));
        for (std::size_t key = 0; key < curve.keys.size(); ++key) writer.put(curve.keys.bytes(key, 0, curve.keys.stride()));
    }
    if (document.hasMarkerList) {
        writer.put(static_cast<std::int32_t>(document.markers.size()));
        for (const MrtkMarker& marker : document.markers) {
            writer.put(marker.time);
            std::size_t length = marker.name.size();
            for (int i = 1; i < marker.lengthBytes; ++i, length >>= 7) writer.put(static_cast<std::uint8_t>(length | 0x80));
            writer.put(static_cast<std::uint8_t>(length));
            writer.put(marker.name);
        }
    }
    writer.put(document.trailing);
    return std::move(writer.bytes);
}

MrtkBuilder::MrtkBuilder(std::int32_t minor, bool camera, bool hands, bool gaze) {
    document_.minor = minor;
    document_.camera = camera;
    document_.hands = hands;
    document_.gaze = gaze;
    document_.flagBytes = {camera, hands, gaze};
    document_.hasMarkerList = true;
    document_.curves.resize(document_.curveTotal());
}

Bytes MrtkBuilder::keep(Vector<std::uint8_t> bytes) { return storage_.emplace_back(std::move(bytes)); }

void MrtkBuilder::setCurve(std::size_t curve, std::span<const MrtkKey> keys, std::int32_t preWrap, std::int32_t postWrap) {
    const bool full = document_.fullKeys() && !document_.isBoolean(curve);
    Writer writer;
    for (const MrtkKey& key : keys) {
        writer.put(key.time);
        writer.put(key.value);
        if (!full) continue;
        for (const float number : {key.inTangent, key.outTangent, key.inWeight, key.outWeight}) writer.put(number);
        writer.put(key.weightedMode);
    }
    MrtkCurve& target = document_.curves[curve];
    target.preWrap = preWrap;
    target.postWrap = postWrap;
    target.keys = Records(keep(std::move(writer.bytes)), full ? 28 : 8);
}

void MrtkBuilder::addMarker(float time, std::string_view name) {
    MrtkMarker marker;
    marker.time = time;
    marker.name = keep({name.begin(), name.end()});
    for (std::size_t rest = name.size() >> 7; rest; rest >>= 7) ++marker.lengthBytes;
    document_.markers.push_back(marker);
}

}  // namespace rigcast
