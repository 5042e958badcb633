// Reads the accessor list, then checks each accessor.
#include "formats/vgo/accessorList.hpp"

#include <algorithm>
#include <cstring>

#include "core/budget.hpp"
#include "core/code.hpp"
#include "core/text.hpp"

namespace rigcast {

namespace {

constexpr std::size_t mostAccessors = 1u << 18;
constexpr std::size_t mostDescribed = 100;      // maximum number of invalid accessors that are reported individually
constexpr std::int64_t mostExpanded = 1 << 24;  // maximum number of elements of a sparse accessor
// Accessors can share data. The maximum total size of all accessors in bytes is the size of the
// resource times `sharing`, plus `freeSharing`.
constexpr std::uint64_t sharing = 64, freeSharing = 64u << 20;

/// Returns the size of a scalar in bytes, or 0 if the data type is unknown.
std::uint32_t scalarSize(std::int64_t dataType) {
    switch (dataType & 0xFF) {
        case 0x10:
        case 0x11:
            return 1;
        case 0x20:
        case 0x21:
            return 2;
        case 0x30:
        case 0x31:
        case 0x50:
            return 4;
        default:
            return 0;
    }
}

std::uint32_t componentsOf(std::int64_t dataType) {
    switch (dataType >> 8) {
        case 0:
            return 1;
        case 0x12:
            return 2;
        case 0x13:
            return 3;
        case 0x14:
            return 4;
        case 0x24:
            return 16;
        default:
            return 0;
    }
}

class AccessorList {
public:
    AccessorList(VgoDocument& document, Diagnostics& diagnostics) : document_(document), diagnostics_(diagnostics) {}

    void keep(const Vector<Value>& list) {
        if (list.size() > mostAccessors) report(Code::OUT_OF_MEMORY, {.path = "accessors"}, {"{} accessors", {list.size()}});
        document_.accessors.resize(std::min(list.size(), mostAccessors));
        for (std::size_t i = 0; i < document_.accessors.size(); ++i) {
            VgoAccessor& accessor = document_.accessors[i];
            const Value& entry = list[i];
            // A table in the documentation of the format contains the name sparseValueOffset
            // instead of sparseValueByteOffset.
            constexpr struct {
                std::string_view name;
                std::int64_t VgoAccessor::*to;
            } members[] = {{"kind", &VgoAccessor::kind},
                           {"byteOffset", &VgoAccessor::byteOffset},
                           {"byteLength", &VgoAccessor::byteLength},
                           {"byteStride", &VgoAccessor::byteStride},
                           {"dataType", &VgoAccessor::dataType},
                           {"count", &VgoAccessor::count},
                           {"sparseType", &VgoAccessor::sparseType},
                           {"sparseCount", &VgoAccessor::sparseCount},
                           {"sparseIndexDataType", &VgoAccessor::sparseIndexDataType},
                           {"sparseValueDataType", &VgoAccessor::sparseValueDataType},
                           {"sparseValueOffset", &VgoAccessor::sparseValueByteOffset},
                           {"sparseValueByteOffset", &VgoAccessor::sparseValueByteOffset}};
            for (const auto& [name, to] : members)
                if (const Value* value = entry.find(name)) {
                    const double given = value->asNumber(0);
                    accessor.*to = given > -9e15 && given < 9e15 ? static_cast<std::int64_t>(given) : -1;
                }
        }
    }

    void proveAll() {
        const std::uint64_t mostRead = document_.resource.size() * sharing + freeSharing;
        std::uint64_t read = 0;
        std::size_t bad = 0;
        for (std::size_t i = 0; i < document_.accessors.size(); ++i) {
            VgoAccessor& accessor = document_.accessors[i];
            const std::string path = bad < mostDescribed ? formatted("accessors[{}]", {i}) : "accessors";
            accessor.usable = prove(accessor, path);
            if (accessor.usable) {
                const std::uint64_t bytes = accessor.isSparse() ? accessor.denseLength() : accessor.data.size();
                accessor.usable = bytes <= mostRead - read;
                if (accessor.usable)
                    read += bytes;
                else
                    report(Code::WORK_LIMIT, {.path = path}, {"{} bytes of data", {bytes}});
            }
            if (!accessor.usable && ++bad > mostDescribed + 1000) break;  // after this many invalid accessors, the others are ignored
        }
    }

private:
    void report(Code code, const Location& location, const Detail& detail) { diagnostics_.add(code, location, detail); }
    void report(Code code, Severity severity, const Location& location, const Detail& detail) {
        diagnostics_.add(code, severity, location, detail);
    }

