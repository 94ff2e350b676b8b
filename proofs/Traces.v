(** Sequences up to the order of independent neighbours (Mazurkiewicz traces), and the parts of a sequence that matter when one
    of its elements is taken away with all that depends on it. Nothing here knows what a program is. *)

From Coq Require Import List Bool Arith Lia Permutation.
Import ListNotations.

Section Traces.

Variable X : Type.
Variable dep : X -> X -> bool.
Hypothesis dep_sym : forall x y, dep x y = dep y x.

(** ** Equivalence *)

(** Two sequences are equivalent if one can be got from the other by swapping independent neighbours. *)
Inductive eqv : list X -> list X -> Prop :=
| eqv_nil : eqv [] []
| eqv_skip x u v : eqv u v -> eqv (x :: u) (x :: v)
| eqv_swap x y u : dep x y = false -> eqv (x :: y :: u) (y :: x :: u)
| eqv_trans u v w : eqv u v -> eqv v w -> eqv u w.

Lemma eqv_refl u : eqv u u.
Proof. induction u; constructor; assumption. Qed.

Lemma eqv_sym u v : eqv u v -> eqv v u.
Proof.
  induction 1; try (now constructor).
  - constructor. now rewrite dep_sym.
  - eapply eqv_trans; eassumption.
Qed.

Lemma eqv_app_left u v w : eqv v w -> eqv (u ++ v) (u ++ w).
Proof. intro H. induction u; simpl; [exact H | now constructor]. Qed.

Lemma eqv_app_right u v w : eqv u v -> eqv (u ++ w) (v ++ w).
Proof.
  induction 1; simpl; try (now constructor).
  - apply eqv_refl.
  - eapply eqv_trans; eassumption.
Qed.

Lemma eqv_app u u' v v' : eqv u u' -> eqv v v' -> eqv (u ++ v) (u' ++ v').
Proof. intros H K. eapply eqv_trans; [apply eqv_app_right, H | apply eqv_app_left, K]. Qed.

Lemma eqv_permutation u v : eqv u v -> Permutation u v.
Proof.
  induction 1; try (now constructor).
  eapply Permutation_trans; eassumption.
Qed.

Lemma eqv_in u v x : eqv u v -> In x u -> In x v.
Proof. intro H. apply Permutation_in, eqv_permutation, H. Qed.

Lemma eqv_length u v : eqv u v -> length u = length v.
Proof. intro H. apply Permutation_length, eqv_permutation, H. Qed.

(** An element moves over a sequence that it is independent of. *)
Lemma eqv_move x u v : (forall y, In y u -> dep x y = false) -> eqv (x :: u ++ v) (u ++ x :: v).
Proof.
  induction u as [|y u IH]; intro H; simpl.
  - apply eqv_refl.
  - eapply eqv_trans.
    + apply eqv_swap, H. now left.
    + apply eqv_skip, IH. intros z Hz. apply H. now right.
Qed.

(** Leaving out the elements of some kind preserves equivalence. *)
Lemma eqv_filter (p : X -> bool) u v : eqv u v -> eqv (filter p u) (filter p v).
Proof.
  induction 1; simpl.
  - constructor.
  - destruct (p x); [now constructor | assumption].
  - destruct (p x), (p y); try apply eqv_refl. now constructor.
  - eapply eqv_trans; eassumption.
Qed.

(** ** What is left without an element and all that depends on it *)

(** [rest gone u] is what of [u] depends neither on the elements of [gone] nor on anything in [u] that does; [dropped gone u] is
    what does. With [gone = [e]] this is [notdep(e, u)], everything after [e] that does not happen after it. *)
Fixpoint rest (gone u : list X) : list X :=
  match u with
  | [] => []
  | x :: u => if existsb (dep x) gone then rest (x :: gone) u else x :: rest gone u
  end.

Fixpoint dropped (gone u : list X) : list X :=
  match u with
  | [] => []
  | x :: u => if existsb (dep x) gone then x :: dropped (x :: gone) u else dropped gone u
  end.

Lemma existsb_dep_false x gone : existsb (dep x) gone = false <-> forall y, In y gone -> dep x y = false.
Proof.
  split.
  - intros H y Hy. destruct (dep x y) eqn:E; [|reflexivity].
    rewrite <- H. symmetry. apply existsb_exists. now exists y.
  - intro H. destruct (existsb (dep x) gone) eqn:E; [|reflexivity].
    apply existsb_exists in E as (y & Hy & Hd). now rewrite (H y Hy) in Hd.
