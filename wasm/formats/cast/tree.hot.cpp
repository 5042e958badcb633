#include "formats/cast/tree.hpp"

#include <cstring>

#include "core/vector.hpp"
#include "formats/cast/curves.hpp"

namespace rigcast {

namespace {

/// Maximum number of properties for which all pairs are compared to find duplicates.
constexpr std::uint32_t few = 16;

}  // namespace

// Not inlined, because the callers are compiled for size.
[[gnu::noinline]] void CastTreeReader::readOpen() {
    while (!stopped_ && !open_.empty()) {
        Open& open = open_.back();
        if (open.propertiesLeft)
            readProperties(open);
        else if (open.childrenLeft)
            nextChild(open);
        else
            closeNode(open);
    }
}

void CastTreeReader::openNode(std::uint64_t endOfParent) {
    if (!makeRoom(document_.nodes)) return;
    const std::uint8_t* header = bytes_.data() + position_;
    CastNode node;
    node.id = loadValue<std::uint32_t>(header);
    node.rule = castRule(node.id);
    node.offset = static_cast<std::size_t>(position_);
    node.parent = open_.empty() ? CastNode::noParent : open_.back().node;
    node.firstProperty = static_cast<std::uint32_t>(document_.propertyEnds.size());
    document_.isForRuns &= isUnrelatedToCurves(node.id);
    const auto index = static_cast<std::uint32_t>(document_.nodes.size());
    document_.nodes.push_back(node);

    const auto nodeSize = loadValue<std::uint32_t>(header + 4);
    const bool isSized = nodeSize >= CastNode::headerSize && nodeSize <= endOfParent - position_;
    const std::uint64_t end = isSized ? position_ + nodeSize : endOfParent;
    open_.push_back(
        {index, end, isSized, isSized && isBoundary(end), loadValue<std::uint32_t>(header + 16), loadValue<std::uint32_t>(header + 20)});
    position_ += CastNode::headerSize;

    if (open_.size() > CastNode::maximumDepth || (!node.rule && !unknown_.isActive)) openIrregular(endOfParent);
}

void CastTreeReader::nextChild(Open& open) {
    if (position_ > open.end) ignoreSize(open);
    if (position_ == open.end) {
        if (!mayHaveMore(open)) return missingChildren(open);
        ignoreSize(open);
    }
    const std::uint64_t end = open.isCertain ? open.end : limit_;
    if (end - position_ < CastNode::headerSize) return missingChildren(open);
    if (isInRuns_ && document_.isForRuns && open.isCertain && nodeOf(open).id == castIds::animation && addCurveRun(open)) return;
    --open.childrenLeft;
    ++open.childrenRead;
    openNode(open.end);
}

bool CastTreeReader::addCurveRun(Open& open) {
    const auto start = static_cast<std::size_t>(position_), end = static_cast<std::size_t>(open.end);
    if (loadValue<std::uint32_t>(bytes_.data() + start + 4) >= castFarSize) return false;
    CastCurveWalk walk(bytes_, source_, start);
    // The headers of these curves are in memory.
    if (walk.pass(end, std::min(fewestCastCurves, open.childrenLeft)) < fewestCastCurves) return false;
    walk.seek(start);
    CastCurve curve;
    std::uint32_t count = 0;
    while (count < open.childrenLeft && walk.next(end, curve) && isPlainCurve(curve)) {
        position_ = walk.position();
        ++count;
    }
    const bool isRun = count >= fewestCastCurves;
    if (!isRun) position_ = start;
    if (isRun && makeRoom(document_.nodes)) {
        const auto index = static_cast<std::uint32_t>(document_.nodes.size());
        CastNode run;
        run.id = castIds::curve;
        run.rule = castRule(run.id);
        run.offset = start;
        run.parent = open.node;
        run.firstProperty = static_cast<std::uint32_t>(document_.propertyEnds.size());
        run.curves = count;
        document_.nodes.push_back(run);
        seal(index);
        document_.hasRuns = true;
        open.childrenLeft -= count;
        open.childrenRead += count;
    }
    walk.seek(static_cast<std::size_t>(position_));
    if (source_ && open.childrenLeft > 0 && walk.pass(end, 1)) loadRest();
    return isRun;
}

void CastTreeReader::readProperties(Open& open) {
    CastName names[few];
    std::uint32_t count = 0;
    bool mayRepeat = false;
    while (open.propertiesLeft) {
        const std::uint64_t at = position_;
        if (limit_ - at < CastProperty::headerSize || (at == open.end && open.isCertain))
            return failTruncated(nodeOf(open).offset, "declares more properties than it has");
        const std::uint8_t* header = bytes_.data() + at;
        const auto code = loadValue<std::uint16_t>(header);
        const CastType type = castTypeOf(code);
        const CastTypeInfo& info = infoOf(type);
        if (info.code != code) {
            if (endsProperties(open)) break;
            return;
        }
        const auto nameLength = loadValue<std::uint16_t>(header + 2);
        const auto elements = loadValue<std::uint32_t>(header + 4);
        if (nameLength > limit_ - at - CastProperty::headerSize) return failTruncated(at, "a property's name");
        const std::string_view name{reinterpret_cast<const char*>(header + CastProperty::headerSize), nameLength};
        const std::uint64_t start = at + CastProperty::headerSize + nameLength;
        std::uint64_t length = std::uint64_t{elements} * info.size;
        const std::uint64_t end = open.isCertain && open.end >= start ? open.end : limit_;
        if (type == CastType::text && !stringLength(elements, start, end, length))
            return fail(Code::STRING_UNTERMINATED, Severity::error, start, {}, name);
        if (length > end - start) return failTruncated(at, {"{} elements", {elements}}, name);
        if (!makeRoom(document_.propertyEnds)) return;
        position_ = start + length;
        document_.propertyEnds.push_back(static_cast<std::size_t>(position_));
        nodeOf(open).propertyCount = count + 1;
        --open.propertiesLeft;
        bool isPlain = !name.empty();
        // The conversion is needed because `char` is unsigned on some platforms.
        for (const char c : name) isPlain &= static_cast<signed char>(c) > 0;
        if (!isPlain) checkName(open, at, name);
        if (type == CastType::text) checkText(open, at, name, elements, bytes_.subspan(start, length));
        const CastName own = name;
        for (std::uint32_t i = 0; i < std::min(count, few); ++i) mayRepeat |= names[i] == own;
        if (count < few) names[count] = own;
        ++count;
    }
    if (mayRepeat || count > few) checkDuplicates(open.node);
}

bool CastTreeReader::stringLength(std::uint32_t count, std::uint64_t start, std::uint64_t end, std::uint64_t& length) const {
    length = 0;
    if (count > end - start) return false;
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint8_t* from = bytes_.data() + start + length;
        const void* stop = end - start > length ? std::memchr(from, 0, static_cast<std::size_t>(end - start - length)) : nullptr;
        if (!stop) return false;
        length += static_cast<std::uint64_t>(static_cast<const std::uint8_t*>(stop) - from) + 1;
    }
    return true;
}

void CastTreeReader::closeNode(Open& open) {
    const CastNode& node = nodeOf(open);
    if (position_ != std::uint64_t{node.offset} + document_.nodeSize(open.node) && !acceptSize(open)) return;
    if (!node.rule) closeUnknown(open);
    leave();
}

[[gnu::noinline]] void CastDocument::find(std::uint32_t node, std::span<const CastName> names, CastProperty* found) const {
    Budget::count(nodes[node].propertyCount / 64);
    for (const CastProperty& property : propertiesOf(node)) {
        const CastName name = property.name;
        for (std::size_t i = 0; i < names.size(); ++i)
            if (names[i] == name) found[i] = property;
    }
}

}  // namespace rigcast
