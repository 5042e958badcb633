#include "scene/scene.hpp"

#include <algorithm>
#include <bit>

#include "core/budget.hpp"
#include "core/order.hpp"
#include "core/vector.hpp"

namespace rigcast {

std::uint32_t StringTable::slotOf(std::string_view text) const {
    Budget::note(text.size() / 1024);
    std::uint32_t hash = 2166136261u;  // FNV-1a
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
    const std::uint32_t last = static_cast<std::uint32_t>(slots_.size()) - 1;
    const std::uint32_t first = hash ^ hash >> 16;
    for (std::uint32_t probe = 0; probe < mostProbes; ++probe) {
        const std::uint32_t slot = (first + probe) & last;
        if (slots_[slot] == none || list_[slots_[slot]] == text) return slot;
        Budget::note(1);
    }
    return none;
}

StringId StringTable::findCrowded(std::string_view text) const {
    const StringId* run = crowded_.begin();
    while (run != crowded_.end()) {
        const StringId* const end = run + std::bit_floor(static_cast<std::size_t>(crowded_.end() - run));
        run = std::partition_point(run, end, [&](StringId id) { return list_[id] < text; });
        if (run != end && list_[*run] == text) return *run;
        run = end;
    }
    return none;
}

void StringTable::addCrowded(StringId id) {
    crowded_.push_back(id);
    // Bentley–Saxe logarithmic method: merges sorted runs of equal length.
    const std::size_t length = crowded_.size() & -crowded_.size();
    for (std::size_t half = 1; half < length; half *= 2) {
        StringId* to = crowded_.end();
        const Vector<StringId> right(to - half, to);
        StringId* left = to - half;
        for (std::size_t i = half; i > 0;)
            *--to = left != crowded_.end() - 2 * half && list_[right[i - 1]] < list_[left[-1]] ? *--left : right[--i];
        Budget::note(2 * half);
    }
}

void StringTable::put(StringId id) {
    const std::uint32_t slot = slotOf(list_[id]);
    if (slot == none)
        addCrowded(id);
    else
        slots_[slot] = id;
}

void StringTable::grow() {
    slots_.assign(slots_.empty() ? 2 * mostProbes : slots_.size() * 2, none);
    crowded_.clear();
    for (StringId id = 0; id < size(); ++id) put(id);
}

StringId StringTable::intern(std::string_view text) {
    if (const StringId known = find(text); known != none) return known;
    const StringId id = size();
    list_.emplace_back(text);
    if (list_.size() * 2 > slots_.size())
        grow();
    else
        put(id);
    return id;
}

bool StringTable::add(std::string_view text) {
    const StringId before = size();
    return intern(text) == before;
}

StringId StringTable::find(std::string_view text) const {
    if (slots_.empty()) return none;
    const std::uint32_t slot = slotOf(text);
    return slot == none ? findCrowded(text) : slots_[slot];
}

void sortEvents(Vector<Event>& events) {
    sortBy(events, [](const Event& event) { return double{event.time}; });
}

}  // namespace rigcast
