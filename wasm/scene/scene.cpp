#include "scene/scene.hpp"

namespace rigcast {

StringId StringTable::intern(std::string_view text) {
    const auto [entry, isNew] = ids_.try_emplace(std::string(text), static_cast<StringId>(list_.size()));
    if (isNew) list_.push_back(entry->first);
    return entry->second;
}

}  // namespace rigcast
