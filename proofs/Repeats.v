(** No trace twice: if a list has two equivalent executions, the later one takes, after the point where they part, the step with which the
    earlier one goes on, and could have taken it there. A checker that refuses to execute a step that *sleeps* notices that, without
    a table of traces; and so the number of executions is the number of traces. *)

From Coq Require Import List Bool.
From Mazurka Require Import Traces Programs.
Import ListNotations.

Section Repeats.

Variable P : Program.
Hypothesis effect_eq_dec : forall d d' : effect P, {d = d'} + {d <> d'}.

(** [b] sleeps from a node on, where it was an earlier branch, until something depends on it; here it is executed. *)
Definition executes_sleeping (b : event P) (u : list (event P)) : Prop :=
  exists u1 u2, u = u1 ++ b :: u2 /\ forall y, In y u1 -> dependent b y = false.

Lemma event_dec (x y : event P) : {x = y} + {x <> y}.
Proof. decide equality; apply action_eq_dec. Qed.

Lemma depends_on_itself (x : event P) : dependent x x = true.
Proof. unfold dependent. replace (same (who x) (who x)) with true; [reflexivity|]. symmetry. now apply same_true. Qed.

(** Who can come first in a sequence can do so in each equivalent one, and what is left is equivalent. *)
Lemma initials_are_shared (u v : list (event P)) : equivalent u v -> forall b u1 u2,
  u = u1 ++ b :: u2 -> (forall y, In y u1 -> dependent b y = false) ->
  exists v1 v2, v = v1 ++ b :: v2 /\ (forall y, In y v1 -> dependent b y = false) /\ equivalent (u1 ++ u2) (v1 ++ v2).
Proof.
  induction 1 as [|x u v H IH|x y u H|u v w H IH K IH']; intros b u1 u2 E Hb.
  - now destruct u1.
  - destruct u1 as [|z u1]; simpl in E; injection E as -> ->.
    + exists [], v. repeat split; [intros y [] | exact H].
    + destruct (IH b u1 u2 eq_refl) as (v1 & v2 & -> & Hv & K); [intros y Hy; apply Hb; now right|].
      exists (z :: v1), v2. repeat split; [|now constructor]. intros y [<-|Hy]; [apply Hb; now left | now apply Hv].
  - destruct u1 as [|z [|z' u1]]; simpl in E; injection E; intros; subst.
    + exists [y], u. repeat split; [|apply eqv_refl]. intros z [<-|[]]. exact H.
    + exists [], (z :: u2). repeat split; [intros y [] | apply eqv_refl].
    + exists (z' :: z :: u1), u2. repeat split.
      * intros k Hk. apply Hb. simpl in *. tauto.
      * now apply eqv_swap.
  - destruct (IH b u1 u2 E Hb) as (v1 & v2 & E' & Hv & K1). destruct (IH' b v1 v2 E' Hv) as (w1 & w2 & E'' & Hw & K2).
    exists w1, w2. repeat split; auto. eapply eqv_trans; eassumption.
Qed.

Lemma common_prefix_cancels (n u v : list (event P)) : equivalent (n ++ u) (n ++ v) -> equivalent u v.
Proof.
  induction n as [|b n IH]; simpl; intro H; [exact H|]. apply IH.
  destruct (initials_are_shared _ _ H b [] (n ++ u) eq_refl) as (v1 & v2 & E & Hv & K); [intros y []|].
  destruct v1 as [|z v1]; simpl in E.
  - injection E as ->. exact K.
  - injection E as <- _. exfalso. assert (K' := Hv b (or_introl eq_refl)). now rewrite depends_on_itself in K'.
Qed.

Theorem no_trace_twice (E F : list (event P)) : equivalent E F -> E <> F ->
  exists n b x c y, E = n ++ b :: x /\ F = n ++ c :: y /\ b <> c /\ executes_sleeping b (c :: y).
Proof.
  intros H N.
  assert (S : exists n u v, E = n ++ u /\ F = n ++ v /\
            match u, v with b :: _, c :: _ => b <> c | _, _ => True end).
  { clear H N. revert F. induction E as [|b E IH]; intro F; [exists [], [], F; auto|].
    destruct F as [|c F]; [exists [], (b :: E), []; auto|].
    destruct (event_dec b c) as [<-|D]; [|exists [], (b :: E), (c :: F); auto].
    destruct (IH F) as (n & u & v & -> & -> & D). exists (b :: n), u, v. auto. }
  destruct S as (n & u & v & -> & -> & D). apply common_prefix_cancels in H.
  assert (L := eqv_length _ _ _ _ H). destruct u as [|b x], v as [|c y]; try discriminate L; [contradiction|].
  destruct (initials_are_shared _ _ H b [] x eq_refl) as (v1 & v2 & E & Hv & _); [intros z []|].
  exists n, b, x, c, y. repeat split; auto. now exists v1, v2.
Qed.

End Repeats.

Print Assumptions no_trace_twice.
