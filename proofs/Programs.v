(** Concurrent programs as a checker sees them, what is assumed of them, and their executions.

    The words are those of [mazurka-core]: an *action* is a [Transition] together with its static [Footprint], so an action says who
    moves, from which local state, with which choice, and what it may touch; what it does is known when it is taken: its *effect*
    says which processes are born and what goes wrong. *)

From Coq Require Import List Bool Arith Lia.
From Mazurka Require Import Traces.
Import ListNotations.

(** What can happen. *)
Record Program := {
  state : Type;
  process : Type;
  local : Type;
  action : Type;
  effect : Type;
  process_eq_dec : forall p q : process, {p = q} + {p <> q};
  action_eq_dec : forall a b : action, {a = b} + {a <> b};

  start : state;
  (** The local state of a process; none if it is not born. *)
  local_state : state -> process -> option local;
  (** Taking an action: none if it is not enabled. *)
  step : state -> action -> option (state * effect);

  (** Who takes an action, and where it must stand to do so. *)
  actor : action -> process;
  source : action -> local;
  (** Whether the footprints of two actions conflict. *)
  conflict : action -> action -> bool;
  (** Whether an action writes or accumulates what decides which actions are enabled in a local state. *)
  writes_guard : action -> local -> bool;
  (** Whether a process is born. *)
  births : effect -> process -> bool;
}.

Section Executions.

Variable P : Program.

(** An event: an action and what it did. *)
Definition event : Type := action P * effect P.

Definition act (x : event) : action P := fst x.
Definition who (x : event) : process P := actor P (act x).
Definition bears (x : event) (p : process P) : bool := births P (snd x) p.

Definition same (p q : process P) : bool := if process_eq_dec P p q then true else false.

(** Events that may not be swapped: of one process, in conflict, or the birth of a process and one of its events. *)
Definition dependent (x y : event) : bool :=
  same (who x) (who y) || conflict P (act x) (act y) || bears x (who y) || bears y (who x).

(** Whether an action can be taken. *)
Definition enabled (s : state P) (a : action P) : Prop := exists s' d, step P s a = Some (s', d).

(** [runs s u s']: the events of [u] happen one after the other from [s], and lead to [s']. *)
Inductive runs : state P -> list event -> state P -> Prop :=
| runs_nil s : runs s [] s
| runs_cons s a d s1 u s2 : step P s a = Some (s1, d) -> runs s1 u s2 -> runs s ((a, d) :: u) s2.

(** An execution from the start, and one that cannot go on: all processes are finished, or some wait for ever. *)
Definition execution (u : list event) : Prop := exists s, runs (start P) u s.
Definition maximal (u : list event) : Prop := exists s, runs (start P) u s /\ forall a, ~ enabled s a.

(** The events of two executions are the same and happen in the same order, but for independent ones. *)
Definition equivalent : list event -> list event -> Prop := eqv dependent.

(** ** What is assumed *)

