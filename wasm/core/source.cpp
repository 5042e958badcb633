#include "core/source.hpp"

namespace rigcast {

void Source::bring(std::size_t offset, std::size_t count) {
    if (count) pull(offset, count, home_ + offset);
}

Bytes Source::window(std::size_t offset, std::size_t count) {
    if (window_.size() < count) window_.resize(count);
    pull(offset, count, window_.data());
    return {window_.data(), count};
}

}  // namespace rigcast
