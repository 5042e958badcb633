// Functions of the tree reader for damaged files and unknown nodes.
#include "core/text.hpp"
#include "formats/cast/tree.hpp"
#include "scene/scene.hpp"

namespace rigcast {

constexpr std::uint32_t nowhere = CastNode::noParent;

void CastTreeReader::run() {
    position_ = CastHeader::size;
    for (std::uint32_t roots = 0; roots != document_.header.rootCount && !stopped_; ++roots) {
        if (size_ - position_ < CastNode::headerSize) {
            add(Code::TRUNCATED, Severity::error, nowhere, position_,
                {"the file declares {} roots, but has {}", {document_.header.rootCount, roots}});
            stopped_ = true;
            break;
        }
        openNode(size_);
        readOpen();
    }
    if (unknown_.isActive) findings_.merge(unknown_.findings);
    for (; !open_.empty(); open_.pop_back()) seal(open_.back().node);
    if (!stopped_ && position_ < size_) {
        document_.tail = bytes_.subspan(position_);
        findings_.add(Code::TRAILING_BYTES, Severity::warning, nowhere, position_, {"{} bytes", {size_ - position_}});
    }
}

void CastTreeReader::add(Code code, Severity severity, std::uint32_t node, std::uint64_t offset, const Detail& detail,
                         std::string_view property) {
    (unknown_.isActive ? unknown_.findings : findings_).add(code, severity, node, offset, detail, property);
}

void CastTreeReader::loadRest() {
    source_->load(static_cast<std::size_t>(position_), static_cast<std::size_t>(size_ - position_));
    source_ = nullptr;
}

std::size_t CastTreeReader::roomAfter(std::uint64_t capacity, std::size_t size) {
    // Extrapolates the final length of the list from the bytes read so far, and adds one sixteenth.
    const std::uint64_t expected = capacity * size_ / position_ * 17 / 16;
    const std::uint64_t wanted = capacity == 0 ? 256 : std::clamp(expected, capacity * 5 / 4, capacity * 4);
    if (wanted * size <= 0x7FFFFFFF && Budget::affords(wanted * size)) return static_cast<std::size_t>(wanted);
    document_.outOfMemory = true;
    stopped_ = true;
    return 0;
}

void CastTreeReader::openIrregular(std::uint64_t endOfParent) {
    const Open& open = open_.back();
    if (open_.size() > CastNode::maximumDepth) {
        const std::uint32_t outermost = unknown_.isActive ? open_[unknown_.depth - 1].node : open.node;
        findings_.add(Code::NESTING_TOO_DEEP, Severity::error, outermost, nodeOf(open).offset);
        return keepRestOpaque();
    }
    unknown_.isActive = true;
    unknown_.depth = open_.size();
    unknown_.limitBefore = limit_;
    // Adds 24 bytes, because some writers do not include the header of a node in its size.
    if (open.isSized) limit_ = std::min(endOfParent, open.end + CastNode::headerSize);
}

void CastTreeReader::ignoreSize(Open& open) {
    open.isSized = open.isCertain = false;
    open.end = limit_;
    for (std::size_t i = open_.size() - 1; i-- > 0;) {
        if (open_[i].end > position_) {
            open.end = std::min(limit_, open_[i].end);
            break;
        }
    }
}

bool CastTreeReader::mayHaveMore(const Open& open) const {
    // There are two cases. First case: NodeSize does not include the children.
    const std::uint64_t parentEnd = open_.size() > 1 ? open_[open_.size() - 2].end : size_;
    if (open.isSized && open.childrenRead == 0 && parentEnd > open.end) return true;
    // Second case: NodeSize does not include the header of the last child, which is an empty node.
    return position_ < limit_ && isBoundary(position_) && loadValue<std::uint32_t>(bytes_.data() + position_ + 4) < CastNode::headerSize;
}

void CastTreeReader::missingChildren(Open& open) {
    failTruncated(nodeOf(open).offset, {"declares {} children, but has {}", {open.childrenRead + open.childrenLeft, open.childrenRead}});
}

bool CastTreeReader::endsProperties(Open& open) {
    if (!isBoundary(position_)) {
        fail(Code::PROPERTY_TYPE_UNKNOWN, open.isSized ? Severity::warning : Severity::error, position_,
             {"type code {}", {loadValue<std::uint16_t>(bytes_.data() + position_)}});
        return false;
    }
    // A node begins here instead of a property. The property count is therefore too large, and the
    // children begin here.
    add(Code::TRUNCATED, Severity::error, open.node, nodeOf(open).offset, "declares more properties than it has");
    if (unknown_.isActive) {
        failUnknown();
        return false;
    }
    open.propertiesLeft = 0;
    return true;
}

void CastTreeReader::checkName(const Open& open, std::uint64_t at, std::string_view name) {
    const auto warn = [&](const char* problem) { add(Code::NAME_DAMAGED, Severity::warning, open.node, at, problem, name); };
    if (name.empty())
        warn("a property without a name");
    else if (name.find('\0') != std::string_view::npos)
        warn("a property name contains a NUL");
    else if (!isValidUtf8(name))
        warn("a property name is not UTF-8");
}

void CastTreeReader::checkText(const Open& open, std::uint64_t at, std::string_view name, std::uint32_t count, Bytes payload) {
    if (count != 1) add(Code::STRING_COUNT, Severity::warning, open.node, at, {"{} strings", {count}}, name);
    if (!isValidUtf8(asText(payload))) add(Code::NAME_DAMAGED, Severity::warning, open.node, at, "a string is not UTF-8", name);
}

void CastTreeReader::checkDuplicates(std::uint32_t node) {
    StringTable names;
    for (const CastProperty& property : document_.propertiesOf(node))
        if (!names.add(property.name))
            add(Code::PROPERTY_DUPLICATE, Severity::warning, node, document_.nodes[node].offset, {}, property.name);
}

void CastTreeReader::fail(Code code, Severity severity, std::uint64_t found, const Detail& detail, std::string_view property) {
    if (unknown_.isActive) return failUnknown();
    add(code, severity, open_.back().node, found, detail, property);
    keepRestOpaque();
}

void CastTreeReader::keepRestOpaque() {
    const Open open = open_.back();
    if (!open.isSized || open.end < position_) {
        stopped_ = true;
        return;
    }
    // If a writer does not include the header in NodeSize, the node ends 24 bytes after the
    // declared end.
    const std::uint64_t later = open.end + CastNode::headerSize;
    position_ = !isBoundary(open.end) && isBoundary(later) ? later : open.end;
    nodeOf(open).isOpaque = true;
    leave();
}

void CastTreeReader::failUnknown() {
    open_.resize(unknown_.depth);
    const Open open = open_.back();
    CastNode& node = nodeOf(open);
    document_.propertyEnds.resize(node.firstProperty);
    node.propertyCount = 0;
    document_.nodes.resize(open.node + 1);
    limit_ = unknown_.limitBefore;
    unknown_ = {};
    if (open.isSized) {
        findings_.add(Code::UNKNOWN_NODE, Severity::info, open.node, node.offset, "kept as it is");
    } else {
        findings_.add(Code::TRUNCATED, Severity::error, open.node, node.offset, "a node of unknown type and size");
    }
    position_ = node.offset + CastNode::headerSize;
    keepRestOpaque();
}

bool CastTreeReader::acceptSize(const Open& open) {
    const CastNode& node = nodeOf(open);
    const std::uint32_t nodeSize = document_.nodeSize(open.node);
    if (position_ == std::uint64_t{node.offset} + nodeSize + CastNode::headerSize) {
        add(Code::NODE_SIZE, Severity::info, open.node, node.offset, "does not count the node's own header");
    } else if (unknown_.isActive && unknown_.depth == open_.size() && open.isSized && position_ > open.end) {
        failUnknown();
        return false;
    } else if (open.isSized && position_ < open.end) {
        add(Code::NODE_SIZE, Severity::warning, open.node, node.offset, {"{} unused bytes", {open.end - position_}});
        const bool sizeIsWrong = isBoundary(position_) && !isBoundary(open.end);
        if (!sizeIsWrong) position_ = open.end;
    } else {
        add(Code::NODE_SIZE, Severity::warning, open.node, node.offset, {"{} instead of {}", {nodeSize, position_ - node.offset}});
    }
    return true;
}

void CastTreeReader::closeUnknown(const Open& open) {
    // Reports only the outermost unknown node.
    if (unknown_.depth != open_.size()) return;
    limit_ = unknown_.limitBefore;
    findings_.merge(unknown_.findings);
    unknown_ = {};
    add(Code::UNKNOWN_NODE, Severity::info, open.node, nodeOf(open).offset);
}

}  // namespace rigcast