Qed.

Lemma rest_independent u : forall gone x y, In x (rest gone u) -> In y gone -> dep x y = false.
Proof.
  induction u as [|z u IH]; simpl; intros gone x y Hx Hy; [contradiction|].
  destruct (existsb (dep z) gone) eqn:E.
  - apply (IH (z :: gone)); [assumption | now right].
  - destruct Hx as [<-|Hx]; [now apply (existsb_dep_false z gone) | now apply (IH gone)].
Qed.

Lemma rest_in u : forall gone x, In x (rest gone u) -> In x u.
Proof.
  induction u as [|z u IH]; simpl; intros gone x Hx; [contradiction|].
  destruct (existsb (dep z) gone).
  - right. eapply IH, Hx.
  - destruct Hx as [<-|Hx]; [now left | right; eapply IH, Hx].
Qed.

Lemma dropped_in u : forall gone x, In x (dropped gone u) -> In x u.
Proof.
  induction u as [|z u IH]; simpl; intros gone x Hx; [contradiction|].
  destruct (existsb (dep z) gone).
  - destruct Hx as [<-|Hx]; [now left | right; eapply IH, Hx].
  - right. eapply IH, Hx.
Qed.

(** What is dropped can come last. *)
Lemma rest_dropped u : forall gone, eqv u (rest gone u ++ dropped gone u).
Proof.
  induction u as [|z u IH]; simpl; intro gone; [constructor|].
  destruct (existsb (dep z) gone) eqn:E.
  - eapply eqv_trans; [apply eqv_skip, (IH (z :: gone))|].
    apply eqv_move. intros y Hy. rewrite dep_sym. eapply rest_independent; [eassumption | now left].
  - simpl. apply eqv_skip, IH.
Qed.

Lemma rest_dropped_cons e u : eqv (e :: u) (rest [e] u ++ e :: dropped [e] u).
Proof.
  eapply eqv_trans; [apply eqv_skip, (rest_dropped u [e])|].
  apply eqv_move. intros y Hy. rewrite dep_sym. eapply rest_independent; [eassumption | now left].
Qed.

(** What depends on an element that is dropped, and comes after it, is dropped too. *)
Lemma rest_after v : forall gone f w c,
  existsb (dep f) gone = true -> In c (rest gone (v ++ f :: w)) -> In c v \/ dep c f = false.
Proof.
  induction v as [|z v IH]; simpl; intros gone f w c Hf Hc.
  - rewrite Hf in Hc. right. eapply rest_independent; [eassumption | now left].
  - destruct (existsb (dep z) gone) eqn:E.
    + destruct (IH (z :: gone) f w c) as [H|H]; auto.
      simpl. rewrite Hf. apply orb_true_r.
    + destruct Hc as [<-|Hc]; auto. destruct (IH gone f w c) as [H|H]; auto.
Qed.

(** ** Sequences in which a part can come first *)

(** [low] elements can come first: none of them depends on an element before it that is not [low]. *)
Definition can_come_first (low : X -> bool) : list X -> Prop :=
  ForallOrdPairs (fun x y => low x = false -> low y = true -> dep x y = false).

Definition others (low : X -> bool) (x : X) : bool := negb (low x).

Lemma can_come_first_eqv low u v : eqv u v -> can_come_first low u -> can_come_first low v.
Proof.
  intro H. induction H; intro K; auto.
  - inversion K; subst. constructor; [|now apply IHeqv].
    rewrite Forall_forall in *. intros y Hy. apply H2. apply eqv_sym in H. eapply eqv_in; eassumption.
  - inversion K as [|? ? Hx Hr]; subst. inversion Hr as [|? ? Hy Hu]; subst.
    inversion Hx as [|? ? Hxy Hxu]; subst.
    constructor; [constructor|constructor]; auto.
    intros _ _. now rewrite dep_sym.
Qed.

Lemma can_come_first_app low u v :
  (forall x, In x u -> low x = true) -> (forall x, In x v -> low x = false) -> can_come_first low (u ++ v).
