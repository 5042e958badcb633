#include "formats/unreal/psa.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "core/budget.hpp"
#include "core/order.hpp"
#include "core/text.hpp"
#include "core/vector.hpp"
#include "formats/unreal/psk.hpp"
#include "formats/unreal/records.hpp"
#include "scene/scene.hpp"

namespace rigcast::unreal {

namespace {

constexpr std::string_view path = "ANIMINFO";
constexpr std::uint64_t absurd = std::uint64_t{1} << 62;

/// The track and frame counts that ANIMINFO declares for a sequence. Negative counts are replaced
/// by 0.
struct DeclaredCounts {
    std::uint64_t tracks = 0, frames = 0;
    bool isUsable = true;
    std::uint64_t keys() const { return tracks * frames; }
};

std::uint64_t keySum(const Vector<DeclaredCounts>& list) {
    std::uint64_t sum = 0;
    for (const DeclaredCounts& sequence : list) sum = std::min(sum + sequence.keys(), absurd);
    return sum;
}

Vector<DeclaredCounts> readCounts(const Psa& psa, Diagnostics& diagnostics) {
    const Records& records = psa.sequences;
    Vector<DeclaredCounts> list(records.size());
    bool disagrees = false;
    for (std::size_t i = 0; i < records.size(); ++i) {
        const auto tracks = records.get<std::int32_t>(i, sequenceField::trackCount);
        const auto frames = records.get<std::int32_t>(i, sequenceField::frameCount);
        const Location location{.offset = records.offsetOf(i), .path = path};
        if (tracks < 0 || frames < 0) {
            diagnostics.add(Code::NEGATIVE_COUNT, location, {"sequence {}", {i}});
            list[i].isUsable = false;
            continue;
        }
        list[i] = {static_cast<std::uint64_t>(tracks), static_cast<std::uint64_t>(frames), true};
        if (list[i].tracks == psa.tracks.size()) continue;
        diagnostics.add(Code::TRACK_COUNT, location, {"sequence {}: {} tracks for {} bones", {i, tracks, psa.tracks.size()}});
        disagrees = true;
    }
    if (!disagrees) return list;
    // If the total number of keys is correct with one track per bone, replaces the declared number
    // of tracks with the number of bones.
    Vector<DeclaredCounts> corrected = list;
    for (DeclaredCounts& sequence : corrected)
        if (sequence.isUsable) sequence.tracks = psa.tracks.size();
    if (keySum(corrected) == psa.keys.size()) return corrected;
    for (DeclaredCounts& sequence : list) sequence.isUsable = sequence.isUsable && sequence.tracks == psa.tracks.size();
    return list;
}

/// Returns the index of the first key of each sequence, which is the total number of keys in all
/// previous sequences. Uses FirstRawFrame instead only if the total of all sequences differs from
/// the number of keys, and if the ranges that start at FirstRawFrame are inside the chunk and do
/// not overlap. Old versions of CUE4Parse store the number of frames in that field, and other
/// writers store 0.
Vector<std::uint64_t> findStarts(const Psa& psa, const Vector<DeclaredCounts>& list, Diagnostics& diagnostics) {
    Vector<std::uint64_t> sums(list.size()), stored(list.size());
    std::uint64_t keys = 0, frames = 0;
    std::size_t wrong = 0, firstWrong = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
        sums[i] = keys;
        const auto first = psa.sequences.get<std::int32_t>(i, sequenceField::firstFrame);
        if ((first < 0 || static_cast<std::uint64_t>(first) != frames) && wrong++ == 0) firstWrong = i;
        stored[i] = first < 0 ? absurd : static_cast<std::uint64_t>(first) * list[i].tracks;
        keys = std::min(keys + list[i].keys(), absurd);
        frames += list[i].frames;
    }
    const Location location{.offset = psa.keys.empty() ? psa.sequences.offsetOf(0) : psa.keys.offsetOf(0), .path = "ANIMKEYS"};
    if (keys != psa.keys.size()) {
        diagnostics.add(Code::KEY_COUNT, location, {"{} keys, {} declared", {psa.keys.size(), keys}});
        Vector<std::size_t> order;
        for (std::size_t i = 0; i < list.size(); ++i)
            if (list[i].keys()) order.push_back(i);
        sortBy(order, [&](std::size_t i) { return stored[i]; });
        std::uint64_t end = 0;
        const bool fits = std::all_of(order.begin(), order.end(), [&](std::size_t i) {
            const bool free = stored[i] >= end;
            end = std::min(stored[i] + list[i].keys(), absurd);
            return free && end <= psa.keys.size();
        });
        if (fits) return stored;
    }
    if (wrong)  // a single sequence always begins at key 0
        diagnostics.add(Code::FIRST_FRAME_WRONG, list.size() > 1 ? Severity::warning : Severity::info,
                        {.offset = psa.sequences.offsetOf(firstWrong) + sequenceField::firstFrame, .path = path},
                        {"{} of {} sequences", {wrong, list.size()}});
    return sums;
}

/// Finds the scale keys of each sequence. A file contains scale keys either for all sequences or
/// only for sequences that declare them (section 7.3).
void assignScaleKeys(const Psa& psa, const Vector<DeclaredCounts>& list, Vector<Sequence>& sequences, Diagnostics& diagnostics) {
    const std::uint64_t count = psa.scaleKeys.size();
    if (count == 0) return;  // Epic's tool for UE1 writes ScaleInclude = 1 without data
    const auto includes = [&](std::size_t i) { return psa.sequences.get<std::int32_t>(i, sequenceField::scaleInclude) == 1; };
    const auto assign = [&](Sequence& sequence, std::uint64_t first) {
        sequence.hasScale = first + std::uint64_t{sequence.frames} * sequence.tracksPerFrame <= count;
        sequence.firstScale = first;
    };
    if (count == keySum(list)) {
        for (Sequence& sequence : sequences) assign(sequence, sequence.firstKey);
        return;
    }
    Vector<std::uint64_t> starts(list.size());
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
        starts[i] = sum;
        if (includes(i)) sum = std::min(sum + list[i].keys(), absurd);
    }
    if (count != sum) {
        diagnostics.add(Code::SCALE_KEY_COUNT, {.offset = psa.scaleKeys.offsetOf(0), .path = "SCALEKEYS"}, {"{} scale keys", {count}});
        return;
    }
    for (Sequence& sequence : sequences)
        if (includes(sequence.record)) assign(sequence, starts[sequence.record]);
}

