// Growing array with the subset of the std::vector interface that rigcast uses. Growing a
// std::vector needs about 600 bytes of code per element type, in total a tenth of the wasm. This
// class grows with one function for all types.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <iterator>
#include <new>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

namespace rigcast {

template <class T>
class Vector;

#ifdef _LIBCPP_VERSION
inline constexpr bool stringsMoveAsBytes = true;
#else
inline constexpr bool stringsMoveAsBytes = false;  // libstdc++'s strings contain pointers into themselves
#endif

/// `using Relocation = Bytewise;` declares that a struct contains only numbers, strings, Vectors,
/// Values and structs with the same declaration.
struct Bytewise {};

/// True if elements can be moved to new memory by memcpy, without calling constructors and
/// destructors.
template <class T>
inline constexpr bool movesAsBytes = std::is_trivially_copyable_v<T> || (stringsMoveAsBytes && requires { typename T::Relocation; });
template <class T>
inline constexpr bool movesAsBytes<Vector<T>> = true;
template <>
inline constexpr bool movesAsBytes<std::string> = stringsMoveAsBytes;

/// The part of Vector that does not depend on the element type. Sizes are in bytes.
class VectorMemory {
public:
    /// Returns the raw bytes of all elements.
    std::span<const std::byte> bytes() const { return {start_, usedBytes()}; }

protected:
    static constexpr std::align_val_t alignment{16};  // enough for FourFloats
    std::byte* start_ = nullptr;
    std::byte* finish_ = nullptr;
    std::byte* limit_ = nullptr;

    std::size_t usedBytes() const { return static_cast<std::size_t>(finish_ - start_); }
    /// Allocates memory for `count` elements. If the size cannot be addressed, fails as `operator
    /// new` does.
    static std::byte* allocate(std::size_t count, std::size_t elementSize);
    static void release(std::byte* memory) { ::operator delete(memory, alignment); }
    /// Copies the elements to `memory`, which has a size of `bytes`, and releases the old memory.
    void moveInto(std::byte* memory, std::size_t bytes);
    /// Doubles the capacity. Returns nullptr if the memory was extended in place. Otherwise returns
    /// new memory that the caller must pass to `moveLarger`.
    std::byte* makeLarger(std::size_t elementSize);
    void moveLarger(std::byte* memory, std::size_t elementSize);

private:
    std::size_t largerBytes(std::size_t elementSize) const { return std::max(2 * usedBytes(), elementSize); }
};

template <class T>
class Vector : VectorMemory {
public:
    using value_type = T;
    using size_type = std::size_t;
    using difference_type = std::ptrdiff_t;
    using reference = T&;
    using const_reference = const T&;
    using pointer = T*;
    using const_pointer = const T*;
    using iterator = T*;
    using const_iterator = const T*;
    using reverse_iterator = std::reverse_iterator<T*>;
    using const_reverse_iterator = std::reverse_iterator<const T*>;

    Vector() = default;
    explicit Vector(std::size_t count) { resize(count); }
    Vector(std::size_t count, const T& value) { resize(count, value); }
    Vector(std::initializer_list<T> list) { append(list.begin(), list.end()); }
    template <std::input_iterator Iterator>
    Vector(Iterator first, Iterator last) {
        append(first, last);
    }
    Vector(const Vector& other) : VectorMemory() { append(other.begin(), other.end()); }
    Vector(Vector&& other) noexcept : VectorMemory(std::exchange(static_cast<VectorMemory&>(other), {})) {}
    Vector& operator=(const Vector& other) {
        if (this != &other) assign(other.begin(), other.end());
        return *this;
    }
    Vector& operator=(Vector&& other) noexcept {
        Vector old(std::move(other));
        swap(old);
        return *this;
    }
    Vector& operator=(std::initializer_list<T> list) {
        assign(list.begin(), list.end());
        return *this;
    }
    ~Vector() {
        clear();
        release(start_);
    }

