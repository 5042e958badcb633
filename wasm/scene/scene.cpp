#include "scene/scene.hpp"

#include "core/order.hpp"

namespace rigcast {

StringId StringTable::intern(std::string_view text) {
    const auto [entry, isNew] = ids_.try_emplace(std::string(text), static_cast<StringId>(list_.size()));
    if (isNew) list_.push_back(entry->first);
    return entry->second;
}

bool StringTable::add(std::string_view text) {
    const StringId before = size();
    return intern(text) == before;
}

StringId StringTable::find(std::string_view text) const {
    const auto entry = ids_.find(std::string(text));
    return entry == ids_.end() ? none : entry->second;
}

void sortEvents(std::vector<Event>& events) {
    sortBy(events, [](const Event& event) { return double{event.time}; });
}

}  // namespace rigcast