/// Finds the sequence to which a curve chunk belongs. Compares the record size and the start of the
/// sequence name, which the chunk id contains.
class SequenceIndex {
public:
    SequenceIndex(const Psa& psa, const Vector<DeclaredCounts>& list) : following_(2 * list.size(), none) {
        for (std::uint32_t i = static_cast<std::uint32_t>(list.size()); i-- > 0;) {
            const std::string_view name = asText(psa.sequences.bytes(i, 0, prefix));
            const std::string_view own = name.substr(0, name.find('\0'));
            add(keyOf(own, anySize), 2 * i);
            add(keyOf(own, curveField::values + 4 * list[i].frames), 2 * i + 1);
        }
    }

    /// Returns the index of the first sequence that matches `chunk`, starting at `next`, or `none`.
    /// `next` must not decrease from call to call.
    std::size_t find(const Chunk& chunk, std::size_t next) {
        const std::string_view id = asText(chunk.header.first(20));
        std::size_t found = none;
        for (std::size_t end = 0; end <= prefix && (end = id.find(mark, end)) <= prefix; ++end) {
            const std::string_view own = id.substr(0, end);
            found = std::min<std::size_t>(found, firstOf(keyOf(own, chunk.count == 0 ? anySize : chunk.stride), next));
        }
        return found;
    }

private:
    static constexpr std::string_view mark = ":CUR";
    static constexpr std::uint64_t anySize = 0;
    static constexpr std::size_t prefix = 14;  // length of the sequence name in the chunk id

    static std::string keyOf(std::string_view own, std::uint64_t stride) { return formatted("{}\n{}", {stride, own}); }

    void add(std::string_view key, std::uint32_t entry) {
        const StringId id = keys_.intern(key);
        if (id == first_.size()) first_.push_back(none);
        following_[entry] = std::exchange(first_[id], entry);
    }

    std::size_t firstOf(const std::string& key, std::size_t next) {
        const StringId id = keys_.find(key);
        if (id == none) return none;
        std::uint32_t& first = first_[id];
        for (; first != none && first / 2 < next; Budget::count(1)) first = following_[first];
        return first == none ? none : first / 2;
    }

    StringTable keys_;
    // Linked lists of sequences with the same search key. `first_` contains the start of each list.
    // Sequence i is in two lists; the elements 2 i and 2 i + 1 of `following_` contain the next
    // sequences.
    Vector<std::uint32_t> first_, following_;
};

