#pragma once

#include <optional>
#include <span>
#include <vector>

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "intarsia/common/error.hpp"
#include "intarsia/common/types.hpp"
#include "intarsia/common/weighted_points.hpp"

namespace intarsia::python {

namespace py = pybind11;

/// C-ordered arrays only: the package converts before it calls, so nothing is copied here unseen.
template <class T>
using Array = py::array_t<T, py::array::c_style>;

/// Absent weights are None.
using Weights = std::optional<Array<double>>;

template <class T>
MatrixView<const T> matrix(const Array<T>& a) {
    if (a.ndim() != 2) throw InvalidInput("expected a two-dimensional array");
    return {a.data(), a.shape(0), a.shape(1)};
}

template <class T>
std::span<const T> vector(const Array<T>& a) {
    if (a.ndim() != 1) throw InvalidInput("expected a one-dimensional array");
    return {a.data(), static_cast<std::size_t>(a.shape(0))};
}

/// None is an empty view.
template <class T>
std::span<const T> vector(const std::optional<Array<T>>& a) {
    return a ? vector(*a) : std::span<const T>{};
}

template <class T>
WeightedPointsOf<T> weighted(const Array<T>& x, const Weights& weights) {
    return {matrix(x), vector(weights)};
}

/// Calls fn while other Python threads run: it must touch views alone, no Python object.
template <class Fn>
auto without_gil(Fn&& fn) {
    py::gil_scoped_release free_gil;
    return fn();
}

/// Hands a vector to NumPy without a copy: the array keeps the vector alive.
template <class T>
py::array_t<T> to_numpy(std::vector<T>&& values, std::vector<py::ssize_t> shape) {
    auto* owned = new std::vector<T>(std::move(values));
    py::capsule owner(owned, [](void* p) { delete static_cast<std::vector<T>*>(p); });
    return py::array_t<T>(std::move(shape), owned->data(), owner);
}

template <class T>
py::array_t<T> to_numpy(std::vector<T>&& values) {
    const auto n = static_cast<py::ssize_t>(values.size());
    return to_numpy(std::move(values), {n});
}

}  // namespace intarsia::python