Proof.
  intros Hu Hv. induction u as [|x u IH]; simpl.
  - induction v as [|y v IH]; constructor.
    + apply Forall_forall. intros z Hz _ Hl. rewrite Hv in Hl; [discriminate | now right].
    + apply IH. intros z Hz. apply Hv. now right.
  - constructor.
    + apply Forall_forall. intros y Hy Hl. rewrite Hu in Hl; [discriminate | now left].
    + apply IH. intros y Hy. apply Hu. now right.
Qed.

Lemma can_come_first_split low u : can_come_first low u -> eqv u (filter low u ++ filter (others low) u).
Proof.
  induction 1 as [|x u Hx Hu IH]; simpl; [constructor|].
  unfold others at 1. destruct (low x) eqn:E; simpl.
  - now apply eqv_skip.
  - eapply eqv_trans; [apply eqv_skip, IH|].
    apply eqv_move. intros y Hy. apply filter_In in Hy as [Hy Hl].
    rewrite Forall_forall in Hx. now apply Hx.
Qed.

Lemma can_come_first_before low u x v y :
  can_come_first low (u ++ x :: v) -> low x = false -> low y = true -> In y v -> dep x y = false.
Proof.
  induction u as [|z u IH]; simpl; intro H; inversion H as [|? ? Hx Hr]; subst; intros Ex Ey Hy.
  - rewrite Forall_forall in Hx. now apply Hx.
  - now apply IH.
Qed.

Lemma can_come_first_prefix low u v : can_come_first low (u ++ v) -> can_come_first low u.
Proof.
  induction u as [|x u IH]; simpl; intro H; [constructor|]. inversion H as [|? ? Hx Hr]; subst. constructor; [|now apply IH].
  rewrite Forall_forall in *. intros y Hy. apply Hx, in_app_iff. now left.
Qed.

Lemma can_come_first_tail low u v : can_come_first low (u ++ v) -> can_come_first low v.
Proof. induction u as [|x u IH]; simpl; intro H; [exact H|]. inversion H; auto. Qed.

(** Taking away elements that are not [low], with all that depends on them, leaves all that is [low]. *)
Lemma rest_keeps_low low u : forall gone,
  can_come_first low u ->
  (forall x, In x gone -> low x = false) ->
  (forall x y, In x gone -> In y u -> low y = true -> dep x y = false) ->
  filter low (rest gone u) = filter low u /\ (forall x, In x (dropped gone u) -> low x = false).
Proof.
  induction u as [|z u IH]; simpl; intros gone Hu Hg Hd; [now split|].
  inversion Hu as [|? ? Hz Hr]; subst.
  destruct (existsb (dep z) gone) eqn:E.
  - assert (Ez : low z = false).
    { destruct (low z) eqn:El; [|reflexivity]. apply existsb_exists in E as (y & Hy & Hzy).
      rewrite dep_sym, (Hd y z) in Hzy; auto. }
    rewrite Ez. destruct (IH (z :: gone)) as [K1 K2]; auto.
    + intros x [<-|Hx]; auto.
    + intros x y [<-|Hx] Hy El; [|now apply Hd; auto].
      rewrite Forall_forall in Hz. now apply Hz.
    + split; [exact K1|]. intros x [<-|Hx]; auto.
  - simpl. destruct (IH gone) as [K1 K2]; auto. rewrite K1. split; auto.
Qed.

Lemma rest_sorted low u : forall gone, can_come_first low u -> can_come_first low (rest gone u).
Proof.
  induction u as [|z u IH]; simpl; intros gone Hu; [exact Hu|].
  inversion Hu as [|? ? Hz Hr]; subst.
  destruct (existsb (dep z) gone); [now apply IH|].
  constructor; [|now apply IH].
  rewrite Forall_forall in *. intros y Hy. apply Hz. eapply rest_in, Hy.
Qed.

Lemma can_come_first_app_sub low u v v' :
  can_come_first low (u ++ v) -> can_come_first low v' -> (forall x, In x v' -> In x v) -> can_come_first low (u ++ v').
Proof.
  induction u as [|z u IH]; simpl; intros H K Hs; [exact K|].
  inversion H as [|? ? Hz Hr]; subst. constructor; [|now apply IH].
  rewrite Forall_forall in *. intros y Hy. apply Hz.
  apply in_app_iff in Hy as [Hy|Hy]; apply in_app_iff; auto.
Qed.

End Traces.

Arguments eqv {X}.
Arguments rest {X}.
Arguments dropped {X}.
Arguments can_come_first {X}.
Arguments others {X}.