    bool prove(VgoAccessor& accessor, std::string_view path) {
        const Location location{.path = path};
        const auto refuse = [&](Code code, const Detail& detail) {
            report(code, Severity::error, location, detail);
            return false;
        };
        const std::int64_t dataType = accessor.dataType, count = accessor.count, length = accessor.byteLength;
        // Treats float colours as floats, although all writers declare them as bytes (E1).
        const bool areFloats =
            dataType == vgoVec4U8 && !accessor.isSparse() && (accessor.byteStride == 16 || (length > 0 && length == 16 * count));
        accessor.type = areFloats ? std::int64_t{vgoVec4F32} : dataType;
        accessor.componentSize = dataType > 0 ? scalarSize(accessor.type) : 0;
        accessor.components = componentsOf(accessor.type);
        if (accessor.elementSize() == 0) return refuse(Code::ACCESSOR_TYPE, {"data type {}", {dataType}});
        if (accessor.byteOffset < 0 || length < 0 || accessor.byteOffset + length > static_cast<std::int64_t>(document_.resource.size()))
            return refuse(Code::ACCESSOR_RANGE, {"{} bytes at {} of {}", {length, accessor.byteOffset, document_.resource.size()}});
        if (count < 0) return refuse(Code::ACCESSOR_COUNT, {"{} elements", {count}});
        const Bytes range = document_.resource.subspan(static_cast<std::size_t>(accessor.byteOffset), static_cast<std::size_t>(length));
        const auto detail = [&] { return formatted("{} elements in {} bytes", {count, length}); };
        if (accessor.isSparse()) {
            accessor.data = range;
            return proveSparse(accessor, path);
        }
        const std::int64_t size = accessor.elementSize();
        if (count > length / size) return refuse(Code::ACCESSOR_COUNT, detail());
        if (count * size < length) report(Code::ACCESSOR_COUNT, location, detail());
        accessor.data = range.first(static_cast<std::size_t>(count * size));
        return true;
    }

    bool proveSparse(const VgoAccessor& accessor, std::string_view path) {
        const auto refuse = [&](Code code, const Detail& detail) {
            report(code, Severity::error, {.path = path}, detail);
            return false;
        };
        const bool isPowerful = accessor.sparseType == 2;
        const std::int64_t indexType = accessor.sparseIndexDataType, entries = accessor.sparseCount;
        const std::int64_t valueSize = isPowerful ? accessor.componentSize : accessor.elementSize();
        const bool knows = (accessor.sparseType == 1 && accessor.sparseValueDataType == accessor.dataType) ||
                           (isPowerful && accessor.sparseValueDataType == vgoF32 && (accessor.dataType & 0xFF) == vgoF32);
        if (!knows) return refuse(Code::ACCESSOR_SPARSE, "unknown sparse form");
        if (indexType != vgoU8 && indexType != vgoU16 && indexType != vgoU32)
            return refuse(Code::ACCESSOR_SPARSE, {"data type {} of its indices", {indexType}});
        const std::int64_t indexSize = scalarSize(indexType);
        if (entries < 0 || entries > accessor.byteLength || indexSize * entries != accessor.sparseValueByteOffset ||
            accessor.sparseValueByteOffset + valueSize * entries != accessor.byteLength)
            return refuse(Code::ACCESSOR_SPARSE, "the indices and values do not match the byte length");
        if (accessor.count > mostExpanded) return refuse(Code::OUT_OF_MEMORY, {"{} elements", {accessor.count}});
        if (!Budget::spend(static_cast<std::uint64_t>(entries))) return refuse(Code::WORK_LIMIT, {"{} entries", {entries}});
        const std::uint64_t end = static_cast<std::uint64_t>(accessor.count) * (isPowerful ? accessor.components : 1u);
        for (std::int64_t i = 0; i < entries; ++i) {
            std::uint32_t index = 0;
            std::memcpy(&index, accessor.data.data() + i * indexSize, static_cast<std::size_t>(indexSize));
            if (index >= end) return refuse(Code::ACCESSOR_SPARSE, {"index {} of {}", {index, end}});
        }
        return true;
    }

    VgoDocument& document_;
    Diagnostics& diagnostics_;
};

}  // namespace

void readVgoAccessorList(const Vector<Value>& list, VgoDocument& document, Diagnostics& diagnostics) {
    AccessorList(document, diagnostics).keep(list);
}

void checkVgoAccessors(VgoDocument& document, Diagnostics& diagnostics) { AccessorList(document, diagnostics).proveAll(); }

}  // namespace rigcast
