(** Walks: how the checker in Rust finds out that an execution begins with what it looks for. It goes along the execution with what is
    still to happen, and compares actions only, not what they do. *)

From Coq Require Import List Bool.
From Mazurka Require Import Traces Tags Programs Reversals.
Import ListNotations.

Section Walks.

Variable P : Program.

(** Whether an action could come first in what is still to happen: as a member of it, of which the rest is given; as something independent
    of all of it; or not at all. *)
Inductive first_in := Initial (w : list (event P)) | Independent | No.

(** [seen] is what was passed over, the last first. *)
Fixpoint first (b : action P) (seen w : list (event P)) : first_in :=
  match w with
  | [] => if existsb (fun y => conflict P b (act y)) seen then No else Independent
  | x :: w =>
    if same (who x) (actor P b) then
      if action_eq_dec P (act x) b then
        if existsb (fun y => dependent y x) seen then No else Initial (rev seen ++ w)
      else No
    else first b (x :: seen) w
  end.

(** Goes along [path] until nothing is left of [w]. *)
Fixpoint walk (w path : list (event P)) : bool :=
  match w, path with
  | [], _ => true
  | _, [] => false
  | _, b :: path =>
    match first (act b) [] w with
    | Initial w => walk w path
    | Independent => walk w path
    | No => false
    end
  end.

Hypothesis laws : Laws P.

Local Notation sym := (dependent_sym P laws).

