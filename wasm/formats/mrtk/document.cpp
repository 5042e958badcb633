#include "formats/mrtk/document.hpp"

#include "core/code.hpp"
#include "core/text.hpp"
#include "formats/mrtk/joints.hpp"

namespace rigcast {

namespace {

constexpr std::string_view poseParts[] = {"px", "py", "pz", "rx", "ry", "rz", "rw"};
constexpr std::string_view rayParts[] = {"ox", "oy", "oz", "dx", "dy", "dz"};
constexpr std::string_view stateNames[] = {"left.tracked", "right.tracked", "left.pinch", "right.pinch"};
constexpr std::size_t fullKeyBytes = 28, simpleKeyBytes = 8;
constexpr std::size_t markerLeastBytes = 5;

/// The reason why parsing stopped.
struct Failure {
    Code code;
    std::uint64_t offset;
    std::string path;
    std::string detail;
};

bool stop(Failure& failure, Code code, std::uint64_t offset, std::string path, const Detail& detail) {
    failure = {code, offset, std::move(path), detail.text()};
    return false;
}

bool readCurve(Reader& reader, MrtkDocument& document, Failure& failure) {
    const std::size_t index = document.curves.size();
    MrtkCurve curve;
    curve.offset = reader.offset();
    curve.preWrap = reader.read<std::int32_t>();
    curve.postWrap = reader.read<std::int32_t>();
    const auto count = reader.read<std::int32_t>();
    if (reader.failed())
        return stop(failure, Code::TRUNCATED, curve.offset, document.curveName(index), "the file ends inside a curve's header");
    const std::size_t size = document.fullKeys() && !document.isBoolean(index) ? fullKeyBytes : simpleKeyBytes;
    if (count < 0) return stop(failure, Code::BAD_COUNT, curve.offset + 8, document.curveName(index), {"{} keys", {count}});
    const std::uint64_t offset = reader.offset();
    const std::size_t there = std::min<std::size_t>(static_cast<std::size_t>(count), reader.remaining() / size);
    curve.keys = Records(reader.bytes(there * size), size, offset);
    document.curves.push_back(curve);
    if (there == static_cast<std::size_t>(count)) return true;
    if (static_cast<std::uint64_t>(count) * size > reader.size()) {
        document.curves.back().keys = {};
        return stop(failure, Code::BAD_COUNT, curve.offset + 8, document.curveName(index),
                    {"{} keys are more than the file can hold", {count}});
    }
    return stop(failure, Code::TRUNCATED, reader.offset(), document.curveName(index),
                {"the file ends after {} of {} keys", {there, count}});
}

/// Reads a marker. The length of its name is a base-128 varint (section 3.6).
bool readMarker(Reader& reader, MrtkDocument& document, Failure& failure) {
    MrtkMarker marker;
    marker.offset = reader.offset();
    marker.time = reader.read<float>();
    std::uint64_t length = 0;
    marker.lengthBytes = 0;
    for (int shift = 0;; shift += 7) {
        const auto byte = reader.read<std::uint8_t>();
        if (reader.failed()) return stop(failure, Code::TRUNCATED, marker.offset, "markers", "the file ends inside a marker");
        ++marker.lengthBytes;
        length |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
        if (!(byte & 0x80)) break;
        if (marker.lengthBytes == 5)
            return stop(failure, Code::BAD_STRING_LENGTH, marker.offset + 4, "markers", "the length has more than five bytes");
    }
    marker.name = reader.bytes(length);
    if (reader.failed())
        return stop(failure, Code::TRUNCATED, marker.offset, "markers", {"a marker name of {} bytes is cut off", {length}});
    marker.size = reader.offset() - marker.offset;
    document.markers.push_back(marker);
    return true;
}

bool parseBody(Reader& reader, MrtkDocument& document, Failure& failure) {
    document.camera = document.hands = true;
    document.gaze = false;
    if (!document.isFirst()) {
        bool* flags[] = {&document.camera, &document.hands, &document.gaze};
        for (int i = 0; i < 3; ++i) {
            const std::uint32_t stored = document.layout.wideFlags ? reader.read<std::uint32_t>() : reader.read<std::uint8_t>();
            document.flagBytes[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(stored);
            *flags[i] = stored != 0;
        }
        if (reader.failed()) {
            document.camera = document.hands = document.gaze = false;
            return stop(failure, Code::TRUNCATED, reader.offset(), "", "the file ends inside the flags");
        }
    }
    while (document.curves.size() < document.curveTotal())
        if (!readCurve(reader, document, failure)) return false;
    document.end = reader.offset();
    if (reader.remaining() == 0) return true;  // some writers omit markers
    document.hasMarkerList = true;
    const std::uint64_t offset = document.markersOffset = reader.offset();
    const auto count = reader.read<std::int32_t>();
    if (reader.failed()) return stop(failure, Code::TRUNCATED, offset, "markers", "the file ends inside the number of markers");
    if (count < 0 || static_cast<std::uint64_t>(count) > reader.size() / markerLeastBytes)
        return stop(failure, Code::BAD_COUNT, offset, "markers", {"{} markers", {count}});
    for (std::int32_t i = 0; i < count; ++i)
        if (!readMarker(reader, document, failure)) return false;
    document.end = reader.offset();
    document.trailing = reader.bytes(reader.remaining());
    return true;
}

bool parse(Bytes bytes, const MrtkLayout& layout, MrtkDocument& document, Failure& failure) {
    document = {};
    document.layout = layout;
    Reader reader(bytes);
    reader.skip(8);
    document.major = reader.read<std::int32_t>();
    document.minor = reader.read<std::int32_t>();
    document.complete = parseBody(reader, document, failure);
    return document.complete;
}

/// A damaged file layout (section 12). The reader tries all layouts; with the correct one, reading
/// ends exactly at the end of the file.
struct Probe {
    MrtkLayout layout;
    std::string_view name;
};
constexpr Probe probes[] = {
    {{.longKeys = true}, "28-byte keys under a 1.1 header"},
    {{.wideFlags = true}, "flags of four bytes"},
    {{.joints = 26}, "26 joints a hand"},
    {{.longKeys = true, .wideFlags = true}, "28-byte keys and flags of four bytes"},
    {{.longKeys = true, .joints = 26}, "28-byte keys and 26 joints a hand"},
};

}  // namespace

std::string MrtkDocument::curveName(std::size_t index) const {
    const auto at = [](auto& names, std::size_t i) { return std::string(names[i]); };
    if (camera && index < 7) return "camera." + at(poseParts, index);
    if (hands && index < gazeStart()) {
        const std::size_t local = index - stateStart();
        if (local < 4) return at(stateNames, local);
        const std::size_t joint = (local - 4) / 7, count = static_cast<std::size_t>(layout.joints);
        const std::size_t shift = static_cast<std::size_t>(jointCount - layout.joints);
        return std::string(joint < count ? "left." : "right.") + std::string(joints[joint % count + shift].mrtk) + "." +
               at(poseParts, (local - 4) % 7);
    }
    return gaze && index < curveTotal() ? "gaze." + at(rayParts, index - gazeStart()) : "markers";
}

MrtkCurve MrtkDocument::curve(std::size_t index) const { return index < curves.size() ? curves[index] : MrtkCurve{}; }

bool readMrtk(Bytes bytes, bool guessLayout, bool oldVersions, MrtkDocument& document, Diagnostics& diagnostics) {
    Reader reader(bytes);
    const auto magic = reader.read<std::uint64_t>();
    if (magic != mrtkMagic) {
        const bool swapped = magic == __builtin_bswap64(mrtkMagic);
        diagnostics.add(Code::UNKNOWN_FORMAT, {.offset = 0}, swapped ? "the magic number is byte-swapped" : "the magic number is missing");
        return false;
    }
    const auto major = reader.read<std::int32_t>();
    const auto minor = reader.read<std::int32_t>();
    if (reader.failed()) {
        diagnostics.add(Code::TRUNCATED, {.offset = reader.offset()}, "the file ends inside its header");
        return false;
    }
    if (major > 1 || (major == 1 && minor > 1)) {
        // Detects files of a fork of the toolkit, which contain three flag bytes instead of the
        // version.
        const bool fork = (major & 0xFFFF) <= 0x0101 && major > 0xFFFF;
        diagnostics.add(
            Code::UNSUPPORTED_VERSION, {.offset = 8},
            {fork ? "there is no version after the magic number, as in an unsupported third-party fork" : "version {}.{}", {major, minor}});
        return false;
    }
    if (major < 1 || minor < 0) {
        diagnostics.add(Code::UNSUPPORTED_VERSION, oldVersions ? Severity::warning : Severity::error, {.offset = 8},
                        {oldVersions ? "version {}.{}, read as 1.0" : "version {}.{}; the toolkit reads it as 1.0 (option oldVersions)",
                         {major, minor}});
        if (!oldVersions) return false;
    }

    Failure failure{};
    if (parse(bytes, {}, document, failure)) return true;
    MrtkDocument probed;
    Failure ignored{};
    for (const Probe& probe : probes) {
        if (!parse(bytes, probe.layout, probed, ignored) || !probed.trailing.empty() || !probed.hasMarkerList) continue;
        diagnostics.add(
            Code::FOREIGN_LAYOUT, {.offset = failure.offset, .path = failure.path},
            {guessLayout ? "{}: fits the length of the file and was used" : "{}: would fit the length of the file (option guessLayout)",
             {probe.name}});
        if (guessLayout) document = std::move(probed);
        return guessLayout;
    }
    diagnostics.add(failure.code, {.offset = failure.offset, .path = failure.path}, failure.detail);
    return document.camera || document.hands || document.gaze;
}

}  // namespace rigcast
