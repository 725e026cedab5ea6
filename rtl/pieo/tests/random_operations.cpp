// Drives a block with the interface of rtl/pieo with random operations, back to back or with gaps, and compares every
// result with a list sorted by rank and arrival. Prints what it saw, as JSON; status 1 at the first difference.
//
//   random_operations OPERATIONS SEED GAPS RANGES CAPACITY RANK_BITS TIME_BITS EVERYTHING_ELIGIBLE PARENT_SIZE ORDERLY
//
// GAPS: per cent of clocks without an operation; RANGES: per cent of operations that are dequeues in a range of ids
// that is not all ids; EVERYTHING_ELIGIBLE: the block ignores times (PIFO); PARENT_SIZE: half of the ranges are those of
// a parent with so many ids (0: none); ORDERLY: instead of everything at random, what a scheduler does: it fills the list to
// ORDERLY elements (0: no such thing), then dequeues and enqueues in turn; flows come back with a later rank, the clock goes on.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <memory>
#include <random>
#include <vector>

#include "Vtop.h"
#include "verilated.h"

namespace {

// generated: pieo (crates/blocks/src/facts.rs)
enum Code { ENQUEUE = 0, DEQUEUE = 1, DEQUEUE_ID = 2, DEQUEUE_RANGE = 3 };
// end of generated
enum Error { NONE, ID, DUPLICATE, RANGE, FULL };

struct Operation {
    int code;
    uint32_t id, rank, time, now, lo, hi;
};

struct Answer {
    bool found = false;
    int error = NONE;
    uint32_t id = 0, rank = 0, time = 0;
};

// The oracle: a list in the order of departure, searched from its front.
class List {
  public:
    List(uint32_t capacity, bool everything) : capacity_(capacity), everything_(everything), present_(capacity) {}

    Answer apply(const Operation& o) {
        Answer a;
        bool names_flow = o.code == ENQUEUE || o.code == DEQUEUE_ID;
        if (names_flow && o.id >= capacity_) {
            a.error = ID;
            return a;
        }
        if (o.code == ENQUEUE) {
            if (present_[o.id]) a.error = DUPLICATE;
            else if (ranks_.size() == capacity_) a.error = FULL;
            if (a.error != NONE) return a;
            size_t at = std::upper_bound(ranks_.begin(), ranks_.end(), o.rank) - ranks_.begin();
            ranks_.insert(ranks_.begin() + at, o.rank);
            times_.insert(times_.begin() + at, o.time);
            ids_.insert(ids_.begin() + at, o.id);
            present_[o.id] = true;
            return a;
        }
        for (size_t at = 0; at < ranks_.size(); at++) {
            bool leaves = o.code == DEQUEUE_ID ? ids_[at] == o.id : everything_ || times_[at] <= o.now;
            if (o.code == DEQUEUE_RANGE) leaves = leaves && o.lo <= ids_[at] && ids_[at] <= o.hi;
            if (!leaves) continue;
            a = {true, NONE, ids_[at], ranks_[at], times_[at]};
            present_[a.id] = false;
            ranks_.erase(ranks_.begin() + at);
            times_.erase(times_.begin() + at);
            ids_.erase(ids_.begin() + at);
            break;
        }
        return a;
    }

    uint32_t size() const { return ranks_.size(); }
    bool present(uint32_t id) const { return present_[id]; }
    uint32_t id_at(size_t at) const { return ids_[at]; }
    uint32_t rank_at(size_t at) const { return ranks_[at]; }
    uint32_t time_at(size_t at) const { return times_[at]; }

  private:
    uint32_t capacity_;
    bool everything_;
    std::vector<uint32_t> ranks_, times_, ids_;
    std::vector<bool> present_;
};

// Operations in phases: each has a number of elements to go to, a kind of ranks and of times.
class Source {
  public:
    Source(uint64_t seed, int ranges, uint32_t parent, uint32_t orderly, uint32_t capacity, int rank_bits, int time_bits, const List& list)
        : random_(seed), ranges_(ranges), parent_(parent), orderly_(orderly), capacity_(capacity), rank_max_(max_of(rank_bits)),
          time_max_(max_of(time_bits)), id_max_(1), list_(list) {
        while (id_max_ < capacity) id_max_ *= 2;
        id_max_ -= 1;
    }

    Operation next() { return orderly_ != 0 ? orderly() : anything(); }

    // The answer to an operation: a flow that has left may come back.
    void answered(const Answer& a) {
        if (a.found) resting_.push_back(a.id);
    }

  private:
    // The clock goes on by half an operation's step; flows come back for a time and a rank in the next rounds, so an eighth of
    // them waits. At the end of their widths ranks and times stay.
    Operation orderly() {
        Operation o{};
        if (filled_ < orderly_) {
            return {ENQUEUE, filled_++, std::min(rank_max_, below(orderly_)), 0, 0, 0, 0};
        }
        turn_ = !turn_;
        o.code = turn_ || resting_.empty() ? DEQUEUE : ENQUEUE;
        clock_ = std::min(time_max_, clock_ + below(2));
        o.now = clock_;
        if (o.code == ENQUEUE) {
            o.id = resting_.front();
            resting_.pop_front();
            o.rank = std::min(rank_max_, clock_ + below(orderly_));
            o.time = std::min(time_max_, clock_ + below(orderly_ / 4));
        }
        return o;
    }