    T* data() { return reinterpret_cast<T*>(start_); }
    const T* data() const { return reinterpret_cast<const T*>(start_); }
    T* begin() { return data(); }
    T* end() { return reinterpret_cast<T*>(finish_); }
    const T* begin() const { return data(); }
    const T* end() const { return reinterpret_cast<const T*>(finish_); }
    reverse_iterator rbegin() { return reverse_iterator(end()); }
    reverse_iterator rend() { return reverse_iterator(begin()); }
    const_reverse_iterator rbegin() const { return const_reverse_iterator(end()); }
    const_reverse_iterator rend() const { return const_reverse_iterator(begin()); }
    std::size_t size() const { return static_cast<std::size_t>(end() - begin()); }
    std::size_t capacity() const { return static_cast<std::size_t>(reinterpret_cast<const T*>(limit_) - begin()); }
    bool empty() const { return start_ == finish_; }
    T& operator[](std::size_t i) { return data()[i]; }
    const T& operator[](std::size_t i) const { return data()[i]; }
    /// Aborts if `i` is out of range.
    T& at(std::size_t i) { return i < size() ? data()[i] : (std::abort(), *data()); }
    const T& at(std::size_t i) const { return const_cast<Vector*>(this)->at(i); }
    T& front() { return *begin(); }
    const T& front() const { return *begin(); }
    T& back() { return end()[-1]; }
    const T& back() const { return end()[-1]; }

