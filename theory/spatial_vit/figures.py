"""Jelassi, Sander and Li (NeurIPS 2022), Figures 1, 2, 4-7: the paper's own pictures and what each is said to show."""

from __future__ import annotations

from theory.claim import Claim, Evidence, Kind, Source
from theory.spatial_vit.assumptions import REALISTIC
from theory.tried import Tried, Way

FIG_1 = Claim(
    id="B.fig1",
    source=Source("jelassi2022", "Figure 1(a)"),
    kind=Kind.FIGURE,
    statement=(
        "In a ViT-small trained on ImageNet, inner products of positional encodings are large for neighbouring patches "
        "only; at initialisation they are not."
    ),
    observable="locality_of_positional_similarities",
    evidence=(Evidence.MEASURED,),
    reading=(
        "Similarities are normalised to [-1, 1] and cut at 55/100: read as cosines. 'Large for neighbouring patches' "
        "is read as a score that is 0 on average over patches strewn by lot, patches that share a side against all "
        "others; it must exceed chance by its interval, and neighbours the cut more often than others."
    ),
    fairness=(
        "Needs weights that somebody trained on ImageNet: without them the statement is not measured, and nothing is "
        "said for or against the figure. One network is one draw: what it shows is told and decides nothing by itself. "
        "Small ViTs trained on handwritten digits stand in; what they show counts as another interpretation. Encodings "
        "no more alike to neighbours than to others would have spoken against it; without the weights that test did "
        "not run, on stand-ins it did, with untrained networks and encodings at patches drawn by lot as controls."
    ),
)

FIG_2 = Claim(
    id="B.fig2",
    source=Source("jelassi2022", "Figure 2, section 2"),
    kind=Kind.FIGURE,
    statement=(
        "On Gaussian patches labelled by the sign of a cubic convolutional network, a one-layer ViT reaches a small "
        "test error without patch association."
    ),
    observable="test_error_and_association_on_gaussian_patches",
    evidence=(Evidence.MEASURED,),
    reading=(
        "'ViTs do not always learn patch association under Assumption 1' means under Definition 2.1: the data violate "
        "Assumption 1. Sizes are not printed, nor how P or A starts. 'Small' is read as below the error of linear "
        "predictors, by three standard errors: both the one fitted to the same samples and the sum of all patches "
        "along the true filter. P is trained, whose P^T P the figure shows and Definition 2.2 ranks; A trained, as "
        "Simplification 3.1 has it later, is another symbol, and a repair, with the same 'small'."
    ),
    fairness=(
        "The text answers 'would ViTs really learn those sets?' by an example, so one setting with a small error and "
        "no association settles it, and as sizes are not printed, no failure at ours speaks against the figure; only a "
        "proof that small errors force association would. With P trained it was looked for from short and from long "
        "encodings. With A trained from entries of size 1, the repair, it is there: but rows of a free A "
        "may change places and no error depends on it, so that the sets are found and the criterion missed; P^T P, "
        "which is symmetric, has no such freedom. That every set is the Top_C of some patch, 'half of the linear "
        "error' and a filter of C directions are exploratory. Even attention meets an error below 1/8, and fails, as "
        "one step of training does, the bar below linear predictors, which was set after runs had been seen. A run "
        "with a small error and no association would have settled it for the figure."
    ),
    tried=(
        Tried(
            Way.ANOTHER_AXIS,
            "P from short and from long encodings, and a filter of C directions: errors below linear predictors' come "
            "with association.",
        ),
        Tried(
            Way.OWN_SETTINGS,
            "the figure prints neither sizes nor starts nor steps, so that its own cannot be run; they would decide.",
        ),
        Tried(Way.PROOF, "that small errors force association, or do not, is no line of algebra: f* is not linear."),
    ),
)

