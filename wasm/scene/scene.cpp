#include "scene/scene.hpp"

#include "core/budget.hpp"
#include "core/hash.hpp"
#include "core/order.hpp"
#include "core/vector.hpp"

namespace rigcast {

std::uint32_t StringTable::slotOf(std::string_view text) const {
    Budget::count(text.size() / 1024);
    const std::uint32_t last = static_cast<std::uint32_t>(slots_.size()) - 1;
    std::uint32_t slot = static_cast<std::uint32_t>(hashOf(text)) & last;
    while (slots_[slot] != none && list_[slots_[slot]] != text) slot = (slot + 1) & last;
    return slot;
}

void StringTable::grow() {
    slots_.assign(slots_.empty() ? 64 : slots_.size() * 2, none);
    for (StringId id = 0; id < size(); ++id) slots_[slotOf(list_[id])] = id;
}

StringId StringTable::intern(std::string_view text) {
    if (const StringId known = find(text); known != none) return known;
    const StringId id = size();
    list_.emplace_back(text);
    if (list_.size() * 2 > slots_.size())
        grow();
    else
        slots_[slotOf(text)] = id;
    return id;
}

bool StringTable::add(std::string_view text) {
    const StringId before = size();
    return intern(text) == before;
}

StringId StringTable::find(std::string_view text) const { return slots_.empty() ? none : slots_[slotOf(text)]; }

void sortEvents(Vector<Event>& events) {
    sortBy(events, [](const Event& event) { return double{event.time}; });
}

}  // namespace rigcast
