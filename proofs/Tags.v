(** Equivalent sequences with their elements marked: the marks travel with the elements. They tell which part of a sequence an element
    of an equivalent one belongs to. *)

From Coq Require Import List Bool Arith Lia Permutation.
From Mazurka Require Import Traces.
Import ListNotations.

(** The first and the last element of a kind. *)
Lemma split_first {X} (p : X -> bool) u : existsb p u = true ->
  exists a x b, u = a ++ x :: b /\ p x = true /\ forall y, In y a -> p y = false.
Proof.
  induction u as [|z u IH]; simpl; [discriminate|]. destruct (p z) eqn:E.
  - intros _. exists [], z, u. repeat split; auto. intros y [].
  - intro H. destruct (IH H) as (a & x & b & -> & Hx & Ha). exists (z :: a), x, b. repeat split; auto.
    intros y [<-|Hy]; auto.
Qed.

Lemma split_last {X} (p : X -> bool) u : existsb p u = true ->
  exists a x b, u = a ++ x :: b /\ p x = true /\ forall y, In y b -> p y = false.
Proof.
  induction u as [|z u IH]; simpl; [discriminate|]. destruct (existsb p u) eqn:E.
  - intros _. destruct (IH eq_refl) as (a & x & b & -> & Hx & Hb). exists (z :: a), x, b. repeat split; auto.
  - rewrite orb_false_r. intro H. exists [], z, u. repeat split; auto.
    intros y Hy. destruct (p y) eqn:Ey; [|reflexivity].
    rewrite <- E. symmetry. apply existsb_exists. eauto.
Qed.

Lemma existsb_false {X} (p : X -> bool) u : existsb p u = false -> forall x, In x u -> p x = false.
Proof.
  intros H x Hx. destruct (p x) eqn:E; [|reflexivity]. rewrite <- H. symmetry. apply existsb_exists. eauto.
Qed.

Lemma filter_all {X} (p : X -> bool) u : (forall x, In x u -> p x = true) -> filter p u = u.
Proof.
  induction u as [|x u IH]; simpl; intro H; [reflexivity|].
  rewrite H; auto. f_equal. auto.
Qed.

Lemma filter_none {X} (p : X -> bool) u : (forall x, In x u -> p x = false) -> filter p u = [].
Proof.
  induction u as [|x u IH]; simpl; intro H; [reflexivity|].
  rewrite H; auto.
Qed.

Section Tags.

Variable X : Type.
Variable dep : X -> X -> bool.

Definition marked_dep (x y : X * nat) : bool := dep (fst x) (fst y).

Definition mark (n : nat) (u : list X) : list (X * nat) := map (fun x => (x, n)) u.
Definition unmark (u : list (X * nat)) : list X := map fst u.

(** Marked with at most [k]. *)
Definition upto (k : nat) (x : X * nat) : bool := snd x <=? k.

Lemma unmark_mark n u : unmark (mark n u) = u.
Proof. unfold unmark, mark. rewrite map_map. apply map_id. Qed.

Lemma unmark_app u v : unmark (u ++ v) = unmark u ++ unmark v.
Proof. apply map_app. Qed.

Lemma in_mark n u x : In x (mark n u) <-> snd x = n /\ In (fst x) u.
Proof.
  unfold mark. rewrite in_map_iff. split.
  - intros (y & <- & Hy). now split.
  - intros [<- H]. exists (fst x). split; [now destruct x | exact H].
Qed.

Lemma marks_travel u v : eqv dep u v -> forall M, unmark M = v -> exists N, eqv marked_dep N M /\ unmark N = u.
Proof.
  induction 1 as [|x u v H IH|x y u H|u v w H IH K IH']; intros M E.
  - exists M. split; [apply eqv_refl | exact E].
  - destruct M as [|[x' n] M]; simpl in E; [discriminate|]. injection E as -> E.
    destruct (IH M E) as (N & HN & EN). exists ((x, n) :: N). split; [now constructor|]. simpl. now f_equal.
  - destruct M as [|[y' n] [|[x' k] M]]; simpl in E; try discriminate. injection E as -> -> E.
    exists ((x, k) :: (y, n) :: M). split; [now apply eqv_swap|]. simpl. now rewrite E.
  - destruct (IH' M E) as (N & HN & EN). destruct (IH N EN) as (L & HL & EL).
    exists L. split; [eapply eqv_trans; eassumption | exact EL].
Qed.

Lemma unmark_eqv M N : eqv marked_dep M N -> eqv dep (unmark M) (unmark N).
Proof.
  induction 1; simpl.
  - constructor.
  - now constructor.
  - now constructor.
  - eapply eqv_trans; eassumption.
Qed.

Lemma existsb_unmark x M : existsb (marked_dep x) M = existsb (dep (fst x)) (unmark M).
Proof. induction M as [|y M IH]; simpl; [reflexivity|]. now rewrite IH. Qed.

Lemma unmark_rest M : forall gone, unmark (rest marked_dep gone M) = rest dep (unmark gone) (unmark M).
Proof.
  induction M as [|x M IH]; simpl; intro gone; [reflexivity|].
  rewrite existsb_unmark. destruct (existsb (dep (fst x)) (unmark gone)); simpl.
  - apply (IH (x :: gone)).
  - f_equal. apply IH.
Qed.

Lemma unmark_dropped M : forall gone, unmark (dropped marked_dep gone M) = dropped dep (unmark gone) (unmark M).
Proof.
  induction M as [|x M IH]; simpl; intro gone; [reflexivity|].
  rewrite existsb_unmark. destruct (existsb (dep (fst x)) (unmark gone)); simpl.
  - f_equal. apply (IH (x :: gone)).
  - apply IH.
Qed.

End Tags.

Arguments marked_dep {X}.
Arguments mark {X}.
Arguments unmark {X}.
Arguments upto {X}.
