(* What exported proofs by Jensen's inequality rest on beside TheoremeterLengths.v. Every lemma is proved here; nothing is
   assumed. *)
From Coq Require Import Reals Lra Psatz List.
From Coquelicot Require Import Coquelicot.
Require Import Theoremeter TheoremeterWhole TheoremeterLengths.
Open Scope R_scope.

(* What holds of two numbers and of all between them. *)
Definition between (P : R -> Prop) : Prop := forall x y z, P x -> P z -> x <= y -> y <= z -> P y.

(* Where the second slope is never negative, f is on or above its tangents. *)
Lemma above_tangent : forall (P : R -> Prop) (f g h : R -> R), between P ->
  (forall c, P c -> is_derive f c (g c)) -> (forall c, P c -> is_derive g c (h c)) -> (forall c, P c -> 0 <= h c) ->
  forall m x, P m -> P x -> f m + g m * (x - m) <= f x.
Proof.
  intros P f g h B F G S m x M X.
  assert (Rise : forall a b, P a -> P b -> a <= b -> g a <= g b).
  { intros a b A C L.
    apply (rise g h a b L); intros c [I J]; [apply G | apply S]; apply (B a c b); first [assumption | lra]. }
  destruct (Rtotal_order m x) as [L | [-> | L]].
  - destruct (MVT_cor2 f g m x L) as [c [E [I J]]].
    { intros c [I J]. apply is_derive_Reals. apply F. apply (B m c x); assumption. }
    assert (g m <= g c) by (apply Rise; [exact M | apply (B m c x); first [assumption | lra] | lra]). nra.
  - lra.
  - destruct (MVT_cor2 f g x m L) as [c [E [I J]]].
    { intros c [I J]. apply is_derive_Reals. apply F. apply (B x c m); assumption. }
    assert (g c <= g m) by (apply Rise; [apply (B x c m); first [assumption | lra] | exact M | lra]). nra.
Qed.

(* A weighted mean lies where what it is the mean of lies; without weight nothing does. *)
Lemma mean_between : forall (P : R -> Prop) w a b first n, between P -> whole first -> whole n -> first - 1 <= n ->
  (forall i, whole i -> first <= i -> i <= n -> 0 <= w i /\ b i = w i * a i /\ P (a i)) ->
  (total w first n = 0 /\ total b first n = 0) \/
  (0 < total w first n /\ exists c, P c /\ total b first n = c * total w first n).
Proof.
  intros P w a b first n B F N H T.
  apply (from_none (fun k => k <= n -> (total w first k = 0 /\ total b first k = 0) \/
    (0 < total w first k /\ exists c, P c /\ total b first k = c * total w first k)) first n F N H); [ | | lra].
  - intros _. left. rewrite !total_empty by reflexivity. lra.
  - intros i W L U IH _. destruct (T i W L U) as [P0 [E A]].
    rewrite !(fun f => total_grown f first (i - 1) i F W L eq_refl).
    destruct (IH ltac:(lra)) as [[-> ->] | [Q [c [C ->]]]].
    + destruct P0 as [P0 | P0].
      * right. split; [lra | ]. exists (a i). split; [exact A | rewrite E; ring].
      * left. rewrite E, <- P0. lra.
    + right. split; [lra | ]. set (u := total w first (i - 1)) in *.
      exists ((c * u + w i * a i) / (u + w i)). split.
      * assert (0 < u + w i) by lra. destruct (Rle_or_lt c (a i)) as [K | K].
        -- apply (B c _ (a i) C A); [apply Rle_div_r | apply Rle_div_l]; nra.
        -- apply (B (a i) _ c A C); [apply Rle_div_r | apply Rle_div_l]; nra.
      * rewrite E. field. lra.
Qed.

(* Jensen's inequality for sums: of a convex function, and of a concave one. *)
Lemma jensen_convex : forall (P : R -> Prop) (f g h w a s b : R -> R) first n W, between P ->
  (forall c, P c -> is_derive f c (g c)) -> (forall c, P c -> is_derive g c (h c)) -> (forall c, P c -> 0 <= h c) ->
  whole first -> whole n -> first - 1 <= n ->
  (forall i, whole i -> first <= i -> i <= n -> 0 <= w i /\ s i = w i * f (a i) /\ b i = w i * a i /\ P (a i)) ->
  total w first n = W -> 0 < W -> W * f (total b first n * / W) <= total s first n.
Proof.
  intros P f g h w a s b first n W B F G S Z N H T E Q.
  destruct (mean_between P w a b first n B Z N H) as [[K _] | [_ [c [C K]]]].
  { intros i I J L. destruct (T i I J L) as [T1 [_ [T2 T3]]]. auto. }
  { lra. }
  rewrite K, E. replace (c * W * / W) with c by (field; lra).
  pose proof (termwise ((-1, s) :: (f c - g c * c, w) :: (g c, b) :: nil) first n 0 Z N H) as R.
  cbn [weighted weighted_totals] in R. rewrite K, E in R.
  enough (-1 * total s first n + ((f c - g c * c) * W + (g c * (c * W) + 0)) <= (n + 1 - first) * 0) by lra.
  apply R. intros i I J L. destruct (T i I J L) as [T1 [-> [-> T3]]].
  pose proof (above_tangent P f g h B F G S c (a i) C T3). nra.
Qed.

Lemma jensen_concave : forall (P : R -> Prop) (f g h w a s b : R -> R) first n W, between P ->
  (forall c, P c -> is_derive f c (g c)) -> (forall c, P c -> is_derive g c (h c)) -> (forall c, P c -> h c <= 0) ->
  whole first -> whole n -> first - 1 <= n ->
  (forall i, whole i -> first <= i -> i <= n -> 0 <= w i /\ s i = w i * f (a i) /\ b i = w i * a i /\ P (a i)) ->
  total w first n = W -> 0 < W -> total s first n <= W * f (total b first n * / W).
Proof.
  intros P f g h w a s b first n W B F G S Z N H T E Q.
  destruct (mean_between P w a b first n B Z N H) as [[K _] | [_ [c [C K]]]].
  { intros i I J L. destruct (T i I J L) as [T1 [_ [T2 T3]]]. auto. }
  { lra. }
  rewrite K, E. replace (c * W * / W) with c by (field; lra).
  pose proof (termwise ((1, s) :: (g c * c - f c, w) :: (- g c, b) :: nil) first n 0 Z N H) as R.
  cbn [weighted weighted_totals] in R. rewrite K, E in R.
  enough (1 * total s first n + ((g c * c - f c) * W + (- g c * (c * W) + 0)) <= (n + 1 - first) * 0) by lra.
  apply R. intros i I J L. destruct (T i I J L) as [T1 [-> [-> T3]]].
  pose proof (above_tangent P (fun x => - f x) (fun x => - g x) (fun x => - h x) B) as A.
  enough (- f c + - g c * (a i - c) <= - f (a i)) by nra.
  apply A; [ | | | exact C | exact T3]; intros d D.
  - apply (is_derive_opp f d). apply F. exact D.
  - apply (is_derive_opp g d). apply G. exact D.
  - specialize (S d D). lra.
Qed.

(* Sums of ones. *)
Lemma total_ones : forall first n, whole first -> whole n -> first - 1 <= n -> total (fun _ => 1) first n = n + 1 - first.
Proof.
  intros first n F N H.
  pose proof (exactly ((1, fun _ => 1) :: nil) first n 1 F N H) as E. cbn [weighted weighted_totals] in E.
  enough (1 * total (fun _ => 1) first n + 0 = (n + 1 - first) * 1) by lra. apply E. intros. lra.
Qed.
