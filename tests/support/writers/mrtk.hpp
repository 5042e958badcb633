// Writes recordings for tests, fixtures and the demo. A document that was read from a file is
// reproduced byte for byte. A new document is written as mrtk-input-animation.md section 13
// specifies.
#pragma once

#include <deque>
#include <span>
#include <string_view>

#include "core/vector.hpp"
#include "formats/mrtk/document.hpp"

namespace rigcast {

Vector<std::uint8_t> writeMrtk(const MrtkDocument& document);

/// A key of a file of version 1.0. Version 1.1 stores only time and value.
struct MrtkKey {
    float time = 0, value = 0;
    float inTangent = 0, outTangent = 0;
    float inWeight = 0, outWeight = 0;
    std::int32_t weightedMode = 3;  // with weights of 0, segments are straight, as recorders write them
};

/// Builds a recording. Owns the bytes of keys and names. The constructor creates all curves of the
/// selected parts, without keys.
class MrtkBuilder {
public:
    MrtkBuilder(std::int32_t minor, bool camera, bool hands, bool gaze);

    void setCurve(std::size_t curve, std::span<const MrtkKey> keys, std::int32_t preWrap = 8, std::int32_t postWrap = 8);
    void addMarker(float time, std::string_view name);
    MrtkDocument& document() { return document_; }
    Vector<std::uint8_t> write() const { return writeMrtk(document_); }

private:
    Bytes keep(Vector<std::uint8_t> bytes);

    MrtkDocument document_;
    std::deque<Vector<std::uint8_t>> storage_;
};

}  // namespace rigcast
