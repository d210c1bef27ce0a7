#include "properties/accuracy/comparison.hpp"

#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

namespace deltaproof {
namespace {

auto order(const Location& l) {
  return std::tuple(l.sequence, l.token, l.row >= 0 ? 0 : 1, l.head, l.row, l.column, l.tensor);
}

}  // namespace

Location place_in(const ComparedBlock& block, Index i, Index j) {
  Location where;
  where.tensor = block.tensor;
  where.sequence = block.sequence;
  where.head = block.head;
  where.column = j;
  where.token = block.is_state ? block.first_token : block.first_token + i;
  if (block.is_state) {
    where.row = i;
    where.chunk = where.token == 0 ? 0 : (where.token - 1) / block.chunk_size;
  } else {
    where.chunk = where.token / block.chunk_size;
    where.chunk_position = where.token % block.chunk_size;
  }
  return where;
}

bool earlier(const Location& x, const Location& y) { return order(x) < order(y); }

void Comparison::compare_element(const ComparedBlock& block, Index i, Index j) {
  const double value = (*block.value)(i, j);
  const double expected = (*block.expected)(i, j);
  const double allowed = (*block.bound)(i, j) + (*block.radius)(i, j);
  const double error = std::abs(value - expected);
  ++compared;
  Element element{true, 0, value, expected, error, allowed, {}};
  if (!std::isfinite(allowed) || !std::isfinite(expected)) {  // a right kernel may overflow there
    const Location where = place_in(block, i, j);
    if (unbounded++ == 0 || earlier(where, first_unbounded)) first_unbounded = where;
    return;
  }
  if (!std::isfinite(value)) {
    ++non_finite;
    element.ratio = std::numeric_limits<double>::infinity();
  } else if (error > 0) {
    element.ratio = error / allowed;
  }
  // Written so that a NaN anywhere counts as bad.
  const bool good = std::isfinite(value) && error <= allowed;
  if (!worst.found || element.ratio > worst.ratio) {
    element.location = place_in(block, i, j);
    worst = element;
  }
  if (good) return;
  ++violations;
  element.location = place_in(block, i, j);
  if (!first_bad.found || earlier(element.location, first_bad.location)) first_bad = element;
}

void Comparison::probe(const ComparedBlock& block, Wrongs& wrongs, Index i, Index j) {
  const double expected = (*block.expected)(i, j);
  const double radius = (*block.radius)(i, j);
  const double allowed = (*block.bound)(i, j) + radius;
  const auto offer = [&](Wrong& wrong, double answer) {
    const double distance = std::abs(answer - expected);
    if (distance > radius) wrong.differs = true;
    if (!(distance <= allowed)) wrong.rejected = true;
  };
  offer(wrongs.zeros, 0);
  offer(wrongs.flipped, -expected);
  if (block.shifted != nullptr) offer(wrongs.shifted, (*block.shifted)(i, j));
}

void Comparison::add(const ComparedBlock& block) {
  for (Index i = 0; i < block.value->rows(); ++i) {
    const std::int64_t token = block.first_token + (block.is_state ? 0 : i);
    const std::int64_t place = block.is_state ? token : token - token % block.chunk_size;
    Wrongs& wrongs = wrongs_[{block.tensor, block.head, block.sequence, place}];
    for (Index j = 0; j < block.value->cols(); ++j) {
      compare_element(block, i, j);
      const double allowed = (*block.bound)(i, j) + (*block.radius)(i, j);
      if (std::isfinite(allowed) && std::isfinite((*block.expected)(i, j))) probe(block, wrongs, i, j);
    }
  }
}

void Comparison::add_non_finite(const ComparedBlock& block) {
  for (Index i = 0; i < block.value->rows(); ++i) {
    for (Index j = 0; j < block.value->cols(); ++j) {
      if (!std::isfinite((*block.value)(i, j))) compare_element(block, i, j);
    }
  }
}

void Comparison::merge(const Comparison& other) {
  compared += other.compared;
  violations += other.violations;
  if (other.unbounded > 0 &&
      (unbounded == 0 || earlier(other.first_unbounded, first_unbounded))) {
    first_unbounded = other.first_unbounded;
  }
  unbounded += other.unbounded;
  non_finite += other.non_finite;
  // On equal ratios the earlier place wins, so that threads cannot change a report.
  const auto better = [](const Element& a, const Element& b) {
    return a.ratio > b.ratio || (a.ratio == b.ratio && earlier(a.location, b.location));
  };
  if (other.worst.found && (!worst.found || better(other.worst, worst))) worst = other.worst;
  if (other.first_bad.found &&
      (!first_bad.found || earlier(other.first_bad.location, first_bad.location))) {
    first_bad = other.first_bad;
  }
  for (const auto& [key, wrongs] : other.wrongs_) {
    Wrongs& mine = wrongs_[key];
    for (auto wrong : {&Wrongs::zeros, &Wrongs::shifted, &Wrongs::flipped}) {
      (mine.*wrong).differs |= (wrongs.*wrong).differs;
      (mine.*wrong).rejected |= (wrongs.*wrong).rejected;
    }
  }
}

std::vector<Probe> Comparison::probes_with(const Comparison& other) const {
  Comparison both;
  both.wrongs_ = wrongs_;
  for (auto& [place, wrongs] : both.wrongs_) {
    const auto found = other.wrongs_.find(place);
    if (found == other.wrongs_.end()) continue;
    for (auto wrong : {&Wrongs::zeros, &Wrongs::shifted, &Wrongs::flipped}) {
      (wrongs.*wrong).rejected |= (found->second.*wrong).rejected;
    }
  }
  return both.probes();
}

std::vector<Probe> Comparison::probes() const {
  std::map<std::tuple<std::string, std::int64_t, std::string>, Probe> found;
  for (const auto& [place, wrongs] : wrongs_) {
    const auto& [tensor, head, sequence, token] = place;
    const auto report = [&](const Wrong& wrong, const char* name) {
      if (!wrong.differs) return;
      Probe& probe = found[{tensor, head, name}];
      probe.tensor = tensor;
      probe.head = head;
      probe.wrong_answer = name;
      if (wrong.rejected) return;
      if (probe.places++ == 0) {
        probe.accepted = true;
        probe.first.tensor = tensor;
        probe.first.head = head;
        probe.first.sequence = sequence;
        probe.first.token = token;
      }
    };
    report(wrongs.zeros, "zeros");
    report(wrongs.shifted, tensor == "o" ? "shifted by one token" : "left as at the last boundary");
    report(wrongs.flipped, "flipped sign");
  }
  std::vector<Probe> result;
  for (auto& [key, probe] : found) result.push_back(std::move(probe));
  return result;
}

}  // namespace deltaproof
