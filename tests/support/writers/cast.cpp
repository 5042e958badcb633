#include "support/writers/cast.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "core/vector.hpp"

namespace rigcast {

namespace {

class Writer {
public:
    explicit Writer(const CastDocument& document) : document_(document) {}

    Vector<std::uint8_t> run() {
        put(CastHeader::magic);
        put(document_.header.version);
        const std::size_t count = out_.size();
        put(document_.header.rootCount);
        put(document_.header.flags);
        std::uint32_t roots = 0;
        for (const std::uint32_t root : document_.roots()) {
            writeNode(root);
            ++roots;
        }
        patch(count, roots);
        put(document_.tail);
        return std::move(out_);
    }

private:
    template <class T>
    void put(T value) {
        out_.resize(out_.size() + sizeof(T));
        std::memcpy(out_.data() + out_.size() - sizeof(T), &value, sizeof(T));
    }
    void put(Bytes bytes) { out_.insert(out_.end(), bytes.begin(), bytes.end()); }
    void patch(std::size_t at, std::uint32_t value) { std::memcpy(out_.data() + at, &value, sizeof(value)); }

    /// Writes a node and its children. Recursion is safe, because documents are at most 512 levels
    /// deep.
    void writeNode(std::uint32_t index) {
        const CastNode& node = document_.nodes[index];
        const std::size_t start = out_.size();
        put(document_.input.subspan(node.offset, CastNode::headerSize));
        // A node with unparsed bytes keeps its property count.
        if (!node.isOpaque) patch(start + 16, node.propertyCount);
        const std::size_t first = node.offset + CastNode::headerSize;
        std::size_t written = node.propertyCount ? document_.propertyEnds[node.firstProperty + node.propertyCount - 1] : first;
        put(document_.input.subspan(first, written - first));
        std::uint32_t children = 0;
        for (const std::uint32_t child : document_.children(index)) {
            writeNode(child);
            written = document_.nodes[child].end;
            ++children;
        }
        if (!node.isOpaque) patch(start + 20, children);
        put(document_.input.subspan(written, node.end - written));
        patch(start + 4, static_cast<std::uint32_t>(out_.size() - start));
    }

    const CastDocument& document_;
    Vector<std::uint8_t> out_;
};

}  // namespace

Vector<std::uint8_t> writeCast(const CastDocument& document) { return Writer(document).run(); }

CastBuilder::CastBuilder() {
    put(CastHeader::magic);
    put(CastHeader().version);
    put(CastHeader().rootCount);
    put(CastHeader().flags);
}

CastBuilder& CastBuilder::begin(std::uint32_t id, std::uint64_t hash) {
    constexpr std::size_t rootCount = 8, childCount = 20;
    count(open_.empty() ? rootCount : open_.back() + childCount);
    open_.push_back(file_.size());
    lastHash_ = hash;
    put(id);
    put(std::uint32_t{0});  // size, set later
    put(hash);
    put(std::uint64_t{0});  // no properties, no children
    isEmpty_ = true;
    return *this;
}

CastBuilder& CastBuilder::end() {
    assert(!open_.empty());
    const auto size = static_cast<std::uint32_t>(file_.size() - open_.back());
    std::memcpy(file_.data() + open_.back() + 4, &size, sizeof size);
    open_.pop_back();
    isEmpty_ = false;
    return *this;
}

CastBuilder& CastBuilder::text(std::string_view name, std::string_view value) {
    Vector<std::uint8_t> bytes(value.begin(), value.end());
    bytes.push_back(0);
    return raw(name, CastType::text, 1, bytes);
}

CastBuilder& CastBuilder::vec3(std::string_view name, float x, float y, float z) {
    const float numbers[] = {x, y, z};
    return floats(name, CastType::vec3, numbers);
}

CastBuilder& CastBuilder::vec4(std::string_view name, float x, float y, float z, float w) {
    const float numbers[] = {x, y, z, w};
    return floats(name, CastType::vec4, numbers);
}

CastBuilder& CastBuilder::floats(std::string_view name, CastType type, std::span<const float> numbers) {
    return values(name, type, numbers.data(), static_cast<std::uint32_t>(numbers.size() / infoOf(type).width));
}

CastBuilder& CastBuilder::integers(std::string_view name, std::span<const std::uint32_t> numbers) {
    const std::uint32_t largest = numbers.empty() ? 0 : *std::max_element(numbers.begin(), numbers.end());
    const auto count = static_cast<std::uint32_t>(numbers.size());
    if (largest > 0xFFFF) return values(name, CastType::u32, numbers.data(), count);
    if (largest > 0xFF) {
        const Vector<std::uint16_t> narrow(numbers.begin(), numbers.end());
        return values(name, CastType::u16, narrow.data(), count);
    }
    const Vector<std::uint8_t> narrow(numbers.begin(), numbers.end());
    return values(name, CastType::u8, narrow.data(), count);
}

CastBuilder& CastBuilder::values(std::string_view name, CastType type, const void* data, std::uint32_t count) {
    return raw(name, type, count, {static_cast<const std::uint8_t*>(data), std::size_t{count} * infoOf(type).size});
}

CastBuilder& CastBuilder::raw(std::string_view name, CastType type, std::uint32_t count, Bytes payload) {
    assert(!open_.empty() && isEmpty_);  // properties come before children
    constexpr std::size_t propertyCount = 16;
    this->count(open_.back() + propertyCount);
    put(infoOf(type).code);
    put(static_cast<std::uint16_t>(name.size()));
    put(count);
    file_.insert(file_.end(), name.begin(), name.end());
    file_.insert(file_.end(), payload.begin(), payload.end());
    return *this;
}

void CastBuilder::count(std::size_t at) {
    const std::uint32_t more = loadValue<std::uint32_t>(file_.data() + at) + 1;
    std::memcpy(file_.data() + at, &more, sizeof more);
}

template <class T>
void CastBuilder::put(T value) {
    file_.resize(file_.size() + sizeof value);
    std::memcpy(file_.data() + file_.size() - sizeof value, &value, sizeof value);
}

}  // namespace rigcast
