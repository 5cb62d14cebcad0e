(* What exported proofs over lists of n entries rest on beside Theoremeter.v and TheoremeterWhole.v. A list is a function,
   of which whole numbers alone are asked. Every lemma is proved here; nothing is assumed. *)
From Coq Require Import Reals Lra Psatz ZArith Lia List.
From Interval Require Import Tactic.
Require Import Theoremeter TheoremeterWhole.
Open Scope R_scope.

(* ------------------------------------------------------------------------------------------------------------ places *)

Lemma whole_plus : forall a b, whole a -> whole b -> whole (a + b).
Proof. intros a b [j ->] [k ->]. exists (j + k)%Z. rewrite plus_IZR. reflexivity. Qed.

Lemma whole_minus : forall a b, whole a -> whole b -> whole (a - b).
Proof. intros a b [j ->] [k ->]. exists (j - k)%Z. rewrite minus_IZR. reflexivity. Qed.

Ltac wholes := first [assumption | apply whole_plus; wholes | apply whole_minus; wholes
  | match goal with |- whole (IZR ?k) => exists k; reflexivity | |- whole (- IZR ?k) => exists (- k)%Z; rewrite opp_IZR; reflexivity end].

(* What holds at a and goes on from each whole number to the next holds at all of them up to n. *)
Lemma up_to : forall (P : R -> Prop) a n, whole a -> P a ->
  (forall i, whole i -> a <= i -> i + 1 <= n -> P i -> P (i + 1)) -> whole n -> a <= n -> P n.
Proof.
  intros P a n A B Next N H.
  apply (whole_induction (fun k => k <= n -> P k) a A); [intros; exact B | | exact N | exact H | lra].
  intros i W L IH U. apply Next; [exact W | exact L | exact U | apply IH; lra].
Qed.

(* How many whole numbers there are from a to x. *)
Definition count (a x : R) : nat := Z.to_nat (up (x - a)).

Lemma count_none : forall a x, x = a - 1 -> count a x = O.
Proof. intros a x ->. unfold count. replace (a - 1 - a) with (IZR (-1)) by (simpl; lra). rewrite up_whole. reflexivity. Qed.

Lemma count_grown : forall a x y, whole a -> whole y -> a <= y -> x = y - 1 -> count a y = S (count a x).
Proof.
  intros a x y [j ->] [k ->] H ->. unfold count. apply le_IZR in H.
  replace (IZR k - 1 - IZR j) with (IZR (k - 1 - j)) by (rewrite !minus_IZR; reflexivity).
  rewrite <- minus_IZR, !up_whole. lia.
Qed.

Lemma count_place : forall a x y, whole a -> whole y -> a <= y -> x = y - 1 -> a + INR (count a x) = y.
Proof.
  intros a x y [j ->] [k ->] H ->. unfold count. apply le_IZR in H.
  replace (IZR k - 1 - IZR j) with (IZR (k - 1 - j)) by (rewrite !minus_IZR; reflexivity).
  rewrite up_whole, INR_IZR_INZ, Z2Nat.id by lia. rewrite <- plus_IZR. f_equal. lia.
Qed.

(* ------------------------------------------------------------------------------------------------------------ totals *)

(* f(a) f(a + 1) ... f(x), which is 1 where x < a; the greatest and the least of these. *)
Fixpoint first_factors (f : R -> R) (a : R) (n : nat) : R :=
  match n with O => 1 | S m => first_factors f a m * f (a + INR m) end.
Definition product (f : R -> R) (a x : R) : R := first_factors f a (count a x).
Fixpoint first_greatest (f : R -> R) (a : R) (n : nat) : R :=
  match n with O => f a | S m => Rmax (first_greatest f a m) (f (a + INR m)) end.
Definition greatest (f : R -> R) (a x : R) : R := first_greatest f a (count a x).
Fixpoint first_least (f : R -> R) (a : R) (n : nat) : R :=
  match n with O => f a | S m => Rmin (first_least f a m) (f (a + INR m)) end.
Definition least (f : R -> R) (a x : R) : R := first_least f a (count a x).

Lemma total_empty : forall f a x, x = a - 1 -> total f a x = 0.
Proof. intros f a x H. unfold total. fold (count a x). rewrite (count_none a x H). reflexivity. Qed.

Lemma product_empty : forall f a x, x = a - 1 -> product f a x = 1.
Proof. intros f a x H. unfold product. rewrite (count_none a x H). reflexivity. Qed.

