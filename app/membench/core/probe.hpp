// A probe is a table: axes with their values, a function that measures one point of them, and a row
// for each point. Neither Kokkos nor JSON here: nvcc compiles this header with every probe.
#pragma once

#include "app/base/ranks/communicator.hpp"
#include "app/base/runtime/failure.hpp"

#include <cmath>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

/// The start of a probe whose kernels are native CUDA, in a build without it.
#ifdef MEMSTENCIL_CUDA
#define MEMSTENCIL_WITH_CUDA(...) __VA_ARGS__
#else
#define MEMSTENCIL_WITH_CUDA(...) nullptr
#endif

namespace memstencil::membench {

constexpr std::size_t kib = 1 << 10, mib = 1 << 20, gib = 1 << 30;

/// A number or a name: of an axis, or in a cell of the table.
using Value = std::variant<double, std::string>;
std::string text_of(const Value& value);

/// A parameter of a probe, which --axis NAME=... narrows or widens.
struct Axis {
  std::string name;
  std::vector<Value> values;
  std::vector<Value> more = {};  ///< valid, and measured only if asked for
  double least = 0, most = 0;    ///< with most > 0 any whole number between them is valid
  bool bytes = false;            ///< 4KiB, 512MB and so on are understood
};
inline Axis names(const std::string& axis, const std::vector<std::string>& values,
                  const std::vector<std::string>& more = {}) {
  return {axis, {values.begin(), values.end()}, {more.begin(), more.end()}};
}
inline std::vector<double> counted_up(int least, int most) {
  std::vector<double> out;
  for (int n = least; n <= most; ++n) out.push_back(n);
  return out;
}
/// These numbers and no others; or any whole number from `least` to `most`.
inline Axis numbers(const std::string& axis, const std::vector<double>& values, double least = 0,
                    double most = 0, bool bytes = false) {
  return {axis, {values.begin(), values.end()}, {}, least, most, bytes};
}
inline Axis sizes(const std::string& axis, const std::vector<double>& values, double least = 4096,
                  double most = 1125899906842624.0) {  // 2^50
  return numbers(axis, values, least, most, true);
}
/// Those that are measured by default, then the others.
std::vector<Value> listed_values(const Axis& axis);

/// The axes of a probe, as the machine and --paper ask for; or the same everywhere.
using Axes = std::function<std::vector<Axis>(bool paper)>;
inline Axes always(std::vector<Axis> axes) {
  return [axes = std::move(axes)](bool) { return axes; };
}

/// When a point has been sampled often enough: between `fewest` and `most` samples, as soon as the
/// 95 % interval (relative_half_width) is narrower than half_width on either side.
struct Sampling {
  int warmups = 1, fewest = 20, most = 40;
  double half_width = 0.05;
};

/// A user's wishes besides the axes.
struct Setup {
  bool paper = false;                   ///< the paper's own sizes and counts
  std::optional<int> repeats = {};      ///< number of samples, without the stopping rule
  std::optional<int> experiments = {};  ///< fresh allocations, not as many as the probe says
  const Communicator* ranks = nullptr;  ///< of a probe of several
  std::string content = {};             ///< the file that --content names
};

/// Samples of one column: of every experiment one after the other.
struct Series {
  std::vector<double> values;
  std::vector<std::size_t> experiments;  ///< number of samples of each
};

/// A line of the table. Every cell has a name; units stand in the column's name ("gbs", "ns").
struct Row {
  std::vector<std::pair<std::string, Value>> cells;
  std::map<std::string, Series> samples;  ///< by column

  const Value* find(const std::string& column) const;
  bool has(const std::string& column) const { return find(column) != nullptr; }
  /// 0 or empty if there is no such cell.
  double number(const std::string& column) const;
  std::size_t bytes(const std::string& column = "bytes") const {
    return static_cast<std::size_t>(number(column));
  }
  std::string text(const std::string& column) const;
  bool is(const std::string& column, const std::string& name) const { return text(column) == name; }
  void set(const std::string& column, const Value& value);
  void set(const std::string& column, double number) { set(column, Value(number)); }
  void set(const std::vector<std::pair<std::string, Value>>& of_columns) {
    for (const auto& [column, value] : of_columns) set(column, value);
  }
};

/// Rows that are alike in some columns: `like` has these cells alone.
struct Group {
  Row like;
  std::vector<Row*> rows;
  std::vector<double> numbers(const std::string& column) const;
};
/// Groups of the rows that have all of these columns, in the order of their first rows.
std::vector<Group> groups(std::vector<Row>& rows, const std::vector<std::string>& columns);

double median(const std::vector<double>& values);

inline double gbs(double bytes, double seconds) { return 1e-9 * bytes / seconds; }

struct Probe;

/// All points of a probe share these.
struct Measurement {
  const Probe& probe;
  const Setup& setup;
  Sampling sampling;
  std::vector<Axis> declared;
  std::vector<std::string> notes;
};

/// One point: the row that it becomes, with its axes' cells at first.
class State : public Row {
public:
  State(Row row, Measurement& of) : Row(std::move(row)), setup(of.setup), of_(of) {}

