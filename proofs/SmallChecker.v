(** The checker of the small language accepts a list of schedules exactly if it is complete. *)

From Coq Require Import List Bool Arith Lia.
From Mazurka Require Import Traces Tags Programs Reversals Result Checker Small SmallLaws.
Import ListNotations.

Section SmallChecker.

Variable p : program.

(** ** Programs end *)

Fixpoint steps_left (codes : list process_code) (places : list (nat * nat)) : nat :=
  match codes, places with
  | c :: codes, (pc, _) :: places => (length c - pc) + steps_left codes places
  | _, _ => 0
  end.

Lemma steps_left_decrease codes : forall places q pc r r',
  nth_error places q = Some (pc, r) -> pc < length (nth q codes []) ->
  steps_left codes (update q (S pc, r') places) < steps_left codes places.
Proof.
  induction codes as [|c codes IH]; intros places q pc r r' H L.
  - destruct q; simpl in L; lia.
  - destruct places as [|[pc0 r0] places]; [destruct q; discriminate|]. destruct q as [|q]; simpl in *.
    + injection H as -> ->. lia.
    + specialize (IH places q pc r r' H L). lia.
Qed.

Lemma move_decreases s a s' d : take_move p s a = Some (s', d) ->
  steps_left (code p) (places s') < steps_left (code p) (places s).
Proof.
  intro H. apply take_move_inv in H as (q & pc & r & c & alt & m & b & r' & -> & L & Ea & _ & _ & _ & ->). simpl.
  apply place_of_spec in L as (pc' & r'' & E & _ & Hp). injection E as <- <-.
  apply steps_left_decrease with (r := r); [exact Hp|]. simpl in Ea.
  destruct (le_lt_dec (length (nth q (code p) [])) pc) as [G|G]; [|exact G].
  rewrite nth_overflow in Ea by exact G. now destruct c.
Qed.

Lemma ends_from n : forall s : situation, steps_left (code p) (places s) <= n ->
  exists z s', runs (P := small p) s z s' /\ forall a, ~ enabled (P := small p) s' a.
Proof.
  induction n as [n IH] using lt_wf_ind. intros s Hn.
  set (offers := flat_map (alternatives (small_listing p)) (standing (small_listing p) s)).
  destruct (existsb (is_enabled (small p) s) offers) eqn:E.
  - apply existsb_exists in E as (a & _ & E). apply is_enabled_spec in E as (s1 & d & H).
    assert (K := move_decreases s a s1 d H).
    destruct (IH (steps_left (code p) (places s1))) with (s := s1) as (z & s' & R & M); [lia | lia |].
    exists ((a, d) :: z), s'. split; [|exact M]. eapply runs_cons; eassumption.
  - exists [], s. split; [constructor|]. intros a Ha. assert (K := Ha). apply is_enabled_spec in K.
    destruct Ha as (s1 & d & H).
    assert (I : In a offers).
    { apply in_flat_map. exists (source (small p) a). split.
      - eapply (stands _ _ (small_listed p)), (stands_at_source _ (small_laws p)), H.
      - eapply (can_be_taken _ _ (small_listed p)), H. }
    apply (existsb_false _ _ E) in I. congruence.
Qed.

Lemma programs_end w : execution (P := small p) w -> exists z, maximal (w ++ z).
Proof.
  intros [s R]. destruct (ends_from _ s (le_n _)) as (z & s' & R' & M).
  exists z, s'. split; [|exact M]. apply runs_app. eauto.
Qed.

(** ** Schedules *)

Lemma replay_all_spec C : forall F, replay_all p C = Some F ->
  forall E, In E F <-> exists u, In u C /\ replay p (start_of p) u = Some E.
Proof.
  induction C as [|v C IH]; simpl; intros F H E.
  - injection H as <-. split; [intros [] | intros (u & [] & _)].
  - destruct (replay p (start_of p) v) as [E0|] eqn:E0v; [|discriminate].
    destruct (replay_all p C) as [F'|]; [|discriminate]. injection H as <-. simpl. rewrite (IH F' eq_refl). split.
    + intros [<-|(u & Hu & R)]; eauto.
    + intros (u & [<-|Hu] & R); [left; congruence | right; eauto].
Qed.

(** If a list of schedules is accepted, each can be run to the end, and every maximal execution is equivalent to one of them. *)
Theorem accepted_schedules (C : list (list (nat * nat))) : check_schedules p C = true ->
  (forall u, In u C -> exists E, replay p (start_of p) u = Some E /\ maximal E) /\
  (forall w, maximal w -> exists u E, In u C /\ replay p (start_of p) u = Some E /\ equivalent E w).
Proof.
  unfold check_schedules. destruct (replay_all p C) as [F|] eqn:R; [|discriminate]. intro H.
  assert (S := replay_all_spec C F R). split.
  - intros u Hu. assert (K : exists E, replay p (start_of p) u = Some E).
    { clear - R Hu. revert F R. induction C as [|v C IH]; simpl; intros F R; [contradiction|].
      destruct (replay p (start_of p) v) as [E0|] eqn:E0v; [|discriminate].
      destruct (replay_all p C) as [F'|]; [|discriminate]. destruct Hu as [<-|Hu]; eauto. }
    destruct K as [E K]. exists E. split; [exact K|].
    assert (I : In E F) by (apply S; eauto). unfold check in H. destruct F as [|E0 F]; [contradiction|].
    apply andb_true_iff in H as [H _]. rewrite forallb_forall in H.
    now apply (is_maximal_spec _ _ (small_laws p) (small_listed p)), H.
  - intros w Hw. destruct (accepted_is_complete _ _ (small_laws p) (small_listed p) F H w Hw) as (E & HE & K).
    apply S in HE as (u & Hu & HE). eauto.
Qed.

(** And every such list is accepted. *)
Theorem complete_schedules (C : list (list (nat * nat))) :
  C <> [] -> (forall u, In u C -> exists E, replay p (start_of p) u = Some E /\ maximal E) ->
  (forall w, maximal w -> exists u E, In u C /\ replay p (start_of p) u = Some E /\ equivalent E w) ->
  check_schedules p C = true.
Proof.
  intros HN HM HC. unfold check_schedules.
  assert (R : exists F, replay_all p C = Some F).
  { clear - HM. induction C as [|u C IH]; simpl; [eauto|]. destruct (HM u) as (E & -> & _); [now left|].
    destruct IH as [F ->]; [|eauto]. intros v Hv. apply HM. now right. }
  destruct R as [F R]. rewrite R. assert (S := replay_all_spec C F R).
  apply complete_is_accepted; [apply small_laws | apply small_listed | exact programs_end | | |].
  - destruct C as [|u C]; [contradiction|]. simpl in R. destruct (replay p (start_of p) u); [|discriminate].
    destruct (replay_all p C); [|discriminate]. injection R as <-. discriminate.
  - intros E HE. apply S in HE as (u & Hu & HE). destruct (HM u Hu) as (E' & K & M). congruence.
  - intros w Hw. destruct (HC w Hw) as (u & E & Hu & HE & K). exists E. split; [apply S; eauto | exact K].
Qed.

End SmallChecker.

Print Assumptions accepted_schedules.
Print Assumptions complete_schedules.
