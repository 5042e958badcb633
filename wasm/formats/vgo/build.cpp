#include "formats/vgo/build.hpp"

#include <cmath>
#include <limits>

#include "core/code.hpp"
#include "core/vector.hpp"
#include "scene/lower.hpp"

namespace rigcast {

namespace {

constexpr int deepest = 48;  // maximum depth; scenes allow 64

/// Steps of the work budget per container and per member of an object. A container can be as small
/// as two bytes in the file, but needs much more memory in JavaScript.
constexpr std::uint64_t stepsPerContainer = 64, stepsPerMember = 8;

/// Removes parts of a value that are nested deeper than `depth`. Returns the number of steps that
/// passing the value to JavaScript takes from the work budget.
std::uint64_t trim(Value& value, int depth) {
    std::uint64_t steps = 0;
    if (depth == 0) {
        value = {};
    } else if (auto* list = value.get<Vector<Value>>()) {
        steps = stepsPerContainer;
        for (Value& entry : *list) steps += trim(entry, depth - 1);
    } else if (auto* members = value.get<Properties>()) {
        erase_if(*members, [](const Property& member) { return member.value.isNull(); });
        steps = stepsPerContainer + stepsPerMember * members->size();
        for (Property& member : *members) steps += trim(member.value, depth - 1);
    } else if (const double number = value.asNumber(0); !(std::fabs(number) <= std::numeric_limits<double>::max())) {
        // Non-finite values are numbers in BSON, but names in JSON. Converts numbers to names,
        // because descriptions cannot contain non-finite numbers.
        value = number > 0 ? "Infinity" : number < 0 ? "-Infinity" : "NaN";
    }
    return steps;
}

}  // namespace

const Value* vgoMember(const Value* object, const char* name) {
    const Value* found = object ? object->find(name) : nullptr;
    return found && !found->isNull() ? found : nullptr;
}

Values vgoItems(const Value* value) {
    const auto* list = value ? value->get<Vector<Value>>() : nullptr;
    return list ? Values(*list) : Values{};
}

Values vgoList(const Value* object, const char* name) { return vgoItems(vgoMember(object, name)); }

double vgoNumber(const Value& value, double fallback) {
    const std::string_view text = value.asString("");
    if (text.empty()) return value.asNumber(fallback);
    constexpr double infinity = std::numeric_limits<double>::infinity();
    return text == "Infinity" ? infinity : text == "-Infinity" ? -infinity : text == "NaN" ? std::nan("") : fallback;
}

double vgoNumber(const Value* object, const char* name, double fallback) {
    const Value* found = vgoMember(object, name);
    return found ? vgoNumber(*found, fallback) : fallback;
}

float vgoFloat(const Value* object, const char* name, float fallback) {
    const double value = vgoNumber(object, name, fallback);
    return std::fabs(value) <= double{std::numeric_limits<float>::max()} ? static_cast<float>(value) : fallback;
}

bool vgoFlag(const Value* object, const char* name, bool fallback) {
    const Value* found = vgoMember(object, name);
    return found ? found->asBool(fallback) : fallback;
}

std::string vgoText(const Value* object, const char* name) {
    const Value* found = vgoMember(object, name);
    return found ? std::string(found->asString("")) : std::string();
}

bool vgoFloats(const Value* list, float* to, std::size_t count) {
    const Values items = vgoItems(list);
    for (std::size_t i = 0; i < count && i < items.size(); ++i) {
        const double value = vgoNumber(items[i], std::nan(""));
        if (std::fabs(value) <= double{std::numeric_limits<float>::max()}) to[i] = static_cast<float>(value);
    }
    return !items.empty();
}

Value vgoNumbers(std::span<const float> numbers) {
    Vector<Value> list;
    list.reserve(numbers.size());
    for (const float number : numbers) list.push_back(number);
    return list;
}

void vgoPut(Properties& to, const char* name, Value value) { vgoPut(to, std::string(name), std::move(value)); }

void vgoPut(Properties& to, const std::string& name, Value value) { to.push_back({name, std::move(value)}); }

std::uint32_t& VgoCache::find(std::string_view key) {
    const StringId id = keys_.intern(key);
    if (id == rows_.size()) rows_.push_back(none);
    return rows_[id];
}

std::uint64_t vgoSize(const Value& value) {
    std::uint64_t size = sizeof(Value);
    if (const auto* list = value.get<Vector<Value>>())
        for (const Value& entry : *list) size += vgoSize(entry);
    if (const auto* members = value.get<Properties>())
        for (const Property& member : *members) size += sizeof(std::string) + vgoSize(member.value);
    return size;
}

const Value* VgoBuild::node(std::size_t i) const { return nodes[i].isNull() ? nullptr : &nodes[i]; }

void VgoBuild::add(Code code, Severity severity, const char* list, std::size_t index, const Detail& detail, std::uint64_t count) {
    if (count == 0) return;
    const std::string path = formatted("{}[{}]", {list, index});
    diagnostics.add(code, severity, {.path = path}, detail, count);
}

std::uint32_t VgoBuild::index(const Value* value, std::size_t size, Severity severity, const char* list, std::size_t owner,
                              const char* member) {
    if (!value || value->isNull()) return none;
    const double number = value->asNumber(-2);
    if (number == -1) return none;
    if (number >= 0 && number < static_cast<double>(size) && number == std::floor(number)) return static_cast<std::uint32_t>(number);
    add(Code::INDEX_RANGE, severity, list, owner, member);
    return none;
}

std::uint32_t VgoBuild::row(const Value* value, const char* list, std::size_t owner, const char* member) {
    const std::uint32_t found = index(value, nodes.size(), Severity::warning, list, owner, member);
    return found == none ? none : rows[found];
}

bool VgoBuild::spend(std::uint64_t bytes, const char* list, std::size_t index) {
    if (Budget::spend(bytes / bytesPerStep)) return Budget::affords(bytes);
    add(Code::WORK_LIMIT, Severity::error, list, index, {"{} bytes of data", {bytes}});
    return false;
}

void VgoBuild::keep(Properties& to, const std::string& name, Value value) {
    if (const std::uint64_t steps = trim(value, deepest); Budget::spend(steps))
        vgoPut(to, name, std::move(value));
    else
        diagnostics.add(Code::WORK_LIMIT, {.path = name}, {"about {} lists and objects", {steps / stepsPerContainer}});
}

const VgoAccessor* VgoBuild::accessor(const Value* value, Severity severity, const char* list, std::size_t owner, const char* member) {
    const std::uint32_t found = index(value, document.accessors.size(), severity, list, owner, member);
    return found == none ? nullptr : usableAccessor(document, found);
}

const Vector<Mat4>& VgoBuild::restOfNodes() {
    if (rest.empty()) rest = restMatrices(scene);
    return rest;
}

}  // namespace rigcast