  int integer(const std::string& axis) const { return static_cast<int>(number(axis)); }
  /// The place of this point's value among those that the probe declares for the axis.
  int index(const std::string& axis) const;
  std::string title() const;

  /// Samples until the rule is met. `once` gives a value for each of the columns; the rule looks at
  /// the first.
  void sample(const std::vector<std::string>& columns,
              const std::function<std::vector<double>()>& once);
  /// Gives the median of this experiment.
  double sample(const std::string& column, const std::function<double()>& once);
  /// The rate of the bytes that the probe counts for this point: columns gbs and seconds, cell
  /// counted_bytes. `seconds` are those of `times` times the bytes.
  void rate(int times, const std::function<double()>& seconds);
  /// Exactly `usual` samples (with --paper `paper`) and no warm-up: the course of the series
  /// counts.
  std::vector<double> series(const std::string& column, int usual, int paper,
                             const std::function<double()>& once);
  /// One figure an experiment; the row has their median.
  void add(const std::string& column, double value) { figures_[column].push_back(value); }
  void note(const std::string& line);
  /// This point is not there; with a reason, if the reader has to know. Before the first sample.
  [[noreturn]] void leave_out(const std::string& reason = "");
  /// After the last experiment.
  void close();

  const Setup& setup;

private:
  void keep(const std::string& column, const std::vector<double>& values);

  Measurement& of_;
  std::map<std::string, std::vector<double>> figures_;
  std::string stopped_;  ///< why the last experiment's sampling ended
};
struct LeftOut {};

/// Measures one point; owns the things that points of one experiment share.
using Point = std::function<void(State&)>;

/// The start of a probe whose points share nothing.
template <void (*Measure)(State&)>
Point each_point() {
  return Measure;
}

/// A requirement on the machine.
enum class Needs {
  Host,   ///< nothing: a host alone will do
  Gpu,    ///< a GPU whose driver moves pages between it and the host
  Cuda,   ///< a GPU, and a build for CUDA
  Gpus,   ///< the same with two GPUs
  Ranks,  ///< several ranks
};

/// A file of probes/ defines one, NAME_probe; CMake finds it.
struct Probe {
  std::string name;
  std::string summary;  ///< one line
  std::string source;   ///< key of docs/bibliography.md, section
  std::string counted;  ///< bytes, instructions or cycles counted
  Needs needs = Needs::Cuda;
  Axes axes = always({});  ///< without any the table is one point
  /// Null: every combination of the axes' values is a point.
  bool (*is_there)(const Row& point, const std::vector<Axis>& axes) = nullptr;
  /// The bytes that a rate of the row counts.
  double (*counted_bytes)(const Row& row) = nullptr;
  /// At the beginning of each experiment; null if this build cannot run it.
  Point (*start)() = nullptr;
  /// Adds columns and `more` rows that follow from the rows; null: none.
  void (*derive)(std::vector<Row>& rows, std::vector<Row>& more) = nullptr;
  std::vector<std::string> notes = {};  ///< needed to read the table rightly
  Sampling sampling = {};
  int paper_repeats = 0;  ///< 0: the usual number
  int experiments = 1, paper_experiments = 1;

  /// The last axis' values fastest.
  std::vector<Row> points(const std::vector<Axis>& chosen) const;
};

/// All probes, in alphabetical order.
const std::vector<Probe>& probes();

struct Table {
  std::vector<Row> rows;
  std::vector<std::string> notes;
};
/// Every point, once an experiment. @throws Failure as the probe's functions
Table measure(const Probe& probe, const std::vector<Axis>& axes, const Setup& setup);

/// @throws Failure(Verification) with the line if it is not right
inline void verify(bool right, const std::string& line) {
  if (!right) throw Failure(ExitCode::Verification, line);
}
/// Every value has to be `right(n)`, or not further from it than `allowed`; a NaN never is right.
template <class T, class Right>
void verify_all(const std::string& title, const std::vector<T>& values, const Right& right,
                double allowed = 0) {
  for (std::size_t n = 0; n < values.size(); ++n) {
    const T expected = static_cast<T>(right(n));
    const double off = std::abs(static_cast<double>(values[n]) - static_cast<double>(expected));
    if (values[n] == expected || (allowed > 0 && off <= allowed)) continue;
    verify(false, title + ": number " + std::to_string(n) + " is " + std::to_string(values[n]) +
                      ", and " + std::to_string(expected) + " is right");
  }
}

}  // namespace memstencil::membench