Lemma greatest_empty : forall f a x, x = a - 1 -> greatest f a x = f a.
Proof. intros f a x H. unfold greatest. rewrite (count_none a x H). reflexivity. Qed.

Lemma least_empty : forall f a x, x = a - 1 -> least f a x = f a.
Proof. intros f a x H. unfold least. rewrite (count_none a x H). reflexivity. Qed.

Ltac grown F := intros f a x y A Y H E; unfold F; try fold (count a x); try fold (count a y);
  rewrite (count_grown a x y A Y H E); simpl; rewrite (count_place a x y A Y H E); reflexivity.

Lemma total_grown : forall f a x y, whole a -> whole y -> a <= y -> x = y - 1 -> total f a y = total f a x + f y.
Proof. grown total. Qed.

Lemma product_grown : forall f a x y, whole a -> whole y -> a <= y -> x = y - 1 -> product f a y = product f a x * f y.
Proof. grown product. Qed.

Lemma greatest_grown : forall f a x y, whole a -> whole y -> a <= y -> x = y - 1 ->
  greatest f a y = Rmax (greatest f a x) (f y).
Proof. grown greatest. Qed.

Lemma least_grown : forall f a x y, whole a -> whole y -> a <= y -> x = y - 1 -> least f a y = Rmin (least f a x) (f y).
Proof. grown least. Qed.

(* From one place before the first. *)
Lemma from_none : forall (P : R -> Prop) a n, whole a -> whole n -> a - 1 <= n -> P (a - 1) ->
  (forall i, whole i -> a <= i -> i <= n -> P (i - 1) -> P i) -> P n.
Proof.
  intros P a n A N H B Next.
  apply (up_to P (a - 1) n); [wholes | exact B | | exact N | exact H].
  intros i W L U IH. apply Next; [wholes | lra | exact U | ]. replace (i + 1 - 1) with i by lra. exact IH.
Qed.

(* ------------------------------------------------------------------------------------------------------------- rules *)

(* Weighted terms of sums, and the weighted sums. *)
Fixpoint weighted (rows : list (R * (R -> R))) (i : R) : R :=
  match rows with nil => 0 | (w, f) :: rest => w * f i + weighted rest i end.
Fixpoint weighted_totals (rows : list (R * (R -> R))) (a n : R) : R :=
  match rows with nil => 0 | (w, f) :: rest => w * total f a n + weighted_totals rest a n end.

Lemma weighted_empty : forall rows a x, x = a - 1 -> weighted_totals rows a x = 0.
Proof. intros rows a x H. induction rows as [ | [w f] rest IH]; simpl; [ | rewrite IH, total_empty by exact H]; lra. Qed.

Lemma weighted_grown : forall rows a x y, whole a -> whole y -> a <= y -> x = y - 1 ->
  weighted_totals rows a y = weighted_totals rows a x + weighted rows y.
Proof.
  intros rows a x y A Y H E. induction rows as [ | [w f] rest IH]; simpl; [lra | ].
  rewrite IH, (total_grown f a x y A Y H E). lra.
Qed.

