(* What exported proofs of theoremeter rest on: lemmas of real analysis, and tactics that try the shortest way first.
   Every lemma is proved here from Coq's reals, Coquelicot and coq-interval; nothing is assumed. *)
From Coq Require Import Reals Lra Psatz ZArith.
From Coquelicot Require Import Coquelicot.
From Interval Require Import Tactic.
Open Scope R_scope.

(* ---------------------------------------------------------------------------------------------- words of statements *)

Definition whole (x : R) : Prop := exists k : Z, x = IZR k.
Definition even (x : R) : Prop := exists k : Z, x = 2 * IZR k.
Definition odd (x : R) : Prop := exists k : Z, x = 2 * IZR k + 1.

Lemma even_whole : forall x, even x -> whole x.
Proof. intros x [k ->]. exists (2 * k)%Z. rewrite mult_IZR. reflexivity. Qed.

Lemma odd_whole : forall x, odd x -> whole x.
Proof. intros x [k ->]. exists (2 * k + 1)%Z. rewrite plus_IZR, mult_IZR. reflexivity. Qed.

(* Between neighbouring whole numbers there is none. *)
Lemma whole_above : forall x k, whole x -> IZR k < x -> IZR (k + 1) <= x.
Proof. intros x k [n ->] H. apply IZR_le. apply lt_IZR in H. lia. Qed.

Lemma whole_below : forall x k, whole x -> x < IZR k -> x <= IZR (k - 1).
Proof. intros x k [n ->] H. apply IZR_le. apply lt_IZR in H. lia. Qed.

Lemma whole_or : forall x k, whole x -> x <= IZR k \/ IZR (k + 1) <= x.
Proof.
  intros x k W. destruct (Rle_or_lt x (IZR k)) as [H | H]; [left; exact H | right; apply whole_above; assumption].
Qed.

(* --------------------------------------------------------------------------------------------------- sign and slope *)

Lemma mult_neg_neg : forall a b, a < 0 -> b < 0 -> 0 < a * b.
Proof. intros. nra. Qed.
Lemma mult_pos_neg : forall a b, 0 < a -> b < 0 -> a * b < 0.
Proof. intros. nra. Qed.
Lemma mult_neg_pos : forall a b, a < 0 -> 0 < b -> a * b < 0.
Proof. intros. nra. Qed.
Lemma mult_nonpos_nonpos : forall a b, a <= 0 -> b <= 0 -> 0 <= a * b.
Proof. intros. nra. Qed.
Lemma mult_nonneg_nonpos : forall a b, 0 <= a -> b <= 0 -> a * b <= 0.
Proof. intros. nra. Qed.
Lemma mult_nonpos_nonneg : forall a b, a <= 0 -> 0 <= b -> a * b <= 0.
Proof. intros. nra. Qed.
Lemma even_pow_pos : forall a n, a <> 0 -> 0 < a ^ (2 * n).
Proof. intros. rewrite pow_mult. apply pow_lt. nra. Qed.
Lemma even_pow_nonneg : forall a n, 0 <= a ^ (2 * n).
Proof. intros. rewrite pow_mult. apply pow_le. nra. Qed.
Lemma ln_pos : forall a, 1 < a -> 0 < ln a.
Proof. intros a H. rewrite <- ln_1. apply ln_increasing; lra. Qed.
Lemma ln_nonneg : forall a, 1 <= a -> 0 <= ln a.
Proof. intros a [H | <-]; [left; apply ln_pos; exact H | rewrite ln_1; lra]. Qed.
Lemma ln_neg : forall a, 0 < a -> a < 1 -> ln a < 0.
Proof. intros a H K. rewrite <- ln_1. apply ln_increasing; lra. Qed.
Lemma ln_nonpos : forall a, 0 < a -> a <= 1 -> ln a <= 0.
Proof. intros a H [K | ->]; [left; apply ln_neg; assumption | rewrite ln_1; lra]. Qed.

(* The mean value theorem: where the slope is not negative, the value at the left end is not above the one at the right. *)
Lemma rise : forall (f g : R -> R) a b, a <= b -> (forall c, a <= c <= b -> is_derive f c (g c)) ->
  (forall c, a < c < b -> 0 <= g c) -> f a <= f b.
Proof.
  intros f g a b [H | <-] D S; [ | lra].
  destruct (MVT_cor2 f g a b H) as [c [E I]].
  - intros c I. apply is_derive_Reals. apply D. exact I.
  - specialize (S c I). nra.
Qed.

Lemma rise_strictly : forall (f g : R -> R) a b, a < b -> (forall c, a <= c <= b -> is_derive f c (g c)) ->
  (forall c, a < c < b -> 0 < g c) -> f a < f b.
Proof.
  intros f g a b H D S.
  destruct (MVT_cor2 f g a b H) as [c [E I]].
  - intros c I. apply is_derive_Reals. apply D. exact I.
  - specialize (S c I). nra.
Qed.

Lemma fall : forall (f g : R -> R) a b, a <= b -> (forall c, a <= c <= b -> is_derive f c (- g c)) ->
  (forall c, a < c < b -> 0 <= g c) -> f b <= f a.
Proof.
  intros f g a b H D S.
  enough (- f a <= - f b) by lra.
  apply (rise (fun t => - f t) g a b H); [ | exact S].
  intros c I. replace (g c) with (opp (- g c)) by (unfold opp; simpl; ring). apply (is_derive_opp f c). apply D. exact I.
Qed.

Lemma fall_strictly : forall (f g : R -> R) a b, a < b -> (forall c, a <= c <= b -> is_derive f c (- g c)) ->
  (forall c, a < c < b -> 0 < g c) -> f b < f a.
Proof.
  intros f g a b H D S.
  enough (- f a < - f b) by lra.
  apply (rise_strictly (fun t => - f t) g a b H); [ | exact S].
  intros c I. replace (g c) with (opp (- g c)) by (unfold opp; simpl; ring). apply (is_derive_opp f c). apply D. exact I.
Qed.

Lemma affine_between : forall a b p c q, p <= c <= q -> 0 <= a * p + b -> 0 <= a * q + b -> 0 <= a * c + b.
Proof. intros a b p c q I P Q. destruct (Rle_or_lt 0 a); nra. Qed.

Lemma affine_between_strictly : forall a b p c q, p <= c <= q -> 0 < a * p + b -> 0 < a * q + b -> 0 < a * c + b.
Proof. intros a b p c q I P Q. destruct (Rle_or_lt 0 a); nra. Qed.

(* ---------------------------------------------------------------------------------------------------- two functions *)

Lemma exp_nat : forall u n, exp u ^ n = exp (INR n * u).
Proof.
  intros u n. induction n as [ | n IH].
  - simpl. rewrite Rmult_0_l, exp_0. reflexivity.
  - rewrite <- tech_pow_Rmult, IH, <- exp_plus, S_INR. f_equal. ring.
Qed.

Lemma ln_nat : forall u n, 0 < u -> ln (u ^ n) = INR n * ln u.
Proof.
  intros u n H. induction n as [ | n IH].
  - simpl. rewrite ln_1. ring.
  - rewrite <- tech_pow_Rmult, ln_mult, IH, S_INR; [ring | exact H | apply pow_lt; exact H].
Qed.

Lemma ln_sqrt : forall u, 0 < u -> ln (sqrt u) = ln u / 2.
Proof.
  intros u H. assert (0 < sqrt u) by (apply sqrt_lt_R0; exact H).
  rewrite <- (sqrt_sqrt u) at 2 by lra. rewrite ln_mult by assumption. field.
Qed.

Lemma ln_below : forall a, 0 < a -> ln a <= a - 1.
Proof. intros a H. pose proof (exp_ineq1_le (ln a)) as K. rewrite exp_ln in K by exact H. lra. Qed.

Lemma above_tangent : forall m b, 0 < m -> 0 < b -> b * (1 + ln m - ln b) <= m.
Proof.
  intros m b M B. set (u := ln m - ln b). assert (H : m = b * exp u).
  - unfold u, Rminus. rewrite exp_plus, exp_Ropp, !exp_ln by assumption. field. apply Rgt_not_eq. exact B.
  - assert (1 + u <= exp u) by apply exp_ineq1_le. rewrite H at 2.
    apply Rmult_le_compat_l; [lra | unfold u in *; lra].
Qed.

Lemma by_ln : forall a b, 0 < a -> 0 < b -> 0 <= ln a - ln b -> 0 <= a - b.
Proof.
  intros a b A B H. enough (b <= a) by lra.
  destruct (Rle_or_lt b a) as [K | K]; [exact K | ]. assert (ln a < ln b) by (apply ln_increasing; assumption). lra.
Qed.

Lemma by_ln_strictly : forall a b, 0 < a -> 0 < b -> 0 < ln a - ln b -> 0 < a - b.
Proof. intros a b A B H. enough (b < a) by lra. apply ln_lt_inv; lra. Qed.

Lemma by_exp : forall a b, 0 <= exp a - exp b -> 0 <= a - b.
Proof.
  intros a b H. enough (b <= a) by lra.
  destruct (Rle_or_lt b a) as [K | K]; [exact K | ]. assert (exp a < exp b) by (apply exp_increasing; exact K). lra.
Qed.

Lemma by_exp_strictly : forall a b, 0 < exp a - exp b -> 0 < a - b.
Proof. intros a b H. enough (b < a) by lra. apply exp_lt_inv. lra. Qed.

(* --------------------------------------------------------------------------------------------------------- tactics *)

(* A sign from the signs of the parts; what has none by its form, by an enclosure. `sides` are the conditions of `field`
   and of `auto_derive`. *)
Ltac at_once := first [assumption | lra].
Ltac positive :=
  first [at_once | lazymatch goal with
  | |- 0 < exp _ => apply exp_pos
  | |- 0 < cosh _ => unfold cosh; positive
  | |- 0 < _ + _ =>
    first [solve [apply Rplus_lt_le_0_compat; [positive | nonnegative]]
          | solve [apply Rplus_le_lt_0_compat; [nonnegative | positive]]
          | solve [interval] | lazymatch goal with |- 0 < ?a => summands a; lra end]
  | |- 0 < ?a * ?b =>
    first [solve [apply Rmult_lt_0_compat; positive] | solve [apply mult_neg_neg; negative] | interval]
  | |- 0 < / _ => apply Rinv_0_lt_compat; positive
  | |- 0 < ?a / ?b => unfold Rdiv; positive
  | |- 0 < ?a ^ ?n =>
    first [solve [apply pow_lt; positive] | interval
          | let m := eval compute in (Nat.div2 n) in change (0 < a ^ (2 * m)); apply even_pow_pos; nonzero]
  | |- 0 < sqrt _ => apply sqrt_lt_R0; positive
  | |- 0 < - ?a => apply Ropp_0_gt_lt_contravar; negative
  | |- 0 < ?a - ?b => first [interval | apply (Rplus_lt_reg_r b); ring_simplify; positive]
  | |- 0 < ln _ => first [interval | apply ln_pos; at_once]
  | |- _ => interval
  end]
with nonnegative :=
  first [at_once | solve [apply Rle_0_sqr] | lazymatch goal with
  | |- 0 <= exp _ => left; apply exp_pos
  | |- 0 <= Rabs _ => apply Rabs_pos
  | |- 0 <= cosh _ => left; positive
  | |- 0 <= _ + _ =>
    first [solve [apply Rplus_le_le_0_compat; nonnegative] | solve [interval]
          | lazymatch goal with |- 0 <= ?a => summands a; lra end]
  | |- 0 <= ?a * ?b =>
    first [solve [apply Rmult_le_pos; nonnegative] | solve [apply mult_nonpos_nonpos; nonpositive] | interval]
  | |- 0 <= / _ => left; apply Rinv_0_lt_compat; positive
  | |- 0 <= ?a / ?b => unfold Rdiv; nonnegative
  | |- 0 <= ?a ^ ?n =>
    first [solve [let m := eval compute in (Nat.div2 n) in change (0 <= a ^ (2 * m)); apply even_pow_nonneg]
          | solve [apply pow_le; nonnegative] | interval]
  | |- 0 <= sqrt _ => apply sqrt_pos
  | |- 0 <= - ?a => apply Ropp_0_ge_le_contravar; apply Rle_ge; nonpositive
  | |- 0 <= ln _ => first [interval | apply ln_nonneg; at_once]
  | |- _ => interval
  end]
with negative :=
  first [at_once | lazymatch goal with
  | |- ?a * ?b < 0 =>
    first [solve [apply mult_pos_neg; [positive | negative]] | solve [apply mult_neg_pos; [negative | positive]] | interval]
  | |- / _ < 0 => apply Rinv_lt_0_compat; negative
  | |- ?a / ?b < 0 => unfold Rdiv; negative
  | |- - _ < 0 => apply Ropp_lt_gt_0_contravar; positive
  | |- ln _ < 0 => first [interval | apply ln_neg; positive]
  | |- ?a < 0 => first [interval | enough (0 < - a) by lra; ring_simplify; positive]
  end]
with nonpositive :=
  first [at_once | lazymatch goal with
  | |- ?a * ?b <= 0 =>
    first [solve [apply mult_nonneg_nonpos; [nonnegative | nonpositive]]
          | solve [apply mult_nonpos_nonneg; [nonpositive | nonnegative]] | interval]
  | |- / _ <= 0 => left; negative
  | |- ?a / ?b <= 0 => unfold Rdiv; nonpositive
  | |- ln _ <= 0 => first [interval | apply ln_nonpos; at_once]
  | |- ?a <= 0 => interval
  end]
with summands a :=
  lazymatch a with
  | ?b + ?c => summands b; summands c
  | ?b - ?c => summands b; summands c
  | IZR _ => idtac
  | _ => first [is_var a | assert (0 < a) by positive | assert (0 <= a) by nonnegative | assert (a < 0) by negative
               | assert (a <= 0) by nonpositive | idtac]
  end
with nonzero :=
  first [assumption
  | let H := fresh in intro H; match goal with K : ?d <> 0 |- _ => apply K; lra end
  | solve [apply Rgt_not_eq; red; positive] | solve [apply Rlt_not_eq; negative]
  | lazymatch goal with
    | |- ?a * ?b <> 0 => apply Rmult_integral_contrapositive_currified; nonzero
    | |- ?a ^ ?n <> 0 => apply pow_nonzero; nonzero
    | |- / ?a <> 0 => apply Rinv_neq_0_compat; nonzero
    end
  | solve [apply Rgt_not_eq; red; lazymatch goal with |- 0 < ?a => summands a; lra end]
  | solve [apply Rlt_not_eq; lazymatch goal with |- ?a < 0 => summands a; lra end]
  | let H := fresh in intro H; match goal with K : ?d <> 0 |- _ => apply K; solve [field_simplify_eq; [nra | sides]] end
  | let H := fresh in intro H;
    repeat match type of H with context [exp ?a] => generalize (exp_pos a); revert H; generalize (exp a); intros ? H ? end;
    nra]
with sides :=
  repeat match goal with |- _ /\ _ => split end;
  first [exact I | lazymatch goal with
  | |- _ <> 0 => nonzero
  | |- 0 < _ => positive
  | |- 0 <= _ => nonnegative
  end].

(* Another form of what the goal, or a hypothesis, says of a sign. *)
Ltac say E :=
  lazymatch goal with |- ?sign 0 _ => refine (eq_ind_r (fun z => sign 0 z) _ E) end; clear E.
Ltac say_in H E :=
  lazymatch type of H with ?sign 0 _ =>
    let K := fresh in pose proof (eq_ind _ (fun z => sign 0 z) H _ E) as K; cbv beta in K; clear H; rename K into H
  end; clear E.

(* Beside an excluded end 0 a logarithm is below the one of the other end, and an inverse above. *)
Ltac beside_zero tactic :=
  repeat match goal with
  | P : 0 < ?p, U : ?p <= ?h |- context [ln ?p] =>
    is_var p; let B := fresh in let K := fresh in let l := fresh in
    assert (B : ln p <= ln h) by (apply ln_le; lra); interval_intro (ln h) upper as K;
    apply (Rle_trans _ _ _ B) in K; clear B; set (l := ln p) in *; clearbody l
  | P : 0 < ?p, U : ?p <= ?h |- context [/ ?p] =>
    is_var p; let B := fresh in let l := fresh in
    assert (B : / h <= / p) by (apply Rinv_le_contravar; lra); set (l := / p) in *; clearbody l
  end; tactic.

(* A logarithm is below its tangent at 1. *)
Ltac tangents :=
  repeat match goal with
  | |- context [ln ?a] =>
    let B := fresh in let l := fresh in
    assert (B : ln a <= a - 1) by (apply ln_below; solve [positive]); set (l := ln a) in *; clearbody l
  end.

(* Powers, which `auto_derive` writes out. *)
Ltac folded :=
  repeat match goal with
  | |- context [?x * (?x * 1)] => change (x * (x * 1)) with (x ^ 2)
  | |- context [?x * (?x ^ ?n)] => let m := eval compute in (S n) in change (x * (x ^ n)) with (x ^ m)
  end.

(* What is >= 0 or > 0 by its enclosure, or by the signs of its parts. *)
Ltac leaf :=
  first [at_once | solve [interval] | solve [sides] | solve [interval with (i_prec 160)] | solve [beside_zero ltac:(first [lra | interval])]
        | solve [tangents; first [lra | nra]] | nra].

(* Products, inverses, powers and roots leave a logarithm. *)
Ltac logs :=
  repeat match goal with
  | |- context [ln 1] => rewrite ln_1
  | |- context [ln (exp ?a)] => rewrite (ln_exp a)
  | |- context [exp (ln ?a)] => rewrite (exp_ln a) by (solve [positive])
  | |- context [ln (?a * ?b)] => rewrite (ln_mult a b) by (solve [positive])
  | |- context [ln (?a / ?b)] => unfold Rdiv
  | |- context [ln (/ ?a)] => rewrite (ln_Rinv a) by (solve [positive])
  | |- context [ln (?a ^ ?n)] => rewrite (ln_nat a n) by (solve [positive])
  | |- context [ln (sqrt ?a)] => rewrite (ln_sqrt a) by (solve [positive])
  end; rewrite ?INR_IZR_INZ; simpl Z.of_nat.

Ltac same_field := first [reflexivity | solve [field; sides] | lra].

(* Two forms of one number. Exponentials are brought to common units before. *)
Ltac same := first [same_field | solve [logs; same_field] | roots_same]
with roots_same :=
  repeat match goal with
  | |- context [sqrt ?a] =>
    let s := fresh "s" in
    (try (assert (sqrt a <> 0) by nonzero));
    generalize (sqrt_sqrt a ltac:(nonnegative)) (sqrt_pos a);
    set (s := sqrt a) in *; clearbody s; intros ? ?
  end;
  lazymatch goal with
  | E1 : ?s * ?s = _, E2 : ?t * ?t = _, E3 : ?u * ?u = _ |- _ =>
    first [solve [ring [E1 E2 E3]] | solve [field [E1 E2 E3]; sides] | nsatz_field]
  | E1 : ?s * ?s = _, E2 : ?t * ?t = _ |- _ =>
    first [solve [ring [E1 E2]] | solve [field [E1 E2]; sides] | nsatz_field]
  | E1 : ?s * ?s = _ |- _ => first [solve [ring [E1]] | solve [field [E1]; sides] | nsatz_field]
  end
with nsatz_field := first [nra | field_simplify_eq; [nra | sides]].

(* exp of a sum as a product of powers of units. *)
Ltac exps :=
  rewrite ?exp_nat, <- ?exp_Ropp, <- ?exp_plus; apply f_equal; rewrite ?INR_IZR_INZ; simpl Z.of_nat;
  first [lra | solve [ring] | solve [field; sides] | solve [same]].

(* At a point, where all are numbers. *)
Ltac at_the_point :=
  lazymatch goal with
  | |- True => exact I
  | |- whole (IZR ?k) => exists k; reflexivity
  | |- even (IZR ?k) => let m := eval compute in (Z.div k 2) in exists m; lra
  | |- odd (IZR ?k) => let m := eval compute in (Z.div k 2) in exists m; lra
  | |- ?a = ?b => same
  | |- ?a <> ?b => first [lra | nonzero | apply Rgt_not_eq; red; interval | apply Rlt_not_eq; interval]
  | |- _ => first [lra | interval | interval with (i_prec 300) | nra]
  end.