Record Laws := {
  (** Conflicts have no direction. *)
  conflict_sym : forall a b, conflict P a b = conflict P b a;

  (** Static footprints, and determinism: an action belongs to one local state of its process. ([step] is a function.) *)
  stands_at_source : forall s a s' d, step P s a = Some (s', d) -> local_state P s (actor P a) = Some (source P a);

  (** The local state of a process is changed by its own steps only. *)
  locals_are_private : forall s a s' d p l,
    step P s a = Some (s', d) -> actor P a <> p -> local_state P s p = Some l -> local_state P s' p = Some l;

  (** A process is born once: who is born does not exist before, and whoever exists stays known. *)
  born_once : forall s a s' d p, step P s a = Some (s', d) -> births P d p = true -> local_state P s p = None;
  known_forever : forall s a s' d, step P s a = Some (s', d) -> local_state P s' (actor P a) <> None;

  (** Guards: whether an action is enabled is changed by other processes only if they write its guard. *)
  guards_decide : forall s a s' d f,
    step P s a = Some (s', d) -> actor P a <> actor P f -> local_state P s (actor P f) = Some (source P f) ->
    writes_guard P a (source P f) = false -> (enabled s f <-> enabled s' f);

  (** What a guard reads is in the footprint of each action of that local state. *)
  guards_conflict : forall a f, writes_guard P a (source P f) = true -> conflict P a f = true;

  (** Independent neighbours commute, with the same effects. *)
  independent_commute : forall s a d s1 b d' s2,
    step P s a = Some (s1, d) -> step P s1 b = Some (s2, d') -> dependent (a, d) (b, d') = false ->
    exists s1', step P s b = Some (s1', d') /\ step P s1' a = Some (s2, d);
}.

Hypothesis laws : Laws.

(** ** Facts about executions *)

Lemma same_true p q : same p q = true <-> p = q.
Proof. unfold same. destruct (process_eq_dec P p q); split; congruence. Qed.

Lemma same_false p q : same p q = false <-> p <> q.
Proof. unfold same. destruct (process_eq_dec P p q); split; congruence. Qed.

Lemma same_sym p q : same p q = same q p.
Proof. unfold same. destruct (process_eq_dec P p q), (process_eq_dec P q p); congruence. Qed.

Lemma dependent_sym x y : dependent x y = dependent y x.
Proof.
  unfold dependent. rewrite (same_sym (who x)), (conflict_sym laws (act x)).
  rewrite <- !orb_assoc. now rewrite (orb_comm (bears x (who y))).
Qed.

Lemma dependent_false x y : dependent x y = false <->
  who x <> who y /\ conflict P (act x) (act y) = false /\ bears x (who y) = false /\ bears y (who x) = false.
Proof. unfold dependent. rewrite !orb_false_iff, same_false. tauto. Qed.

Lemma runs_inv s x u s2 : runs s (x :: u) s2 -> exists s1, step P s (act x) = Some (s1, snd x) /\ runs s1 u s2.
Proof. intro H. inversion H; subst. eauto. Qed.

Lemma runs_first s x u s1 s2 : step P s (act x) = Some (s1, snd x) -> runs s1 u s2 -> runs s (x :: u) s2.
Proof. destruct x. apply runs_cons. Qed.

Lemma runs_app u v s s2 : runs s (u ++ v) s2 <-> exists s1, runs s u s1 /\ runs s1 v s2.
Proof.
  revert s. induction u as [|x u IH]; simpl; intro s; split.
  - intro H. exists s. split; [constructor | exact H].
  - intros (s1 & H & K). now inversion H; subst.
  - intro H. apply runs_inv in H as (s0 & H & K). apply IH in K as (s1 & K1 & K2).
    exists s1. split; [eapply runs_first; eassumption | exact K2].
  - intros (s1 & H & K). apply runs_inv in H as (s0 & H & L). eapply runs_first; [exact H|]. apply IH. eauto.
Qed.

Lemma runs_deterministic s u s1 : runs s u s1 -> forall s2, runs s u s2 -> s1 = s2.
Proof. induction 1; intros s3 K; inversion K; subst; [reflexivity|]. apply IHruns. congruence. Qed.

Lemma runs_equivalent u v : equivalent u v -> forall s s', runs s u s' -> runs s v s'.
Proof.
  induction 1 as [|x u v H IH|x y u H|u v w H IH K IH']; intros s s' R; auto.
  - apply runs_inv in R as (s1 & R1 & R2). eapply runs_first; eauto.
  - apply runs_inv in R as (s1 & R1 & R2). apply runs_inv in R2 as (s2 & R2 & R3).
    destruct x as [a d], y as [b d'].
    destruct (independent_commute laws _ _ _ _ _ _ _ R1 R2 H) as (s3 & K1 & K2).
    eapply runs_first; [exact K1|]. eapply runs_first; [exact K2 | exact R3].
Qed.

Lemma execution_equivalent u v : equivalent u v -> execution u -> execution v.
Proof. intros H [s K]. exists s. eapply runs_equivalent; eassumption. Qed.

Lemma execution_prefix u v : execution (u ++ v) -> execution u.
Proof. intros [s H]. apply runs_app in H as (s1 & H & _). now exists s1. Qed.

(** Whoever exists stays, and is not born again. *)
Lemma stays_known p u s s' : runs s u s' -> local_state P s p <> None ->
  local_state P s' p <> None /\ forall x, In x u -> bears x p = false.
Proof.
  induction 1 as [s|s a d s1 u s2 H Hr IH]; intro K; [split; [exact K | intros x []]|].
  assert (K1 : local_state P s1 p <> None).
  { destruct (process_eq_dec P (actor P a) p) as [<-|N]; [eapply (known_forever laws), H|].
    destruct (local_state P s p) as [l|] eqn:E; [|congruence].
    rewrite (locals_are_private laws _ _ _ _ _ _ H N E). discriminate. }
  destruct (IH K1) as [I1 I2]. split; [exact I1|].
  intros x [<-|Hx]; [|now apply I2].
  unfold bears; simpl. destruct (births P d p) eqn:E; [|reflexivity].
  now rewrite (born_once laws _ _ _ _ _ H E) in K.
Qed.

(** Events of other processes that do not write its guard leave a process where it is, and its actions enabled or not. *)
Lemma enabled_unless_guard_written f u s s' : runs s u s' ->
  (forall x, In x u -> who x <> actor P f /\ writes_guard P (act x) (source P f) = false) ->
  local_state P s (actor P f) = Some (source P f) ->
  local_state P s' (actor P f) = Some (source P f) /\ (enabled s f <-> enabled s' f).
Proof.
  induction 1 as [s|s a d s1 u s2 H Hr IH]; intros Hu L; [split; [exact L | tauto]|].
  destruct (Hu (a, d)) as [N W]; [now left|]. unfold who, act in N; simpl in *.
  destruct IH as [I1 I2].
  - intros x Hx. apply Hu. now right.
  - eapply (locals_are_private laws); eassumption.
  - split; [exact I1|]. rewrite <- I2. eapply (guards_decide laws); eassumption.
Qed.

Lemma local_unless_moved p l u s s' : runs s u s' -> (forall x, In x u -> who x <> p) ->
  local_state P s p = Some l -> local_state P s' p = Some l.
Proof.
  induction 1 as [s|s a d s1 u s2 H Hr IH]; intros Hu L; [exact L|].
  apply IH.
  - intros x Hx. apply Hu. now right.
  - eapply (locals_are_private laws); [eassumption| |exact L]. apply (Hu (a, d)). now left.
Qed.

(** Someone who moved exists. *)
Lemma mover_exists u x v s s' : runs s (u ++ x :: v) s' -> local_state P s' (who x) <> None.
Proof.
  intro H. apply runs_app in H as (s1 & _ & H). apply runs_inv in H as (s2 & H & K).
  eapply stays_known; [exact K|]. eapply (known_forever laws). exact H.
Qed.

End Executions.

Arguments act {P}.
Arguments who {P}.
Arguments bears {P}.
Arguments same {P}.
Arguments dependent {P}.
Arguments enabled {P}.
Arguments runs {P}.
Arguments execution {P}.
Arguments maximal {P}.
Arguments equivalent {P}.
