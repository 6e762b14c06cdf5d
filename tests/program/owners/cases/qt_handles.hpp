// SPDX-License-Identifier: BSL-1.0
// Qt's handles under std's names. Without Qt's headers they are rebuilt here: the names, the layout
// and the counts are those of qsharedpointer_impl.h of Qt 5 and 6.
#pragma once

#if __has_include(<QSharedPointer>)
#include <QSharedPointer>
#else
#include <atomic>
#include <new>
#include <utility>

namespace QtSharedPointer {
struct NormalDeleter {};
struct ExternalRefCountData {
    std::atomic<int> weakref{1};  // of all handles, the owners too
    std::atomic<int> strongref{1};
    void (*destroyer)(ExternalRefCountData*);
    explicit ExternalRefCountData(void (*destroys)(ExternalRefCountData*)) : destroyer(destroys) {}
};
template <class T, class Deleter>
struct CustomDeleter;
template <class T>
struct CustomDeleter<T, NormalDeleter> {
    T* ptr;
};
template <class T, class Deleter>
struct ExternalRefCountWithCustomDeleter : ExternalRefCountData {
    CustomDeleter<T, Deleter> extra;
    static void deleter(ExternalRefCountData* self) {
        delete static_cast<ExternalRefCountWithCustomDeleter*>(self)->extra.ptr;
    }
    explicit ExternalRefCountWithCustomDeleter(T* ptr)
        : ExternalRefCountData(&deleter), extra{ptr} {}
};
template <class T>
struct ExternalRefCountWithContiguousData : ExternalRefCountData {
    union {
        T data;
    };
    static void deleter(ExternalRefCountData* self) {
        static_cast<ExternalRefCountWithContiguousData*>(self)->data.~T();
    }
    ExternalRefCountWithContiguousData() : ExternalRefCountData(&deleter), data() {}
    ~ExternalRefCountWithContiguousData() {}
};
}  // namespace QtSharedPointer

template <class T>
class QSharedPointer;
template <class T>
class QWeakPointer {
public:
    QWeakPointer() = default;
    QWeakPointer(const QSharedPointer<T>& other) { take(other.d, other.value); }
    QWeakPointer(const QWeakPointer& other) { take(other.d, other.value); }
    QWeakPointer& operator=(QWeakPointer other) {
        std::swap(d, other.d);
        std::swap(value, other.value);
        return *this;
    }
    ~QWeakPointer() {
        if (d != nullptr && --d->weakref == 0) ::operator delete(d);
    }

private:
    friend class QSharedPointer<T>;
    void take(QtSharedPointer::ExternalRefCountData* counts, T* object) {
        d = counts;
        value = object;
        if (d != nullptr) ++d->weakref;
    }
    QtSharedPointer::ExternalRefCountData* d = nullptr;
    T* value = nullptr;
};

template <class T>
class QEnableSharedFromThis {
public:
    QSharedPointer<T> sharedFromThis() { return QSharedPointer<T>(weakPointer); }

private:
    friend class QSharedPointer<T>;
    QWeakPointer<T> weakPointer;
};

template <class T>
class QSharedPointer {
public:
    QSharedPointer() = default;
    explicit QSharedPointer(T* object)
        : value(object),
          d(new QtSharedPointer::ExternalRefCountWithCustomDeleter<T,
                                                                   QtSharedPointer::NormalDeleter>(
              object)) {
        tell(object);
    }
    explicit QSharedPointer(const QWeakPointer<T>& other) : value(other.value), d(other.d) {
        add_owner();
    }
    QSharedPointer(const QSharedPointer& other) : value(other.value), d(other.d) { add_owner(); }
    QSharedPointer& operator=(QSharedPointer other) {
        std::swap(value, other.value);
        std::swap(d, other.d);
        return *this;
    }
    ~QSharedPointer() {
        if (d == nullptr) return;
        if (--d->strongref == 0) d->destroyer(d);
        if (--d->weakref == 0) ::operator delete(d);
    }
    static QSharedPointer create() {
        auto* const made = new QtSharedPointer::ExternalRefCountWithContiguousData<T>;
        QSharedPointer result;
        result.value = &made->data;
        result.d = made;
        result.tell(result.value);
        return result;
    }
    T* operator->() const { return value; }
    explicit operator bool() const { return value != nullptr; }

private:
    friend class QWeakPointer<T>;
    void add_owner() {
        if (d != nullptr) ++d->weakref, ++d->strongref;
    }
    void tell(QEnableSharedFromThis<T>* object) { object->weakPointer = *this; }
    void tell(void*) {}
    T* value = nullptr;
    QtSharedPointer::ExternalRefCountData* d = nullptr;
};
#endif

namespace qt {
template <class T>
using shared_ptr = QSharedPointer<T>;
template <class T>
using weak_ptr = QWeakPointer<T>;
template <class T>
QSharedPointer<T> make_shared() {
    return QSharedPointer<T>::create();
}
template <class T>
struct enable_shared_from_this : QEnableSharedFromThis<T> {
    QSharedPointer<T> shared_from_this() { return this->sharedFromThis(); }
};
}  // namespace qt
