#include "core/source.hpp"

namespace rigcast {

void Source::bring(std::size_t offset, std::size_t count) {
    if (count) pull(offset, count, home_ + offset);
}

Bytes Source::window(std::size_t offset, std::size_t count, Vector<std::uint8_t>& buffer) {
    if (buffer.size() < count) buffer.resize(count);
    pull(offset, count, buffer.data());
    return {buffer.data(), count};
}

}  // namespace rigcast
