#pragma once

#include <memory>
#include <span>
#include <vector>

#include "intarsia/annealing/measure.hpp"
#include "intarsia/annealing/shared_counts.hpp"

namespace intarsia {

/// Mean agreement of a partition with the members of an ensemble, kept up to date under single moves.
///
/// The general form: any function of the counts that can say what a move would make of it. The mean over
/// members is weighted by the members' weights; points that a member does not label are not seen by it.
class MeanAgreement {
  public:
    MeanAgreement(const LabelledEnsemble& ensemble, Index k) : counts_(ensemble, k) {}
    virtual ~MeanAgreement() = default;

    /// Starts from these labels.
    void load(std::span<const Label> labels);
    double value() const { return value_; }
    const SharedCounts& counts() const { return counts_; }
    Label label(Index point) const { return counts_.labels()[static_cast<std::size_t>(point)]; }

    /// out[c] = the value if the point had label c, for all k labels at once; `out` has counts().stride()
    /// places.
    void scores(Index point, double* out) const;
    /// The value if the point had this label, which is not its own; `work` has counts().stride() places.
    double score(Index point, Label to, double* work) const;
    /// Moves a point; `new_value` is what score() or scores() said.
    void move(Index point, Label to, double new_value);
    /// Computes the value afresh from the counts: nothing of what moves have rounded is left.
    void refresh();

  protected:
    virtual void fill_scores(Index point, Index first, Index last, double* out) const = 0;
    /// Takes everything from the counts again; returns the value.
    virtual double recompute() = 0;
    /// The counts are about to change by this move, or have just changed.
    virtual void before_move(Index, Label) {}
    virtual void after_move() {}

    SharedCounts counts_;

  private:
    double value_ = 0;
};

/// The members' weights as shares of one.
std::vector<double> mean_shares(const LabelledEnsemble& ensemble);

std::unique_ptr<MeanAgreement> make_mean_agreement(Measure measure, const LabelledEnsemble& ensemble,
                                                   Index k);

}  // namespace intarsia