    /// Constructs an element at the end. The arguments may refer to elements of this vector.
    template <class... Args>
    T& emplace_back(Args&&... args) {
        if constexpr (movesAsBytes<T>) {
            // Constructs the new element before the others are moved, because the arguments may
            // refer to them.
            std::byte* const larger = finish_ == limit_ ? makeLarger(sizeof(T)) : nullptr;
            new (larger ? larger + usedBytes() : finish_) T(make(std::forward<Args>(args)...));
            if (larger) moveLarger(larger, sizeof(T));
        } else if (finish_ == limit_) {
            T made = make(std::forward<Args>(args)...);  // the arguments may refer to an element
            moveTo(std::max<std::size_t>(2 * size(), 1));
            new (finish_) T(std::move(made));
        } else {
            new (finish_) T(make(std::forward<Args>(args)...));
        }
        finish_ += sizeof(T);
        return back();
    }
    void push_back(const T& value) { emplace_back(value); }
    void push_back(T&& value) { emplace_back(std::move(value)); }
    void pop_back() { destroyFrom(finish_ - sizeof(T)); }
    void clear() { destroyFrom(start_); }
    void reserve(std::size_t count) {
        if (count > capacity()) moveTo(count);
    }
    void shrink_to_fit() {
        if (finish_ != limit_) moveTo(size());
    }
    /// Changes the size. New elements are zero-initialized or default-constructed.
    void resize(std::size_t count) {
        if (count <= size()) return destroyFrom(start_ + count * sizeof(T));
        growTo(count);
        std::byte* const to = start_ + count * sizeof(T);
        if constexpr (std::is_trivially_default_constructible_v<T>) {
            std::memset(static_cast<void*>(finish_), 0, static_cast<std::size_t>(to - finish_));
            finish_ = to;
        } else {
            for (; finish_ != to; finish_ += sizeof(T)) new (finish_) T();
        }
    }
    void resize(std::size_t count, const T& value) {
        if (count <= size()) return destroyFrom(start_ + count * sizeof(T));
        const T copy(value);
        growTo(count);
        for (std::byte* const to = start_ + count * sizeof(T); finish_ != to; finish_ += sizeof(T)) new (finish_) T(copy);
    }
    void assign(std::size_t count, const T& value) {
        const T copy(value);
        clear();
        resize(count, copy);
    }
    /// The range must not be part of this vector.
    template <std::input_iterator Iterator>
    void assign(Iterator first, Iterator last) {
        clear();
        append(first, last);
    }
    T* insert(const T* at, T value) {
        const std::size_t i = static_cast<std::size_t>(at - begin());
        push_back(std::move(value));
        std::rotate(begin() + i, end() - 1, end());
        return begin() + i;
    }
    T* insert(const T* at, std::size_t count, const T& value) {
        const std::size_t i = static_cast<std::size_t>(at - begin()), old = size();
        resize(old + count, value);
        std::rotate(begin() + i, begin() + old, end());
        return begin() + i;
    }
    /// The range must not be part of this vector.
    template <std::input_iterator Iterator>
    T* insert(const T* at, Iterator first, Iterator last) {
        const std::size_t i = static_cast<std::size_t>(at - begin()), old = size();
        append(first, last);
        if (i != old) std::rotate(begin() + i, begin() + old, end());
        return begin() + i;
    }
    T* insert(const T* at, std::initializer_list<T> list) { return insert(at, list.begin(), list.end()); }
    T* erase(const T* first, const T* last) {
        T* const at = begin() + (first - begin());
        if (first != last) destroyFrom(reinterpret_cast<std::byte*>(std::move(begin() + (last - begin()), end(), at)));
        return at;
    }
    T* erase(const T* at) { return erase(at, at + 1); }
    void swap(Vector& other) noexcept { std::swap<VectorMemory>(*this, other); }
    friend void swap(Vector& a, Vector& b) noexcept { a.swap(b); }
    template <class Test>
    friend void erase_if(Vector& vector, Test test) {
        vector.erase(std::remove_if(vector.begin(), vector.end(), test), vector.end());
    }
    friend bool operator==(const Vector& a, const Vector& b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }

private:
    /// Calls a constructor if one matches. Otherwise initializes a plain struct with braces,
    /// because clang 14 does not support parentheses for structs.
    template <class... Args>
    static T make(Args&&... args) {
        if constexpr (std::is_constructible_v<T, Args...>) {
            return T(std::forward<Args>(args)...);
        } else {
            return T{std::forward<Args>(args)...};
        }
    }
    /// Grows the memory to at least twice the size, so that appending elements one by one takes
    /// linear time in total.
    void growTo(std::size_t count) {
        if (count > capacity()) moveTo(empty() ? count : std::max(count, 2 * capacity()));
    }
    void moveTo(std::size_t count) {
        static_assert(alignof(T) <= static_cast<std::size_t>(alignment));
        if constexpr (movesAsBytes<T>) {
            std::byte* const memory = allocate(count, sizeof(T));
            moveInto(memory, count * sizeof(T));
        } else {
            Vector moved;
            moved.start_ = moved.finish_ = allocate(count, sizeof(T));
            moved.limit_ = moved.start_ + count * sizeof(T);
            for (T& each : *this) {
                new (moved.finish_) T(std::move(each));
                moved.finish_ += sizeof(T);
            }
            swap(moved);
        }
    }
    void destroyFrom(std::byte* to) {
        if constexpr (std::is_trivially_destructible_v<T>) {
            finish_ = to;
        } else {
            while (finish_ != to) {
                finish_ -= sizeof(T);
                reinterpret_cast<T*>(finish_)->~T();
            }
        }
    }
    template <class Iterator>
    void append(Iterator first, Iterator last) {
        if constexpr (std::forward_iterator<Iterator>) {
            const std::size_t needed = size() + static_cast<std::size_t>(std::distance(first, last));
            growTo(needed);
        }
        if constexpr (std::is_same_v<std::remove_const_t<std::remove_pointer_t<Iterator>>, T> && std::is_pointer_v<Iterator> &&
                      std::is_trivially_copyable_v<T>) {
            const std::size_t bytes = static_cast<std::size_t>(last - first) * sizeof(T);
            if (bytes) std::memcpy(static_cast<void*>(finish_), first, bytes);
            finish_ += bytes;
        } else {
            for (; first != last; ++first) emplace_back(*first);
        }
    }
};
template <class Iterator>
Vector(Iterator, Iterator) -> Vector<typename std::iterator_traits<Iterator>::value_type>;

}  // namespace rigcast
