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

/// Counts of a sequence as declared in ANIMINFO; negative ones become 0.
struct Announced {
    std::uint64_t tracks = 0, frames = 0;
    bool isUsable = true;
    std::uint64_t keys() const { return tracks * frames; }
};

std::uint64_t keySum(const Vector<Announced>& list) {
    std::uint64_t sum = 0;
    for (const Announced& sequence : list) sum = std::min(sum + sequence.keys(), absurd);
    return sum;
}

Vector<Announced> readCounts(const Psa& psa, Diagnostics& diagnostics) {
    const Records& records = psa.sequences;
    Vector<Announced> list(records.size());
    bool disagrees = false;
    for (std::size_t i = 0; i < records.size(); ++i) {
        const auto tracks = records.get<std::int32_t>(i, sequenceField::trackCount);
        const auto frames = records.get<std::int32_t>(i, sequenceField::frameCount);
        const Place place{.offset = records.offsetOf(i), .path = path};
        if (tracks < 0 || frames < 0) {
            diagnostics.add(Code::NEGATIVE_COUNT, place, {"sequence {}", {i}});
            list[i].isUsable = false;
            continue;
        }
        list[i] = {static_cast<std::uint64_t>(tracks), static_cast<std::uint64_t>(frames), true};
        if (list[i].tracks == psa.tracks.size()) continue;
        diagnostics.add(Code::TRACK_COUNT, place, {"sequence {}: {} tracks for {} bones", {i, tracks, psa.tracks.size()}});
        disagrees = true;
    }
    if (!disagrees) return list;
    // If the number of keys matches the existing bones, only the counts of the sequences are wrong.
    Vector<Announced> corrected = list;
    for (Announced& sequence : corrected)
        if (sequence.isUsable) sequence.tracks = psa.tracks.size();
    if (keySum(corrected) == psa.keys.size()) return corrected;
    for (Announced& sequence : list) sequence.isUsable = sequence.isUsable && sequence.tracks == psa.tracks.size();
    return list;
}

/// Returns the first key of each sequence: the sum of the counts before it. FirstRawFrame is used
/// only if the sum differs from the number of keys and its ranges are inside the chunk without
/// overlap (old CUE4Parse stores the number of frames there, other writers 0).
Vector<std::uint64_t> findStarts(const Psa& psa, const Vector<Announced>& list, Diagnostics& diagnostics) {
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
    const Place place{.offset = psa.keys.empty() ? psa.sequences.offsetOf(0) : psa.keys.offsetOf(0), .path = "ANIMKEYS"};
    if (keys != psa.keys.size()) {
        diagnostics.add(Code::KEY_COUNT, place, {"{} keys, {} declared", {psa.keys.size(), keys}});
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
    if (wrong)  // a single sequence begins at the first key, whatever it declares
        diagnostics.add(Code::FIRST_FRAME_WRONG, list.size() > 1 ? Severity::warning : Severity::info,
                        {.offset = psa.sequences.offsetOf(firstWrong) + sequenceField::firstFrame, .path = path},
                        {"{} of {} sequences", {wrong, list.size()}});
    return sums;
}

/// Finds the scale keys: one per key, or only for sequences that declare some (section 7.3).
void placeScaleKeys(const Psa& psa, const Vector<Announced>& list, Vector<Sequence>& sequences, Diagnostics& diagnostics) {
    const std::uint64_t count = psa.scaleKeys.size();
    if (count == 0) return;  // UE1's own tool writes ScaleInclude = 1 without data
    const auto includes = [&](std::size_t i) { return psa.sequences.get<std::int32_t>(i, sequenceField::scaleInclude) == 1; };
    const auto place = [&](Sequence& sequence, std::uint64_t first) {
        sequence.hasScale = first + std::uint64_t{sequence.frames} * sequence.tracksPerFrame <= count;
        sequence.firstScale = first;
    };
    if (count == keySum(list)) {
        for (Sequence& sequence : sequences) place(sequence, sequence.firstKey);
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
        if (includes(sequence.record)) place(sequence, starts[sequence.record]);
}

/// Finds the sequence of a curve chunk, which contains only the start of the name and the size of a
/// record.
class SequenceIndex {
public:
    SequenceIndex(const Psa& psa, const Vector<Announced>& list) : following_(2 * list.size(), none) {
        for (std::uint32_t i = static_cast<std::uint32_t>(list.size()); i-- > 0;) {
            const std::string_view name = asText(psa.sequences.bytes(i, 0, prefix));
            const std::string_view own = name.substr(0, name.find('\0'));
            add(keyOf(own, anySize), 2 * i);
            add(keyOf(own, curveField::values + 4 * list[i].frames), 2 * i + 1);
        }
    }

    /// Returns the first sequence from `next` on that matches `chunk`, or `none`. `next` must not
    /// decrease.
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
    static constexpr std::size_t prefix = 14;  // characters of a name in the id of a chunk

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
        for (; first != none && first / 2 < next; Budget::note(1)) first = following_[first];
        return first == none ? none : first / 2;
    }

    StringTable keys_;
    // Linked lists: first_ by key, following_ by entry; sequence i has entries 2 i and 2 i + 1.
    Vector<std::uint32_t> first_, following_;
};

/// Assigns curve chunks to sequences. There is one per sequence, in order. If some are missing,
/// they are matched by the first 14 characters of the name, which the id contains, and by size.
void placeCurves(const Psa& psa, const Vector<Announced>& list, Vector<Sequence>& sequences, Diagnostics& diagnostics) {
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
            diagnostics.add(Code::CURVE_MISMATCH, chunk.place());
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
            case ChunkType::motionHead:
                break;
            case ChunkType::tracks:
                takeRecords(chunk, boneField::size, psa.tracks, diagnostics);
                break;
            case ChunkType::sequences:
                takeRecords(chunk, sequenceField::size, psa.sequences, diagnostics);
                break;
            case ChunkType::keys:
                takeRecords(chunk, keyField::size, psa.keys, diagnostics);
                break;
            case ChunkType::scaleKeys:
                takeRecords(chunk, scaleKeyField::size, psa.scaleKeys, diagnostics);
                break;
            case ChunkType::curves:
                if (chunk.count && chunk.stride < curveField::values)
                    diagnostics.add(Code::RECORD_TOO_SMALL, chunk.place());
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
    const Vector<Announced> list = readCounts(psa, diagnostics);
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
        // Complete frames that exist; KEY_COUNT is already reported if some are missing.
        if (list[i].keys()) {
            const std::uint64_t left = psa.keys.size() - std::min<std::uint64_t>(psa.keys.size(), sequence.firstKey);
            sequence.frames = static_cast<std::uint32_t>(std::min<std::uint64_t>(sequence.frames, left / sequence.tracksPerFrame));
            if (sequence.frames == 0) continue;
        }
        sequences.push_back(std::move(sequence));
    }
    placeScaleKeys(psa, list, sequences, diagnostics);
    placeCurves(psa, list, sequences, diagnostics);
    return sequences;
}

}  // namespace rigcast::unreal