    Operation anything() {
        if (left_ == 0) phase();
        left_--;
        Operation o{};
        int kind = below(100);
        bool grow = list_.size() < goal_ ? kind < 75 : list_.size() > goal_ ? kind < 25 : kind < 50;
        o.id = below(100) < odd_ ? below(id_max_ + 1) : some_id(grow);
        o.rank = value(rank_kind_, rank_max_, true);
        o.time = value(time_kind_, time_max_, false);
        o.now = now();
        o.lo = below(id_max_ + 1);
        o.hi = below(id_max_ + 1);
        if (below(4) == 0) o.lo = o.hi;
        if (o.lo > o.hi && below(8) != 0) std::swap(o.lo, o.hi);
        if (parent_ != 0 && below(2)) {
            o.lo -= o.lo % parent_;
            o.hi = o.lo + parent_ - 1;
        }
        if (grow) o.code = ENQUEUE;
        else if (below(100) < ranges_) o.code = DEQUEUE_RANGE;
        else o.code = below(100) < by_id_ ? DEQUEUE_ID : DEQUEUE;
        return o;
    }

    static uint32_t max_of(int bits) { return bits >= 32 ? ~0u : (1u << bits) - 1; }
    uint32_t below(uint32_t limit) { return limit == 0 ? 0 : random_() % limit; }

    void phase() {
        const uint32_t goals[] = {0, 1, capacity_ / 4, capacity_ / 2, capacity_ - 1, capacity_, capacity_ * 2};
        goal_ = goals[below(7)];
        left_ = 1 + below(capacity_ < 200 ? 8 * capacity_ : 4 * capacity_);
        rank_kind_ = below(6);
        time_kind_ = below(6);
        now_kind_ = below(6);
        odd_ = below(3) * 5;
        const int shares[] = {0, 30, 30, 100};
        by_id_ = shares[below(4)];
    }

    uint32_t value(int kind, uint32_t max, bool drifts) {
        switch (kind) {
        case 0: return below(2) ? 0 : max;
        case 1: return max / 2 + below(3);
        case 2: return drifts ? std::min(max, drift_++ & max) : 0;
        // Near the rank or the time of an element that is there.
        case 3:
            if (list_.size() == 0) return max;
            return (drifts ? list_.rank_at(below(list_.size())) : list_.time_at(below(list_.size())));
        default: return uint64_t(random_()) & max;
        }
    }

    uint32_t now() {
        switch (now_kind_) {
        case 0: return time_max_;
        case 1: return below(3) == 0 ? 0 : time_max_ / 2 + below(4) - 1;
        // Forward, slowly, with a step back at times.
        case 2:
            clock_ = below(64) == 0 ? below(time_max_) : clock_ + below(time_max_ / 64 + 2);
            return clock_ & time_max_;
        case 3: return list_.size() == 0 ? 0 : list_.time_at(below(list_.size()));
        default: return uint64_t(random_()) & time_max_;
        }
    }

    // An id that makes sense: not in the list for an enqueue, in it for a dequeue.
    uint32_t some_id(bool absent) {
        if (!absent && list_.size() > 0) {
            // Elements that moved lately are near those that came lately.
            return list_.id_at(below(list_.size()));
        }
        for (int tries = 0; tries < 20; tries++) {
            uint32_t id = below(capacity_);
            if (list_.present(id) != absent) return id;
        }
        // Long lists would never be full otherwise.
        uint32_t id = below(capacity_);
        for (uint32_t tries = 0; tries < capacity_ && list_.present(id) == absent; tries++) id = (id + 1) % capacity_;
        return id;
    }

    std::mt19937_64 random_;
    int ranges_;
    uint32_t parent_, orderly_, capacity_, rank_max_, time_max_, id_max_;
    const List& list_;
    uint32_t goal_ = 0, left_ = 0, drift_ = 0, clock_ = 0, filled_ = 0;
    bool turn_ = false;
    std::deque<uint32_t> resting_;
    int rank_kind_ = 0, time_kind_ = 0, now_kind_ = 0, odd_ = 0, by_id_ = 0;
};

struct Waiting {
    Operation operation;
    Answer answer;
    uint64_t clock;
};

struct Span {
    uint64_t least = ~0ull, most = 0;
    void add(uint64_t value) {
        least = std::min(least, value);
        most = std::max(most, value);
    }
};

}  // namespace

