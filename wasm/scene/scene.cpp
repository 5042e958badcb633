#include "scene/scene.hpp"

#include "core/order.hpp"

namespace rigcast {

StringId StringTable::intern(std::string_view text) {
    const auto [entry, isNew] = ids_.try_emplace(std::string(text), static_cast<StringId>(list_.size()));
    if (isNew) list_.push_back(entry->first);
    return entry->second;
}

void sortEvents(std::vector<Event>& events) {
    const std::vector<double> times = [&] {
        std::vector<double> list(events.size());
        for (std::size_t i = 0; i < list.size(); ++i) list[i] = events[i].time;
        return list;
    }();
    std::vector<Event> sorted;
    sorted.reserve(events.size());
    for (const std::uint32_t i : ascendingOrder(times)) sorted.push_back(events[i]);
    events = std::move(sorted);
}

}  // namespace rigcast