/// Assigns curve chunks to sequences. Complete files contain one curve chunk per sequence, in the
/// order of sequences. In other files, chunks are matched by record size and by the first 14
/// characters of the sequence name, which the chunk id contains.
void assignCurves(const Psa& psa, const Vector<DeclaredCounts>& list, Vector<Sequence>& sequences, Diagnostics& diagnostics) {
    const auto fits = [&](const Chunk& chunk, std::size_t i) {
        return chunk.count == 0 || chunk.stride == curveField::values + 4 * list[i].frames;
    };
    Vector<const Chunk*> of(list.size());
    const bool isComplete = psa.curves.size() == list.size();
    std::optional<SequenceIndex> index;
    std::size_t next = 0;
    for (std::size_t k = 0; k < psa.curves.size(); ++k) {
        const Chunk& chunk = *psa.curves[k];
        if (!isComplete && !index) index.emplace(psa, list);
        const std::size_t at = isComplete ? k : index->find(chunk, next);
        if (at < list.size() && fits(chunk, at)) {
            of[at] = &chunk;
            next = at + 1;
        } else {
            diagnostics.add(Code::CURVE_MISMATCH, chunk.location());
        }
    }
    for (Sequence& sequence : sequences) sequence.curves = of[sequence.record];
}

double usableRate(const Records& records, std::size_t i, const std::string& name, Diagnostics& diagnostics) {
    const auto rate = records.get<float>(i, sequenceField::rate);
    if (rate >= 1e-3f && rate <= 480) return rate;
    diagnostics.add(Code::FRAME_RATE, {.offset = records.offsetOf(i) + sequenceField::rate, .path = path}, {"{}: {}", {name, rate}});
    return rate > 480 && rate <= 1e6f ? rate : 30;
}

}  // namespace

Psa readPsa(Bytes bytes, Diagnostics& diagnostics) {
    Psa psa;
    psa.directory = readDirectory(bytes, "ANIMHEAD", diagnostics);
    for (const Chunk& chunk : psa.directory.chunks) {
        switch (chunk.type) {
            case ChunkType::animationHead:
                break;
            case ChunkType::tracks:
                useRecords(chunk, boneField::size, psa.tracks, diagnostics);
                break;
            case ChunkType::sequences:
                useRecords(chunk, sequenceField::size, psa.sequences, diagnostics);
                break;
            case ChunkType::keys:
                useRecords(chunk, keyField::size, psa.keys, diagnostics);
                break;
            case ChunkType::scaleKeys:
                useRecords(chunk, scaleKeyField::size, psa.scaleKeys, diagnostics);
                break;
            case ChunkType::curves:
                if (chunk.count && chunk.stride < curveField::values)
                    diagnostics.add(Code::RECORD_TOO_SMALL, chunk.location());
                else
                    psa.curves.push_back(&chunk);
                break;
            default:
                reportUnknown(chunk, diagnostics);
        }
    }
    return psa;
}

Vector<Sequence> planSequences(const Psa& psa, Diagnostics& diagnostics) {
    Vector<Sequence> sequences;
    if (psa.sequences.empty()) return sequences;
    const Vector<DeclaredCounts> list = readCounts(psa, diagnostics);
    const Vector<std::uint64_t> starts = findStarts(psa, list, diagnostics);
    StringTable names;
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (!list[i].isUsable) continue;
        Sequence sequence;
        sequence.record = i;
        sequence.name = nameAt(psa.sequences, i, 0, path, diagnostics);
        sequence.group = nameAt(psa.sequences, i, sequenceField::group, path, diagnostics);
        sequence.firstKey = starts[i];
        sequence.tracksPerFrame = static_cast<std::uint32_t>(list[i].tracks);
        sequence.frames = static_cast<std::uint32_t>(list[i].frames);
        sequence.rate = usableRate(psa.sequences, i, sequence.name, diagnostics);
        if (!names.add(lowerAscii(sequence.name)))
            diagnostics.add(Code::SEQUENCE_NAME_DUPLICATE, {.offset = psa.sequences.offsetOf(i), .path = path}, sequence.name);
        // Uses the complete frames. Missing frames have already been reported as KEY_COUNT.
        if (list[i].keys()) {
            const std::uint64_t left = psa.keys.size() - std::min<std::uint64_t>(psa.keys.size(), sequence.firstKey);
            sequence.frames = static_cast<std::uint32_t>(std::min<std::uint64_t>(sequence.frames, left / sequence.tracksPerFrame));
            if (sequence.frames == 0) continue;
        }
        sequences.push_back(std::move(sequence));
    }
    assignScaleKeys(psa, list, sequences, diagnostics);
    assignCurves(psa, list, sequences, diagnostics);
    return sequences;
}

}  // namespace rigcast::unreal