int main(int count, char** values) {
    if (count != 11) {
        std::fprintf(stderr, "usage: %s OPERATIONS SEED GAPS RANGES CAPACITY RANK_BITS TIME_BITS EVERYTHING_ELIGIBLE PARENT_SIZE ORDERLY\n", values[0]);
        return 2;
    }
    const uint64_t operations = std::strtoull(values[1], nullptr, 0), seed = std::strtoull(values[2], nullptr, 0);
    const int gaps = std::atoi(values[3]), ranges = std::atoi(values[4]);
    const uint32_t capacity = std::atoi(values[5]);
    const int rank_bits = std::atoi(values[6]), time_bits = std::atoi(values[7]);
    VerilatedContext context;
    auto top = std::make_unique<Vtop>(&context);
    List list(capacity, std::atoi(values[8]) != 0);
    const uint32_t parent = std::atoi(values[9]);
    Source source(seed, ranges, parent, std::atoi(values[10]), capacity, rank_bits, time_bits, list);
    std::mt19937 pause(seed + 1);
    std::deque<Waiting> waiting;
    Span latency, latency_range, latency_parent, occupancy;
    uint64_t clock = 0, issued = 0, answered = 0, first = 0, last = 0, stalls = 0, found = 0, errors[5] = {};
    unsigned sublists = 0;
    Operation next{};
    bool offered = false;

    auto tick = [&] {
        top->clk = 0;
        top->eval();
        top->clk = 1;
        top->eval();
        clock++;
    };
    top->op_valid = 0;
    top->rst = 1;
    tick();
    tick();
    top->rst = 0;
    // Until the block is ready: it may clear memories.
    for (uint64_t wait = 0; wait < 4ull * capacity + 100; wait++) {
        top->clk = 0;
        top->eval();
        if (top->op_ready) break;
        tick();
    }
    uint64_t idle = 0;
    while (answered < operations) {
        if (!offered && issued < operations && (gaps == 0 || int(pause() % 100) >= gaps)) {
            next = source.next();
            offered = true;
        }
        top->op_valid = offered;
        if (offered) {
            top->op_code = next.code;
            top->op_id = next.id;
            top->op_rank = next.rank;
            top->op_time = next.time;
            top->op_now = next.now;
            top->op_lo = next.lo;
            top->op_hi = next.hi;
        }
        top->clk = 0;
        top->eval();
        const bool accepted = offered && top->op_ready;
        if (offered && !accepted) stalls++;
        // The state before the edge: results of earlier operations.
        if (top->result_valid) {
            if (waiting.empty()) {
                std::fprintf(stderr, "clock %lu: a result without an operation\n", clock);
                return 1;
            }
            const Waiting w = waiting.front();
            waiting.pop_front();
            const Answer& a = w.answer;
            const bool same = bool(top->result_found) == a.found && int(top->result_error) == a.error
                && (!a.found || (top->result_id == a.id && top->result_rank == a.rank && top->result_time == a.time));
            if (!same) {
                const Operation& o = w.operation;
                std::fprintf(stderr,
                    "operation %lu (code %d id %u rank %u time %u now %u lo %u hi %u): found %d error %d id %u rank %u time %u, "
                    "expected found %d error %d id %u rank %u time %u\n",
                    answered, o.code, o.id, o.rank, o.time, o.now, o.lo, o.hi, int(top->result_found),
                    int(top->result_error), unsigned(top->result_id), unsigned(top->result_rank),
                    unsigned(top->result_time), int(a.found), a.error, a.id, a.rank, a.time);
                return 1;
            }
            // From the clock of the operation to that of the result.
            const Operation& done = w.operation;
            const bool of_parent = parent != 0 && done.lo % parent == 0 && done.hi == done.lo + parent - 1;
            (done.code != DEQUEUE_RANGE ? latency : of_parent ? latency_parent : latency_range).add(clock - w.clock);
            found += a.found;
            source.answered(a);
            errors[a.error]++;
            answered++;
            last = clock;
            idle = 0;
        }
#ifdef SUBLISTS
        sublists = std::max(sublists, unsigned(top->sublists));
#endif
        if (accepted) {
            if (issued == 0) first = clock;
            waiting.push_back({next, list.apply(next), clock});
            occupancy.add(list.size());
            issued++;
            offered = false;
        }
        top->clk = 1;
        top->eval();
        clock++;
        if (++idle > 100000) {
            std::fprintf(stderr, "no result for 100000 clocks after %lu\n", answered);
            return 1;
        }
    }
    std::printf("{\"operations\": %lu, \"clocks\": %lu, \"latency\": [%lu, %lu], \"range_latency\": [%lu, %lu], \"parent_latency\": [%lu, %lu], "
                "\"occupancy\": [%lu, %lu], \"found\": %lu, \"errors\": [%lu, %lu, %lu, %lu, %lu], \"stalls\": %lu, \"sublists\": %u}\n",
        answered, last - first, latency.least, latency.most, latency_range.least, latency_range.most, latency_parent.least, latency_parent.most,
        occupancy.least, occupancy.most, found, errors[0], errors[1], errors[2], errors[3], errors[4], stalls, sublists);
    return 0;
}