(* Where weighted terms are at most r at each place, the weighted sums are at most that as often as there are places. With
   the slope of a concave function at the mean as a weight it is Jensen's inequality. *)
Lemma termwise : forall rows a n r, whole a -> whole n -> a - 1 <= n ->
  (forall i, whole i -> a <= i -> i <= n -> weighted rows i <= r) -> weighted_totals rows a n <= (n + 1 - a) * r.
Proof.
  intros rows a n r A N H T.
  apply (from_none (fun k => weighted_totals rows a k <= (k + 1 - a) * r) a n A N H).
  - rewrite weighted_empty by reflexivity. lra.
  - intros i W L U IH. rewrite (weighted_grown rows a (i - 1) i A W L eq_refl). pose proof (T i W L U). lra.
Qed.

Lemma exactly : forall rows a n r, whole a -> whole n -> a - 1 <= n ->
  (forall i, whole i -> a <= i -> i <= n -> weighted rows i = r) -> weighted_totals rows a n = (n + 1 - a) * r.
Proof.
  intros rows a n r A N H T.
  apply (from_none (fun k => weighted_totals rows a k = (k + 1 - a) * r) a n A N H).
  - rewrite weighted_empty by reflexivity. lra.
  - intros i W L U IH. rewrite (weighted_grown rows a (i - 1) i A W L eq_refl). pose proof (T i W L U). lra.
Qed.

Lemma total_nonnegative : forall f a n, whole a -> whole n -> a - 1 <= n ->
  (forall i, whole i -> a <= i -> i <= n -> 0 <= f i) -> 0 <= total f a n.
Proof.
  intros f a n A N H T. apply (from_none (fun k => 0 <= total f a k) a n A N H).
  - rewrite total_empty by reflexivity. lra.
  - intros i W L U IH. rewrite (total_grown f a (i - 1) i A W L eq_refl). pose proof (T i W L U). lra.
Qed.

(* Each term of a sum is at most the sum, where none is negative. *)
Lemma total_above : forall f a n i, whole a -> whole n -> whole i -> a <= i -> i <= n ->
  (forall k, whole k -> a <= k -> k <= n -> 0 <= f k) -> f i <= total f a n.
Proof.
  intros f a n i A N W L U T.
  apply (up_to (fun k => f i <= total f a k) i n W); [ | | exact N | exact U].
  - rewrite (total_grown f a (i - 1) i A W L eq_refl).
    assert (0 <= total f a (i - 1)); [ | lra].
    apply total_nonnegative; [exact A | wholes | lra | intros k K1 K2 K3; apply T; [exact K1 | exact K2 | lra]].
  - intros k K1 K2 K3 IH. rewrite (total_grown f a k (k + 1)); [ | exact A | wholes | lra | lra].
    pose proof (T (k + 1) ltac:(wholes) ltac:(lra) K3). lra.
Qed.

Lemma greatest_below : forall f a n r, whole a -> whole n -> a <= n ->
  (forall i, whole i -> a <= i -> i <= n -> f i <= r) -> greatest f a n <= r.
Proof.
  intros f a n r A N H T. apply (from_none (fun k => greatest f a k <= r) a n A N); [lra | | ].
  - rewrite greatest_empty by reflexivity. apply T; [exact A | lra | exact H].
  - intros i W L U IH. rewrite (greatest_grown f a (i - 1) i A W L eq_refl). apply Rmax_lub; [exact IH | apply T; assumption].
Qed.

Lemma greatest_above : forall f a n i, whole a -> whole n -> whole i -> a <= i -> i <= n -> f i <= greatest f a n.
Proof.
  intros f a n i A N W L U. apply (up_to (fun k => f i <= greatest f a k) i n W); [ | | exact N | exact U].
  - rewrite (greatest_grown f a (i - 1) i A W L eq_refl). apply Rmax_r.
  - intros k K1 K2 K3 IH. rewrite (greatest_grown f a k (k + 1)); [ | exact A | wholes | lra | lra].
    eapply Rle_trans; [exact IH | apply Rmax_l].
Qed.

Lemma least_above : forall f a n r, whole a -> whole n -> a <= n ->
  (forall i, whole i -> a <= i -> i <= n -> r <= f i) -> r <= least f a n.
Proof.
  intros f a n r A N H T. apply (from_none (fun k => r <= least f a k) a n A N); [lra | | ].
  - rewrite least_empty by reflexivity. apply T; [exact A | lra | exact H].
  - intros i W L U IH. rewrite (least_grown f a (i - 1) i A W L eq_refl). apply Rmin_glb; [exact IH | apply T; assumption].
Qed.

Lemma least_below : forall f a n i, whole a -> whole n -> whole i -> a <= i -> i <= n -> least f a n <= f i.
Proof.
  intros f a n i A N W L U. apply (up_to (fun k => least f a k <= f i) i n W); [ | | exact N | exact U].
  - rewrite (least_grown f a (i - 1) i A W L eq_refl). apply Rmin_r.
  - intros k K1 K2 K3 IH. rewrite (least_grown f a k (k + 1)); [ | exact A | wholes | lra | lra].
    eapply Rle_trans; [apply Rmin_l | exact IH].
Qed.

Lemma by_squares : forall l h, 0 <= h -> l ^ 2 <= h ^ 2 -> l <= h.
Proof. intros l h H S. destruct (Rle_or_lt l h) as [K | K]; [exact K | nra]. Qed.

Lemma one_more : forall A B C a b c, 0 <= A -> 0 <= B -> 0 <= a -> 0 <= b -> C ^ 2 <= A * B -> c ^ 2 <= a * b ->
  (C + c) ^ 2 <= (A + a) * (B + b).
Proof.
  intros A B C a b c HA HB Ha Hb H h.
  assert (0 <= A * b) by (apply Rmult_le_pos; assumption). assert (0 <= a * B) by (apply Rmult_le_pos; assumption).
  enough (2 * (C * c) <= A * b + a * B) by nra.
  apply by_squares; [lra | ].
  assert (C ^ 2 * c ^ 2 <= (A * B) * (a * b)) by (apply Rmult_le_compat; [nra | nra | exact H | exact h]).
  pose proof (pow2_ge_0 (A * b - a * B)). nra.
Qed.

(* Cauchy-Schwarz: of sums whose terms are c^2 <= a b at each place. *)
Lemma cauchy_schwarz : forall c a b first n, whole first -> whole n -> first - 1 <= n ->
  (forall i, whole i -> first <= i -> i <= n -> 0 <= a i) -> (forall i, whole i -> first <= i -> i <= n -> 0 <= b i) ->
  (forall i, whole i -> first <= i -> i <= n -> c i ^ 2 <= a i * b i) ->
  total c first n ^ 2 <= total a first n * total b first n.
Proof.
  intros c a b first n F N H PA PB T.
  apply (from_none (fun k => k <= n -> total c first k ^ 2 <= total a first k * total b first k) first n F N H); [ | | lra].
  - intros _. rewrite !total_empty by reflexivity. lra.
  - intros i W L U IH _. rewrite !(fun f => total_grown f first (i - 1) i F W L eq_refl).
    apply one_more; [ | | apply PA; assumption | apply PB; assumption | apply IH; lra | apply T; assumption];
    apply total_nonnegative; try assumption; try wholes; try lra; intros k K1 K2 K3; [apply PA | apply PB]; try assumption; lra.
Qed.

(* Products against exponentials of sums: F is a potential. *)
Lemma factors_above : forall f F rows a n, whole a -> whole n -> a - 1 <= n ->
  (forall i, whole i -> a <= i -> i <= n -> 0 <= f i) ->
  (forall i, whole i -> a <= i -> i <= n -> f i <= exp (F i - F (i - 1) + weighted rows i)) ->
  0 <= product f a n <= exp (F n - F (a - 1) + weighted_totals rows a n).
Proof.
  intros f F rows a n A N H P T.
  apply (from_none (fun k => 0 <= product f a k <= exp (F k - F (a - 1) + weighted_totals rows a k)) a n A N H).
  - rewrite product_empty, weighted_empty by reflexivity. rewrite Rminus_diag_eq by reflexivity.
    rewrite Rplus_0_r, exp_0. lra.
  - intros i W L U [I J]. rewrite (product_grown f a (i - 1) i A W L eq_refl), (weighted_grown rows a (i - 1) i A W L eq_refl).
    pose proof (P i W L U). pose proof (T i W L U). split; [apply Rmult_le_pos; assumption | ].
    replace (F i - F (a - 1) + (weighted_totals rows a (i - 1) + weighted rows i))
      with ((F (i - 1) - F (a - 1) + weighted_totals rows a (i - 1)) + (F i - F (i - 1) + weighted rows i)) by ring.
    rewrite exp_plus. apply Rmult_le_compat; assumption.
Qed.

Lemma factors_below : forall f F rows a n, whole a -> whole n -> a - 1 <= n ->
  (forall i, whole i -> a <= i -> i <= n -> exp (F i - F (i - 1) + weighted rows i) <= f i) ->
  exp (F n - F (a - 1) + weighted_totals rows a n) <= product f a n.
Proof.
  intros f F rows a n A N H T.
  apply (from_none (fun k => exp (F k - F (a - 1) + weighted_totals rows a k) <= product f a k) a n A N H).
  - rewrite product_empty, weighted_empty by reflexivity. rewrite Rminus_diag_eq by reflexivity.
    rewrite Rplus_0_r, exp_0. lra.
  - intros i W L U J. rewrite (product_grown f a (i - 1) i A W L eq_refl), (weighted_grown rows a (i - 1) i A W L eq_refl).
    pose proof (T i W L U).
    replace (F i - F (a - 1) + (weighted_totals rows a (i - 1) + weighted rows i))
      with ((F (i - 1) - F (a - 1) + weighted_totals rows a (i - 1)) + (F i - F (i - 1) + weighted rows i)) by ring.
    rewrite exp_plus. apply Rmult_le_compat; try assumption; left; apply exp_pos.
Qed.

Lemma by_log : forall f e, 0 < f -> ln f <= e -> f <= exp e.
Proof.
  intros f e F H. rewrite <- (exp_ln f F). destruct H as [H | <-]; [left; apply exp_increasing; exact H | apply Rle_refl].
Qed.

Lemma by_log_below : forall f e, 0 < f -> e <= ln f -> exp e <= f.
Proof.
  intros f e F H. rewrite <- (exp_ln f F). destruct H as [H | ->]; [left; apply exp_increasing; exact H | apply Rle_refl].
Qed.

(* ----------------------------------------------------------------------------------------------------------- tactics *)

(* What a rule asks for, by a tactic. *)
Ltac premise H tactic :=
  match type of H with ?A -> _ => let K := fresh in assert (K : A); [tactic | specialize (H K); clear K] end.

(* Powers whose exponent is a small number. *)
Ltac power a e :=
  first [replace (Rpower a e) with 1 in * by (replace e with 0 by lra; symmetry; apply Rpower_O; positive)
        | replace (Rpower a e) with a in * by (replace e with 1 by lra; symmetry; apply Rpower_1; positive)
        | replace (Rpower a e) with (/ a) in * by (replace e with (- (1)) by lra; rewrite Rpower_Ropp, Rpower_1 by positive; reflexivity)
        | replace (Rpower a e) with (a ^ 2) in * by (replace e with (INR 2) by (simpl; lra); symmetry; apply Rpower_pow; positive)
        | replace (Rpower a e) with (a ^ 3) in * by (replace e with (INR 3) by (simpl; lra); symmetry; apply Rpower_pow; positive)].
Ltac powers :=
  repeat match goal with
  | |- context [Rpower ?a ?e] => power a e
  | H : context [Rpower ?a ?e] |- _ => power a e
  end.
Ltac joined := repeat match goal with |- _ /\ _ => split end; first [assumption | lra | powers; lra].

(* What a lemma asks for before it says what it says. *)
Ltac conj H := repeat match type of H with _ /\ _ => let K := fresh in destruct H as [K H] end.
Ltac owed := first [assumption | exact I | wholes | lra | solve [sides]].
Ltac met H := repeat match type of H with ?A -> _ =>
    let K := fresh in assert (K : A) by owed; specialize (H K); clear K end; conj H.

(* A factor against an exponential of another form of one number. *)
Ltac same_exponent :=
  first [lra | match goal with
  | |- _ >= _ => apply Rle_ge; same_exponent
  | H : ?a <= exp ?e |- ?a <= exp ?f => replace f with e by (first [ring | field; sides]); exact H
  | H : ?a >= exp ?e |- exp ?f <= ?a => replace f with e by (first [ring | field; sides]); apply Rge_le; exact H
  | H : exp ?e <= ?a |- exp ?f <= ?a => replace f with e by (first [ring | field; sides]); exact H
  | |- exp ?e <= exp ?f => replace f with e by (first [ring | field; sides]); apply Rle_refl
  end].

(* Two ways more than Theoremeter.v has, which what was compiled before does not need: logarithms of inverses, and
   absolute values of multiples. *)
Ltac leaf ::=
  first [at_once | solve [interval] | solve [sides] | solve [interval with (i_prec 160)] | solve [beside_zero ltac:(first [lra | interval])]
        | solve [tangents; first [lra | nra]] | nra | solve [logs; first [lra | sides | nra]]
        | lazymatch goal with
          | |- 0 <= Rmax ?a ?b => first [apply (Rle_trans _ a); [leaf | apply Rmax_l] | apply (Rle_trans _ b); [leaf | apply Rmax_r]]
          | |- 0 < Rmax ?a ?b =>
            first [apply (Rlt_le_trans _ a); [leaf | apply Rmax_l] | apply (Rlt_le_trans _ b); [leaf | apply Rmax_r]]
          end].
Ltac multiples :=
  repeat match goal with
  | |- context [Rabs (?c * ?a)] =>
    rewrite (Rabs_mult c a); first [rewrite (Rabs_right c) by lra | rewrite (Rabs_left c) by lra]
  end.
Ltac same ::= first [same_field | solve [logs; same_field] | solve [multiples; same_field] | roots_same].