(** Two actions without a conflict that can both be taken can be taken one after the other, and do the same in both orders. *)
Lemma diamond s a sa da b sb db :
  step P s a = Some (sa, da) -> step P s b = Some (sb, db) -> actor P a <> actor P b -> conflict P a b = false ->
  dependent (a, da) (b, db) = false /\ exists s', step P sa b = Some (s', db) /\ step P sb a = Some (s', da).
Proof.
  intros Ha Hb N C.
  assert (Lb := stands_at_source _ laws _ _ _ _ Hb).
  assert (W : writes_guard P a (source P b) = false).
  { destruct (writes_guard P a (source P b)) eqn:W; [|reflexivity]. apply (guards_conflict _ laws) in W. congruence. }
  destruct (proj1 (guards_decide _ laws _ _ _ _ b Ha N Lb W)) as (s' & db' & Hb'); [now exists sb, db|].
  assert (B1 : births P da (actor P b) = false).
  { destruct (births P da (actor P b)) eqn:B; [|reflexivity]. apply (born_once _ laws _ _ _ _ _ Ha) in B. congruence. }
  assert (B2 : births P db' (actor P a) = false).
  { destruct (births P db' (actor P a)) eqn:B; [|reflexivity]. apply (born_once _ laws _ _ _ _ _ Hb') in B.
    now apply (known_forever _ laws _ _ _ _ Ha) in B. }
  assert (D : dependent (a, da) (b, db') = false).
  { apply dependent_false. unfold who, act, bears; simpl. now repeat split. }
  destruct (independent_commute _ laws _ _ _ _ _ _ _ Ha Hb' D) as (s1 & K1 & K2).
  rewrite Hb in K1. injection K1 as <- <-. eauto.
Qed.

(** What can be run, can be run after an action that has nothing to do with it. *)
Lemma run_after b d s s1 w s2 : step P s b = Some (s1, d) -> runs s w s2 ->
  (forall y, In y w -> who y <> actor P b /\ conflict P b (act y) = false) ->
  (forall y, In y w -> dependent (b, d) y = false) /\ exists s3, runs s1 w s3.
Proof.
  intros Hb R. revert s1 Hb. induction R as [s|s a da sa w s2 Ha R IH]; intros s1 Hb Hw.
  - split; [intros y [] | exists s1; constructor].
  - destruct (Hw (a, da)) as [N C]; [now left|]. unfold who, act in N, C; simpl in N, C.
    destruct (diamond s b s1 d a sa da Hb Ha) as [D (s' & K1 & K2)]; [congruence | exact C |].
    destruct (IH s' K2) as [I1 [s3 I2]]; [intros y Hy; apply Hw; now right|].
    split; [intros y [<-|Hy]; auto | exists s3; econstructor; eassumption].
Qed.

Lemma first_initial b w : forall seen w', first b seen w = Initial w' ->
  exists u x v, w = u ++ x :: v /\ act x = b /\ w' = rev seen ++ u ++ v /\
    forall y, In y seen \/ In y u -> dependent y x = false.
Proof.
  induction w as [|z w IH]; simpl; intros seen w' H.
  - destruct (existsb _ seen); discriminate.
  - destruct (same (who z) (actor P b)).
    + destruct (action_eq_dec P (act z) b) as [E|]; [|discriminate].
      destruct (existsb (fun y => dependent y z) seen) eqn:D; [discriminate|]. injection H as <-.
      exists [], z, w. repeat split; auto. intros y [Hy|[]]. apply (existsb_false _ _ D y Hy).
    + destruct (IH _ _ H) as (u & x & v & -> & Ex & -> & Hd). exists (z :: u), x, v. repeat split; auto.
      * simpl. now rewrite <- app_assoc.
      * intros y [Hy|[<-|Hy]]; apply Hd; simpl; auto.
Qed.

Lemma first_independent b w : forall seen, first b seen w = Independent ->
  forall y, In y w -> who y <> actor P b /\ conflict P b (act y) = false.
Proof.
  assert (K : forall w seen, first b seen w = Independent ->
            (forall y, In y w -> who y <> actor P b) /\ (forall y, In y seen \/ In y w -> conflict P b (act y) = false)).
  { clear w. induction w as [|z w IH]; simpl; intros seen H.
    - destruct (existsb _ seen) eqn:E; [discriminate|]. split; [intros y []|].
      intros y [Hy|[]]. apply (existsb_false _ _ E y Hy).
    - destruct (same (who z) (actor P b)) eqn:Ez.
      + destruct (action_eq_dec P (act z) b); [|discriminate]. destruct (existsb _ seen); discriminate.
      + apply same_false in Ez. destruct (IH _ H) as [H1 H2]. split.
        * intros y [<-|Hy]; auto.
        * intros y [Hy|[<-|Hy]]; apply H2; simpl; auto. }
  intros seen H y Hy. destruct (K w seen H) as [H1 H2]. auto.
Qed.

(** A walk that comes to its end is a proof. *)
Theorem walk_is_proof path : forall s w s1 s2, runs s path s1 -> runs s w s2 -> walk w path = true ->
  exists z, equivalent path (w ++ z).
Proof.
  induction path as [|b path IH]; intros s w s1 s2 Rp Rw H.
  - destruct w; [|discriminate]. exists []. constructor.
  - assert (K : w = [] \/ match first (act b) [] w with Initial w' => walk w' path | Independent => walk w path | No => false end = true)
      by (destruct w; [now left | right; exact H]).
    destruct K as [->|K]; [exists (b :: path); apply eqv_refl|]. clear H. rename K into H.
    apply runs_inv in Rp as (sb & Hb & Rp).
    destruct (first (act b) [] w) as [w'| |] eqn:F; [| |discriminate].
    + apply first_initial in F as (u & x & v & -> & Ex & -> & Hd). simpl in H.
      assert (E : equivalent (u ++ x :: v) (x :: u ++ v)).
      { apply (eqv_sym _ _ sym). apply eqv_move. intros y Hy. rewrite sym. apply Hd. now right. }
      apply (runs_equivalent P laws _ _ E) in Rw. apply runs_inv in Rw as (sx & Hx & Rw).
      rewrite Ex, Hb in Hx. injection Hx as <- Hs.
      assert (Eb : b = x) by (destruct b, x; unfold act in *; simpl in *; congruence).
      destruct (IH _ _ _ _ Rp Rw H) as [z Hz]. exists z. subst b.
      eapply eqv_trans; [apply eqv_skip, Hz|]. apply (eqv_app_right _ _ (x :: u ++ v)). now apply (eqv_sym _ _ sym).
    + assert (Hw := first_independent _ _ _ F).
      destruct (run_after (act b) (snd b) s sb w s2 Hb Rw Hw) as [Hi [s3 Rw']].
      destruct (IH _ _ _ _ Rp Rw' H) as [z Hz]. exists (b :: z).
      eapply eqv_trans; [apply eqv_skip, Hz|]. apply eqv_move. intros y Hy.
      replace b with (act b, snd b) by now destruct b. now apply Hi.
Qed.

(** So a walk along a member shows that what it looks for is covered. *)
Corollary walk_covers (C : list (event P) -> Prop) E w :
  C E -> execution E -> execution w -> walk w E = true -> covered C w.
Proof. intros HE [s1 R1] [s2 R2] H. destruct (walk_is_proof E _ _ _ _ R1 R2 H) as [z Hz]. now exists E, z. Qed.

End Walks.

Print Assumptions walk_is_proof.
