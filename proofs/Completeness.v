(** The induction: a non-empty set of maximal executions that is closed under reversals has, up to equivalence, every execution. *)

From Coq Require Import List Bool Arith Lia.
From Mazurka Require Import Traces Tags Programs Reversals Advancing.
Import ListNotations.

Section Completeness.

Variable P : Program.
Hypothesis laws : Laws P.
Variable C : list (event P) -> Prop.
Hypothesis members_maximal : forall E, C E -> maximal E.
Hypothesis members_closed : closed C.

Local Notation sym := (dependent_sym P laws).

(** A member begins with [W], and goes on with [f] as the first step of its process: then some member begins with [W] and [f]. *)
Lemma take_first n : forall W s f E x h t,
  length x <= n -> runs (start P) W s -> enabled s f -> C E -> equivalent E (W ++ x ++ h :: t) ->
  act h = f -> (forall y, In y x -> who y <> actor P f) ->
  exists d, covered C (W ++ [(f, d)]).
Proof.
  induction n as [n IH] using lt_wf_ind; intros W s f E x h t Hn HW Hf HE Heq Eh Hx.
  destruct (marks_travel _ _ _ _ Heq (all_marks W x (h :: t)) (unmark_all _ _ _)) as (M & HM & EM). subst E.
  assert (Ht : forall h' t', h :: t = h' :: t' -> who h' = actor P f /\ source P (act h') = source P f).
  { intros h' t' E. injection E as <- _. unfold who. now rewrite Eh. }
  assert (Hadv : (forall y, In y x -> dependent y h = false) \/ advanced C W x (h :: t) f true).
  { destruct (existsb (writes_guard_of f) x) eqn:Ew.
    - right. apply existsb_exists in Ew. eapply by_guard; eauto.
    - destruct (existsb (fun y => dependent y h) x) eqn:Ed.
      + right. apply existsb_exists in Ed. eapply by_race; eauto. apply (existsb_false _ _ Ew).
      + left. apply (existsb_false _ _ Ed). }
  destruct Hadv as [Hfree|Hadv].
  - exists (snd h), (unmark M), (x ++ t). split; [exact HE|].
    eapply eqv_trans; [exact Heq|]. rewrite <- app_assoc. apply eqv_app_left. simpl.
    replace (f, snd h) with h by (destruct h; simpl in *; now subst).
    apply (eqv_sym _ _ sym). apply eqv_move. intros y Hy. rewrite sym. now apply Hfree.
  - destruct Hadv as (E & y1 & y3 & f' & z & HE' & Heq' & Ef & Hy & Hy3 & Hlen). specialize (Hlen eq_refl).
    eapply (IH (length y1)) with (E := E) (x := y1) (h := f') (t := y3 ++ z); eauto; [lia| |].
    2: { intros y Hin. apply Hy. apply in_app_iff. now left. }
    eapply eqv_trans; [exact Heq'|]. do 2 apply eqv_app_left. apply (eqv_sym _ _ sym). apply eqv_move.
    intros y Hin.
    pose proof (Hy3 h t eq_refl y Hin) as Hd. apply dependent_false in Hd as (D1 & D2 & D3 & D4).
    destruct (members_maximal E HE') as (sE & RE & _). apply (runs_equivalent P laws _ _ Heq') in RE.
    rewrite !app_assoc in RE. apply runs_app in RE as (s1 & R1 & R2).
    assert (Ew : who f' = actor P f) by (unfold who; now rewrite Ef).
    rewrite sym. apply dependent_false. rewrite Ew. repeat split.
    + apply Hy. apply in_app_iff. now right.
    + now rewrite Ef, <- Eh.
    + rewrite <- app_assoc in R1. apply runs_app in R1 as (s' & R1 & R1').
      rewrite (runs_deterministic P _ _ _ R1 _ HW) in R1'.
      eapply (stays_known P laws _ _ _ _ R1'); [|apply in_app_iff; right; exact Hin].
      destruct Hf as (sf & df & Hf). rewrite (stands_at_source _ laws _ _ _ _ Hf). discriminate.
    + assert (L : local_state P s1 (who y) <> None).
      { apply in_split in Hin as (u & v & ->). rewrite app_assoc in R1. eapply (mover_exists P laws); exact R1. }
      eapply (stays_known P laws _ _ _ _ R2 L). now left.
Qed.

(** A member begins with [W], and [f] can be taken after [W]: then some member begins with [W] and [f]. *)
Lemma advance W s f : runs (start P) W s -> enabled s f -> covered C W -> exists d, covered C (W ++ [(f, d)]).
Proof.
  intros HW Hf (E & z & HE & Heq).
  assert (Hsplit : exists x tail, z = x ++ tail /\ (forall y, In y x -> who y <> actor P f) /\
            (forall h t, tail = h :: t -> who h = actor P f)).
  { clear. induction z as [|y z (x & tail & -> & Hx & Ht)].
    - exists [], []. repeat split; [intros y [] | discriminate].
    - destruct (process_eq_dec P (who y) (actor P f)) as [Ey|Ny].
      + exists [], (y :: x ++ tail). repeat split; [intros w [] |]. intros h t E. injection E as <- _. exact Ey.
      + exists (y :: x), tail. repeat split; auto. intros w [<-|Hw]; auto. }
  destruct Hsplit as (x & tail & -> & Hx & Ht).
  assert (L := local_after_W P laws f s Hf).
  assert (Hhead : forall h t, tail = h :: t -> who h = actor P f /\ source P (act h) = source P f).
  { intros h t ->. split; [eauto|].
    destruct (members_maximal E HE) as (sE & RE & _). apply (runs_equivalent P laws _ _ Heq) in RE.
    apply runs_app in RE as (s' & R1 & R2). rewrite (runs_deterministic P _ _ _ R1 _ HW) in R2.
    apply runs_app in R2 as (s2 & R2 & R3). apply runs_inv in R3 as (s3 & R3 & _).
    apply (stands_at_source _ laws) in R3. assert (K := local_unless_moved P laws _ _ _ _ _ R2 Hx L).
    change (actor P (act h)) with (who h) in R3. rewrite (Ht h t eq_refl) in R3. congruence. }
  destruct (marks_travel _ _ _ _ Heq (all_marks W x tail) (unmark_all _ _ _)) as (M & HM & EM). subst E.
  assert (Hadv : (exists h t, tail = h :: t /\ act h = f) \/ exists strictly, advanced C W x tail f strictly).
  { destruct (existsb (writes_guard_of f) x) eqn:Ew.
    - right. eexists. apply existsb_exists in Ew. eapply by_guard; eauto.
    - assert (Hu := existsb_false _ _ Ew). destruct tail as [|h t].
      + exfalso. eapply (not_waiting P laws C members_maximal W x [] f s M); eauto.
      + destruct (action_eq_dec P (act h) f) as [Eh|Nh]; [left; eauto|].
        right. eexists. eapply by_choice; eauto. }
  destruct Hadv as [(h & t & -> & Eh)|(strictly & E & y1 & y3 & f' & z & HE' & Heq' & Ef & Hy & _)].
  - eapply (take_first (length x)); eauto.
  - rewrite (app_assoc y1) in Heq'. eapply (take_first (length (y1 ++ y3))); eauto.
Qed.

(** Every execution, maximal or not, is the beginning of a member. *)
Theorem every_execution_covered : (exists E, C E) -> forall w, execution w -> covered C w.
Proof.
  intros [E0 H0]. induction w as [|x w IH] using rev_ind; intros [s H].
  - exists E0, E0. split; [exact H0 | apply eqv_refl].
  - apply runs_app in H as (s1 & H1 & H2). apply runs_inv in H2 as (s2 & H2 & _).
    destruct (advance w s1 (act x)) as [d Hd]; auto.
    + now exists s2, (snd x).
    + apply IH. now exists s1.
    + enough (d = snd x) as -> by (now destruct x).
      destruct Hd as (E & z & HE & Heq). destruct (members_maximal E HE) as (sE & RE & _).
      apply (runs_equivalent P laws _ _ Heq) in RE. rewrite <- app_assoc in RE.
      apply runs_app in RE as (s3 & R3 & R4). rewrite (runs_deterministic P _ _ _ R3 _ H1) in R4.
      apply runs_inv in R4 as (s4 & R4 & _). simpl in R4. unfold act in *. simpl in R4. congruence.
Qed.

End Completeness.
