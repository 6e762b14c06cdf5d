// SPDX-License-Identifier: BSL-1.0
// Qt's implicitly shared types and its handles. The comments say what the program counts on their
// lines.
#include <QAtomicInt>
#include <QByteArray>
#include <QExplicitlySharedDataPointer>
#include <QHash>
#include <QList>
#include <QMap>
#include <QSharedData>
#include <QSharedPointer>
#include <QString>
#include <QVector>

struct circle {
    int radius = 1;
};
struct drawing : QSharedData {
    int width = 1;
};
// It copies what it points at before it is changed.
struct copied_on_write {
    QSharedDataPointer<drawing> data;
};

QAtomicInt calls;

template <class T>
__attribute__((noinline)) int by_value(T value) {
    calls.ref();  // counts: copies=0
    return value.isEmpty() ? 0 : 1;
}
__attribute__((noinline)) int by_value(QSharedPointer<circle> owner) {
    return owner->radius;
}
__attribute__((noinline)) int by_value(QExplicitlySharedDataPointer<drawing> owner) {
    return owner->width;
}
__attribute__((noinline)) int by_value(copied_on_write owner) {
    return owner.data.constData()->width;
}

int main() {
    const QString text = QString::number(12345678);
    const QByteArray bytes = QByteArray::number(12345678);
    const QList<int> list{1, 2, 3};
    const QVector<double> vector{1, 2, 3};
    const QMap<int, int> map{{1, 2}};
    const QHash<int, int> hash{{1, 2}};
    const auto shared = QSharedPointer<circle>::create();
    const QExplicitlySharedDataPointer<drawing> data(new drawing);
    int sum = 0;
    for (int i = 0; i < 100; ++i) sum += by_value(text);    // counts: copies=100 releases=100
    for (int i = 0; i < 200; ++i) sum += by_value(bytes);   // counts: copies=200 releases=200
    for (int i = 0; i < 300; ++i) sum += by_value(list);    // counts: copies=300 releases=300
    for (int i = 0; i < 400; ++i) sum += by_value(vector);  // counts: copies=400 releases=400
    for (int i = 0; i < 500; ++i) sum += by_value(map);     // counts: copies=500 releases=500
    for (int i = 0; i < 600; ++i) sum += by_value(hash);    // counts: copies=600 releases=600
    for (int i = 0; i < 300; ++i) sum += by_value(shared);  // counts: copies=300 releases=300
    // An owner counts as a weak handle, too.
    for (int i = 0; i < 400; ++i) sum += by_value(shared);  // counts: weak_copies=400
    for (int i = 0; i < 800; ++i) sum += by_value(data);    // counts: copies=800 releases=800
    const copied_on_write written{QSharedDataPointer<drawing>(new drawing)};
    for (int i = 0; i < 700; ++i) sum += by_value(written);  // counts: copies=700 releases=700
    copied_on_write changed = written;                       // counts: copies=1
    changed.data->width = 2;                                 // counts: copies=1 releases=1
    const QWeakPointer<circle> weak = shared;                // counts: weak_copies=1
    for (int i = 0; i < 50; ++i)
        sum += weak.toStrongRef()->radius;  // counts: locks=50 weak_copies=50 releases=50
    QString other;
    for (int i = 0; i < 10; ++i) other = text;  // Qt's shared object counts this
    return sum == 4350 && !other.isEmpty() ? 0 : 1;
}
