#include "formats/vgo/accessor.hpp"

#include <algorithm>
#include <cstring>

#include "core/order.hpp"
#include "core/vector.hpp"

namespace rigcast {

namespace {

std::uint32_t loadUnsigned(const std::uint8_t* at, std::size_t size) {
    std::uint32_t value = 0;
    std::memcpy(&value, at, size);
    return value;
}

bool isFloat(const VgoAccessor& accessor, std::uint32_t components) {
    return (accessor.type & 0xFF) == vgoF32 && accessor.components == components;
}

/// Positions of the indices and values of a sparse accessor. `readVgo` has checked them.
struct Entries {
    explicit Entries(const VgoAccessor& accessor)
        : data(accessor.data.data()),
          count(static_cast<std::size_t>(accessor.sparseCount)),
          indexSize(static_cast<std::size_t>(accessor.sparseIndexDataType) >> 4 == 3
                        ? 4
                        : static_cast<std::size_t>(accessor.sparseIndexDataType) >> 4),
          valueSize(accessor.sparseType == 2 ? accessor.componentSize : accessor.elementSize()) {}

    std::uint32_t index(std::size_t i) const { return loadUnsigned(data + i * indexSize, indexSize); }
    const std::uint8_t* value(std::size_t i) const { return data + count * indexSize + i * valueSize; }

    const std::uint8_t* data;
    std::size_t count, indexSize, valueSize;
};

}  // namespace

const VgoAccessor* usableAccessor(const VgoDocument& document, double index) {
    if (!(index >= 0 && index < static_cast<double>(document.accessors.size()))) return nullptr;
    const VgoAccessor& accessor = document.accessors[static_cast<std::size_t>(index)];
    return accessor.usable ? &accessor : nullptr;
}

void expandAccessor(const VgoAccessor& accessor, std::uint8_t* to) {
    if (!accessor.isSparse()) {
        if (!accessor.data.empty()) std::memcpy(to, accessor.data.data(), accessor.data.size());
        return;
    }
    std::fill_n(to, accessor.denseLength(), std::uint8_t{0});
    const Entries entries(accessor);
    for (std::size_t i = 0; i < entries.count; ++i)
        std::memcpy(to + std::size_t{entries.index(i)} * entries.valueSize, entries.value(i), entries.valueSize);
}

bool readFloats(const VgoAccessor& accessor, std::uint32_t components, Vector<float>& values) {
    if (!isFloat(accessor, components)) return false;
    values.resize(static_cast<std::size_t>(accessor.count) * components);
    expandAccessor(accessor, reinterpret_cast<std::uint8_t*>(values.data()));
    return true;
}

Column<float> floatColumn(const VgoAccessor& accessor, std::uint32_t components, Arena& arena, std::uint32_t block) {
    if (!isFloat(accessor, components)) return {};
    auto made = arena.allocate<float>(block, static_cast<std::uint64_t>(accessor.count) * components);
    if (made) expandAccessor(accessor, reinterpret_cast<std::uint8_t*>(made.values.data()));
    return made.column;
}

bool readUnsigned(const VgoAccessor& accessor, std::uint32_t components, Vector<std::uint32_t>& values) {
    const std::int64_t scalar = accessor.type & 0xFF;
    if (accessor.components != components || (scalar != vgoU8 && scalar != vgoU16 && scalar != vgoU32)) return false;
    Vector<std::uint8_t> bytes;
    const std::uint8_t* from = accessor.data.data();
    if (accessor.isSparse()) {
        bytes.resize(static_cast<std::size_t>(accessor.denseLength()));
        expandAccessor(accessor, bytes.data());
        from = bytes.data();
    }
    values.resize(static_cast<std::size_t>(accessor.count) * components);
    for (std::uint32_t& value : values) {
        value = loadUnsigned(from, accessor.componentSize);
        from += accessor.componentSize;
    }
    return true;
}

bool readNonZero(const VgoAccessor& accessor, std::uint32_t components, Vector<std::uint32_t>& elements, Vector<float>& values) {
    if (!isFloat(accessor, components)) return false;
    elements.clear();
    values.clear();
    const auto add = [&](std::uint32_t element) {
        elements.push_back(element);
        values.resize(values.size() + components);
        return values.data() + values.size() - components;
    };
    const auto dropIfZero = [&] {
        if (elements.empty() || !std::all_of(values.end() - components, values.end(), [](float value) { return value == 0; })) return;
        elements.pop_back();
        values.resize(values.size() - components);
    };
    if (!accessor.isSparse()) {
        for (std::uint32_t element = 0; element < static_cast<std::uint32_t>(accessor.count); ++element) {
            std::memcpy(add(element), accessor.data.data() + std::size_t{element} * accessor.elementSize(), accessor.elementSize());
            dropIfZero();
        }
        return true;
    }
    // Visits values in order of their element index. If several values have the same index, keeps
    // the last one, as `expandAccessor` does.
    const Entries entries(accessor);
    Vector<double> keys(entries.count);
    for (std::size_t i = 0; i < entries.count; ++i) keys[i] = entries.index(i);
    const std::uint32_t scalars =
        static_cast<std::uint32_t>(entries.valueSize / sizeof(float));  // floats per value: one, or a complete element
    for (const std::uint32_t i : ascendingOrder(keys)) {
        const std::uint64_t scalar = std::uint64_t{entries.index(i)} * scalars;
        const auto element = static_cast<std::uint32_t>(scalar / components);
        if (elements.empty() || elements.back() != element) {
            dropIfZero();
            add(element);
        }
        std::memcpy(values.data() + values.size() - components + scalar % components, entries.value(i), entries.valueSize);
    }
    dropIfZero();
    return true;
}

}  // namespace rigcast
