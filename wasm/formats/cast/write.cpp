#include "formats/cast/write.hpp"

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

    /// As deep as documents are: 512 at most.
    void writeNode(std::uint32_t index) {
        const CastNode& node = document_.nodes[index];
        const std::size_t start = out_.size();
        put(node.id);
        put(std::uint32_t{0});
        put(node.hash);
        // What an opaque rest holds is counted as the file counted it.
        put(node.isOpaque ? node.storedPropertyCount : node.propertyCount);
        const std::size_t childCount = out_.size();
        put(node.storedChildCount);
        for (const CastProperty& property : document_.propertiesOf(index)) {
            put(infoOf(property.type).code);
            put(static_cast<std::uint16_t>(property.name.size()));
            put(property.count);
            put(Bytes(reinterpret_cast<const std::uint8_t*>(property.name.data()), property.name.size()));
            put(property.payload);
        }
        std::uint32_t children = 0;
        for (const std::uint32_t child : document_.children(index)) {
            writeNode(child);
            ++children;
        }
        if (!node.isOpaque) patch(childCount, children);
        put(node.tail);
        patch(start + 4, static_cast<std::uint32_t>(out_.size() - start));
    }

    const CastDocument& document_;
    Vector<std::uint8_t> out_;
};

}  // namespace

Vector<std::uint8_t> writeCast(const CastDocument& document) { return Writer(document).run(); }

CastBuilder& CastBuilder::begin(std::uint32_t id, std::uint64_t hash) {
    CastNode node;
    node.id = id;
    node.hash = hash;
    node.parent = open_.empty() ? CastNode::noParent : open_.back();
    node.firstProperty = static_cast<std::uint32_t>(document_.properties.size());
    if (open_.empty()) ++document_.header.rootCount;
    open_.push_back(static_cast<std::uint32_t>(document_.nodes.size()));
    document_.nodes.push_back(node);
    return *this;
}

CastBuilder& CastBuilder::end() {
    assert(!open_.empty());
    document_.nodes[open_.back()].next = static_cast<std::uint32_t>(document_.nodes.size());
    open_.pop_back();
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
    assert(!open_.empty() && open_.back() + 1 == document_.nodes.size());  // properties come before children
    const Bytes keptName = keep(name.data(), name.size());
    CastProperty property;
    property.name = {reinterpret_cast<const char*>(keptName.data()), keptName.size()};
    property.payload = keep(payload.data(), payload.size());
    property.count = count;
    property.type = type;
    document_.properties.push_back(property);
    ++document_.nodes.back().propertyCount;
    return *this;
}

Bytes CastBuilder::keep(const void* data, std::size_t size) {
    const auto* bytes = static_cast<const std::uint8_t*>(data);
    return document_.storage.emplace_back(bytes, bytes + size);
}

}  // namespace rigcast
