// Validates each field of a scene against its rule in scene.def. validate.cpp checks relations
// between fields.
#pragma once

#include <cmath>
#include <limits>
#include <string>
#include <string_view>

#include "core/vector.hpp"
#include "scene/schema.hpp"

namespace rigcast {

/// An element of a path such as meshes[3].morphs[0]. The path is formatted only if a check fails.
struct PathPart {
    const PathPart* owner = nullptr;
    std::string_view list;
    std::size_t index = none;

    std::string text() const;
};

inline bool isSmall(double value) { return std::fabs(value) <= double{std::numeric_limits<float>::max()}; }

/// Visits all structs of a scene: checks every field, then calls `relations`.
class Promises {
public:
    Promises(const Scene& scene, const Arena& arena, std::size_t limit) : scene_(scene), arena_(arena), limit_(limit) {}

protected:
    ~Promises() = default;

    /// Checks relations between the fields of a struct. Called after each field has been checked on
    /// its own.
    virtual void relations(StructId id, const void* object) = 0;

    void check(StructId id, const void* object);

    bool full() const { return broken_.size() >= limit_; }
    /// Reports a failed check of `member` at the current path.
    void report(std::string_view member, std::string_view what);

    template <class Run>
    void inside(const PathPart& location, Run run) {
        const PathPart* const outer = at_;
        at_ = &location;
        run();
        at_ = outer;
    }
    template <class Entries, class Check>
    void each(std::string_view name, const Entries& entries, Check checkEntry) {
        for (std::size_t i = 0; i < entries.size() && !full(); ++i) inside({at_, name, i}, [&] { checkEntry(entries[i]); });
    }

    void index(std::string_view member, std::uint64_t value, std::size_t size);
    bool areAsMany(std::string_view member, std::uint64_t count, std::uint64_t expected);
    bool allFinite(std::string_view member, std::span<const float> values);
    template <class T>
    void allBelow(std::string_view member, std::span<const T> values, std::uint64_t size);

    /// Sets `values` to the memory of a column if it is aligned and contiguous in `block`.
    /// Otherwise reports a failure and returns false.
    template <class T>
    bool column(std::string_view member, const Column<T>& data, std::uint32_t block, std::span<const T>& values);
    template <class T>
    bool column(std::string_view member, const Column<T>& data, std::uint32_t block, std::uint64_t count, std::span<const T>& values) {
        return column(member, data, block, values) && areAsMany(member, values.size(), count);
    }

    const Scene& scene_;
    const Arena& arena_;
    Vector<std::string> broken_;
    const PathPart* at_ = nullptr;  // current path
    std::uint32_t block_ = none;    // block that must contain the columns
    std::uint64_t rows_ = 0;        // number of rows that the columns must have

private:
    void field(const FieldInfo& info, const char* name, const schema::Rule& rule, const void* value);
    template <class T>
    void columnField(const char* name, const schema::Rule& rule, const Column<T>& data);
    void structs(const char* name, StructId id, const void* list);
    void text(std::string_view member, std::string_view value);
    void finite(std::string_view member, double value);
    void properties(std::string_view member, const Properties& bag, int depth);
    void property(std::string_view member, const Value& value, int depth);
    std::size_t sizeOf(List list) const;

    const std::size_t limit_;
};

template <class T>
void Promises::allBelow(std::string_view member, std::span<const T> values, std::uint64_t size) {
    // Contains no branches, so that compilers vectorise the loop. The highest bit of the result is
    // set if a value exceeds `last`.
    const std::uint32_t last = static_cast<std::uint32_t>(size - 1);
    std::uint32_t bad = size == 0 || size > 0x80000000u ? 0x80000000u : 0;
    for (const T value : values) bad |= (last - value) | value;
    if (!(bad & 0x80000000u)) return;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (values[i] < size) continue;
        return report(member, "entry " + std::to_string(i) + " is " + std::to_string(values[i]) + ", not below " + std::to_string(size));
    }
}

template <class T>
bool Promises::column(std::string_view member, const Column<T>& data, std::uint32_t block, std::span<const T>& values) {
    if (data.block >= arena_.blocks().size()) {
        report(member, "lies in no block");
    } else if (data.block != block) {
        report(member, "lies in another block than its owner");
    } else if (data.offset % sizeof(T) != 0) {
        report(member, "is not aligned");
    } else {
        values = arena_.values(data);
        if (values.size() == data.count) return true;
        report(member, "does not lie inside a piece of its block");
    }
    return false;
}

}  // namespace rigcast
