#include "formats/cast/index.hpp"

#include <algorithm>
#include <cstring>

#include "core/text.hpp"
#include "formats/cast/curves.hpp"
#include "formats/cast/document.hpp"

namespace rigcast {

namespace {

/// Visits nodes and loads them into memory. The functions that return bool return false if a node
/// is malformed or cut off.
class CastIndexReader {
public:
    CastIndexReader(Source& source, Bytes bytes) : source_(source), bytes_(bytes) {}

    bool read() {
        if (!need(CastHeader::size)) return false;
        position_ = CastHeader::size;
        for (auto roots = word(8); roots > 0; --roots)
            if (!readNode(bytes_.size(), 0)) return false;
        return position_ == bytes_.size();
    }

private:
    std::uint32_t word(std::size_t at) const { return loadValue<std::uint32_t>(bytes_.data() + at); }

    /// Loads all bytes before `end` that were not skipped. Returns false if the file ends before
    /// `end`.
    bool need(std::size_t end) {
        if (end > bytes_.size()) return false;
        if (end <= loaded_) return true;
        constexpr std::size_t most = 0x10000;
        ahead_ = std::min(2 * ahead_, most);
        const std::size_t to = std::min(bytes_.size(), std::max(end, loaded_ + ahead_));
        source_.load(loaded_, to - loaded_);
        loaded_ = to;
        return true;
    }

    void passOver(std::size_t to) {
        position_ = to;
        if (to > loaded_) {
            loaded_ = to;
            ahead_ = few;
        }
    }

    bool readNode(std::size_t end, std::size_t depth) {
        constexpr std::size_t deepest = 8;  // maximum depth; valid trees have five levels
        const std::size_t at = position_;
        if (depth > deepest || end - at < CastNode::headerSize || !need(at + CastNode::headerSize)) return false;
        const std::uint32_t id = word(at), size = word(at + 4);
        if (!castRule(id) || size < CastNode::headerSize || size > end - at) return false;
        const std::size_t stop = at + size;
        position_ += CastNode::headerSize;
        for (auto properties = word(at + 16); properties > 0; --properties)
            if (!readProperty(id, stop)) return false;
        isForRuns_ &= isUnrelatedToCurves(id);
        for (auto children = word(at + 20); children > 0; --children) {
            if (id == castIds::animation) children -= passCurves(stop, children);
            if (children == 0) break;
            if (!readNode(stop, depth + 1)) return false;
        }
        return position_ == stop;
    }

    /// Skips curves, which `CastTreeReader` later reads in windows. Returns the number of skipped
    /// curves.
    std::uint32_t passCurves(std::size_t stop, std::uint32_t most) {
        if (!isForRuns_ || stop - position_ < CastNode::headerSize || !need(position_ + CastNode::headerSize)) return 0;
        if (word(position_ + 4) >= castFarSize) return 0;
        CastCurveWalk walk(bytes_, &source_, position_);
        const std::uint32_t count = walk.pass(stop, most);
        if (count < fewestCastCurves) return 0;
        passOver(walk.position());
        return count;
    }

    bool readProperty(std::uint32_t node, std::size_t stop) {
        const std::size_t at = position_;
        if (stop - at < CastProperty::headerSize || !need(at + CastProperty::headerSize)) return false;
        const auto code = loadValue<std::uint16_t>(bytes_.data() + at);
        const std::size_t nameLength = loadValue<std::uint16_t>(bytes_.data() + at + 2), start = at + CastProperty::headerSize + nameLength;
        const CastType type = castTypeOf(code);
        if (infoOf(type).code != code || start > stop || !need(start)) return false;
        if (type == CastType::text) {
            position_ = start;
            for (auto texts = word(at + 4); texts > 0; --texts)
                if (!readText(stop)) return false;
            return true;
        }
        const std::uint64_t length = std::uint64_t{word(at + 4)} * infoOf(type).size;
        if (length > stop - start) return false;
        const std::size_t end = start + static_cast<std::size_t>(length);
        const CastName name = asText(bytes_.subspan(start - nameLength, nameLength));
        const bool isLong = node == castIds::mesh || (node == castIds::curve && name == CastName("kv"));
        if (isLong && length >= castFarSize) {
            passOver(end);
            return true;
        }
        position_ = end;
        return need(end);
    }

    bool readText(std::size_t stop) {
        for (;;) {
            const std::size_t end = std::min(stop, loaded_);
            const void* zero = position_ < end ? std::memchr(bytes_.data() + position_, 0, end - position_) : nullptr;
            if (zero) {
                position_ = static_cast<std::size_t>(static_cast<const std::uint8_t*>(zero) - bytes_.data()) + 1;
                return true;
            }
            if (end == stop) return false;
            position_ = end;
            if (!need(end + 1)) return false;
        }
    }

    // Initial number of bytes to read ahead. The number doubles with each read until bytes are
    // skipped.
    static constexpr std::size_t few = 256;

    Source& source_;
    Bytes bytes_;
    std::size_t position_ = 0, loaded_ = 0, ahead_ = few;
    bool isForRuns_ = true;
};

}  // namespace

bool isLargeCast(Bytes head) {
    const auto wordAt = [&](std::uint64_t at) {
        return at + 4 <= head.size() ? loadValue<std::uint32_t>(head.data() + static_cast<std::size_t>(at)) : 0;
    };
    // Finds each node from the sizes of the nodes before it.
    std::uint64_t at = CastHeader::size + CastNode::headerSize;
    while (wordAt(at) == castIds::metadata) at += std::max<std::uint32_t>(wordAt(at + 4), CastNode::headerSize);
    constexpr std::uint32_t large = isUnderSanitizer ? 0 : 0x10000;
    return (wordAt(at) == castIds::model || wordAt(at) == castIds::animation) && wordAt(CastHeader::size + 4) >= large;
}

void loadCastIndex(Source& source, Bytes bytes) {
    if (!CastIndexReader(source, bytes).read()) source.load(0, bytes.size());
}

}  // namespace rigcast