FIG_4 = Claim(
    id="B.fig4",
    source=Source("jelassi2022", "Figure 4, section 4"),
    kind=Kind.FIGURE,
    statement=(
        "In the realistic case the learned A is large exactly on pairs within a set, test error falls and the cosine "
        "between v and w* rises."
    ),
    observable="attention_mask_test_error_and_feature_cosine",
    evidence=(Evidence.MEASURED,),
    regime=REALISTIC,
    reading=(
        "'Exactly the same setting as Theorem 4.2', sizes in an appendix. A circulated script differs in q, "
        "projection, sqrt(d) and the factor D: both protocols are measured. Without the factor D a step moves v as one "
        "D^2 times smaller would; with sqrt(d) it moves A/sqrt(d) as one d times smaller would. 'The tuples (i, j) "
        "such that (i, j) in S_l' means i and j in S_l. 'Correspond exactly' is read as Top_C of every row; 'test "
        "error falls', below what attention without sets can reach; 'the cosine rises', above three standard "
        "deviations of a random direction's, 3/sqrt(d)."
    ),
    fairness=(
        "The caption says 'the exact same setting as for the realistic case', shows A on the pairs of the sets, and "
        "plots test error and cosine without a number that one could hold it to. The statement is that of the "
        "realistic case, and asks for what is shown: exact rows, an error below what uniform attention reaches, a "
        "cosine that chance does not reach. Runs with shuffled labels must fail all three. The softmax of section 4.1 "
        "is the statement, that with the sqrt(d) of (T), which Theorem 4.2 names, in d times as many steps and with "
        "ten times the samples, another interpretation; steps, rate and samples are not printed. 'Near the floor', "
        "9/10 and the circulated script are exploratory. Runs of the realistic case that end without the pattern of "
        "the sets, at a number of steps that the paper names, would speak against the figure. Such runs would have "
        "been seen: the setting was run a dozen times a line and asked to show it in seven tenths of them, which half "
        "of the runs would not."
    ),
)

FIG_5 = Claim(
    id="B.fig5",
    source=Source("jelassi2022", "Figure 5, section 6"),
    kind=Kind.FIGURE,
    statement=(
        "Shuffling grid cells of CIFAR-100 leaves a ViT's accuracy unchanged over the cell size, lowers that of "
        "ResNet-18 and VGG-19 for small cells, and undoing the shuffle on the ViT's positional similarities shows "
        "locality."
    ),
    observable="image_accuracy_over_shuffle_size",
    evidence=(Evidence.MEASURED,),
    reading=(
        "Patch size 2, cells 2 to 32. 'Unchanged' needs an equivalence margin, none is printed: 3 points, our choice. "
        "The text speaks of grids of s x s pixels, the plot of shuffle size. 'Small cells' are 2 and 4 pixels. Images "
        "that are permuted and put back are the original ones."
    ),
    fairness=(
        "Not measured without CIFAR-100; handwritten digits stand in, and what they show counts as another "
        "interpretation. Where cells are whole patches a ViT's accuracy cannot depend on the permutation: permuting "
        "its positional encodings, which are drawn alike, gives the same network on the same patches. Only chance "
        "remains, and trials of both say how much. Augmentation comes before the permutation. Otherwise it comes out "
        "where the ViT loses more to the permutation than the margin or a CNN nothing; not run on CIFAR-100, run on "
        "stand-ins, with nothing permuted and test images alone permuted as faults."
    ),
)

FIG_6 = Claim(
    id="B.fig6",
    source=Source("jelassi2022", "Figure 6, section 6"),
    kind=Kind.FIGURE,
    statement="On ImageNet, ViT-tiny with positional attention competes with vanilla attention.",
    observable="imagenet_accuracy_by_kind_of_attention",
    evidence=(Evidence.MEASURED,),
    reading=(
        "'Competes' is said of printed accuracies 3 points apart; no margin is printed, so 3 points are taken, which "
        "is the most lenient that the printed figures allow. Scores of positional attention come from one set of "
        "encodings through each block's own W_Q and W_K; they are not added to tokens."
    ),
    fairness=(
        "Not measured without ImageNet. Handwritten digits stand in, by the trials of Figure 7: they say whether the "
        "code works, and nothing of ImageNet. A gap beyond the margin would have spoken against it; on ImageNet that "
        "was not run."
    ),
)

FIG_7 = Claim(
    id="B.fig7",
    source=Source("jelassi2022", "Figure 7, section 6"),
    kind=Kind.FIGURE,
    statement="On CIFAR-10, CIFAR-100 and SVHN, a ViT with positional attention competes with vanilla attention.",
    observable="small_image_accuracy_by_kind_of_attention",
    evidence=(Evidence.MEASURED,),
    reading=(
        "Patch size 4; the caption averages over 10 seeds, section 6 over 5. 'Competes' at a deficit of 3 points, as "
        "in Figure 6: no margin is printed."
    ),
    fairness=(
        "Not measured without CIFAR-10, CIFAR-100 and SVHN. Handwritten digits stand in, and what they show counts as "
        "another interpretation. Pairs share initial weights and batches; both kinds of attention have the same "
        "parameters. A gap beyond the margin would have spoken against it; that was not run on the three sets, on "
        "stand-ins it was, and attention held even is found out."
    ),
)
