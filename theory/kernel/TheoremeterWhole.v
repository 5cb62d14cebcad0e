(* What exported proofs with sums, inductions and limits rest on beside Theoremeter.v. Every lemma is proved here; nothing
   is assumed. *)
From Coq Require Import Reals Lra Psatz ZArith Lia.
From Coquelicot Require Import Coquelicot.
Require Import Theoremeter.
Open Scope R_scope.

Lemma whole_induction : forall (P : R -> Prop) a, whole a -> P a -> (forall n, whole n -> a <= n -> P n -> P (n + 1)) ->
  forall n, whole n -> a <= n -> P n.
Proof.
  intros P a [j ->] B Next n [k ->] H. apply le_IZR in H.
  replace k with (j + Z.of_nat (Z.to_nat (k - j)))%Z by lia.
  induction (Z.to_nat (k - j)) as [ | m IH].
  - replace (j + Z.of_nat 0)%Z with j by lia. exact B.
  - replace (j + Z.of_nat (S m))%Z with (j + Z.of_nat m + 1)%Z by lia. rewrite plus_IZR. apply Next.
    + exists (j + Z.of_nat m)%Z. reflexivity.
    + apply IZR_le. lia.
    + exact IH.
Qed.

(* f(a) + f(a + 1) + ... + f(x), which is 0 where x < a. *)
Fixpoint first_terms (f : R -> R) (a : R) (n : nat) : R :=
  match n with O => 0 | S m => first_terms f a m + f (a + INR m) end.
Definition total (f : R -> R) (a x : R) : R := first_terms f a (Z.to_nat (up (x - a))).

Lemma up_whole : forall k, up (IZR k) = (k + 1)%Z.
Proof. intros k. symmetry. apply tech_up; rewrite plus_IZR; lra. Qed.

Lemma total_first : forall f a, total f a a = f a.
Proof.
  intros f a. unfold total. replace (a - a) with (IZR 0) by (simpl; lra). rewrite up_whole.
  change (Z.to_nat (0 + 1)) with 1%nat. simpl. rewrite Rplus_0_r. lra.
Qed.

Lemma total_next : forall f a x, whole a -> whole x -> a - 1 <= x -> total f a (x + 1) = total f a x + f (x + 1).
Proof.
  intros f a x [j ->] [k ->] H. unfold total.
  replace (IZR k - IZR j) with (IZR (k - j)) by (rewrite minus_IZR; reflexivity).
  replace (IZR k + 1 - IZR j) with (IZR (k + 1 - j)) by (rewrite minus_IZR, plus_IZR; reflexivity).
  rewrite !up_whole. replace 1 with (IZR 1) in H by reflexivity. rewrite <- minus_IZR in H. apply le_IZR in H.
  replace (Z.to_nat (k + 1 - j + 1)) with (S (Z.to_nat (k - j + 1))) by lia.
  simpl. f_equal. f_equal. rewrite INR_IZR_INZ, Z2Nat.id by lia. rewrite plus_IZR, minus_IZR. simpl. lra.
Qed.

Lemma inverse_beyond : forall c x, 0 < c -> 0 < x -> c < / x -> x < / c.
Proof.
  intros c x C X H. rewrite <- (Rinv_inv x). apply Rinv_lt_contravar; [ | exact H].
  apply Rmult_lt_0_compat; [exact C | apply Rinv_0_lt_compat; exact X].
Qed.

(* Where the second slope is never positive, f is not below the lesser of its values at two ends. *)
Lemma concave_above : forall (f g h : R -> R) a b x, a <= x <= b -> (forall c, a <= c <= b -> is_derive f c (g c)) ->
  (forall c, a <= c <= b -> is_derive g c (- h c)) -> (forall c, a <= c <= b -> 0 <= h c) ->
  forall m, m <= f a -> m <= f b -> m <= f x.
Proof.
  intros f g h a b x [A B] F G S m L U.
  destruct (Rle_or_lt m (f x)) as [K | K]; [exact K | exfalso].
  assert (a < x) by (destruct A as [A | <-]; lra). assert (x < b) by (destruct B as [B | ->]; lra).
  destruct (MVT_cor2 f g a x) as [c [E I]]; [assumption | intros; apply is_derive_Reals; apply F; lra | ].
  destruct (MVT_cor2 f g x b) as [d [D J]]; [assumption | intros; apply is_derive_Reals; apply F; lra | ].
  assert (g d <= g c) by (apply (fall g h c d); [lra | intros; apply G; lra | intros; apply S; lra]).
  assert (g c < 0) by nra. assert (0 < g d) by nra. lra.
Qed.
