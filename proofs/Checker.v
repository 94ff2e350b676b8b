(** A checker of certificates that can be run, for programs whose local states and alternatives can be listed. It accepts exactly the
    complete lists of executions. *)

From Coq Require Import List Bool Arith Lia.
From Mazurka Require Import Traces Tags Programs Reversals Completeness Result.
Import ListNotations.

(** What a program must be able to tell besides. *)
Record Listing (P : Program) := {
  effect_eq_dec : forall d d' : effect P, {d = d'} + {d <> d'};
  (** The local states of all processes that are born. *)
  standing : state P -> list (local P);
  (** The actions of a local state, enabled or not. *)
  alternatives : local P -> list (action P);
}.

Arguments effect_eq_dec {P}.
Arguments standing {P}.
Arguments alternatives {P}.

Section Checker.

Variable P : Program.
Variable listing : Listing P.

(** ** The checker *)

Definition event_eq_dec (x y : event P) : {x = y} + {x <> y}.
Proof. decide equality; [apply (effect_eq_dec listing) | apply action_eq_dec]. Defined.

(** Runs events: the actions must be enabled, and do what the events say. *)
Fixpoint run (s : state P) (u : list (event P)) : option (state P) :=
  match u with
  | [] => Some s
  | x :: u =>
    match step P s (act x) with
    | Some (s', d) => if effect_eq_dec listing d (snd x) then run s' u else None
    | None => None
    end
  end.

Definition is_enabled (s : state P) (a : action P) : bool := match step P s a with Some _ => true | None => false end.

Definition is_maximal (E : list (event P)) : bool :=
  match run (start P) E with
  | Some s => forallb (fun a => negb (is_enabled s a)) (flat_map (alternatives listing) (standing listing s))
  | None => false
  end.

(** Takes away [x], if it can come first. *)
Fixpoint without_initial (x : event P) (E : list (event P)) : option (list (event P)) :=
  match E with
  | [] => None
  | y :: E => if event_eq_dec x y then Some E
              else if dependent x y then None
              else option_map (cons y) (without_initial x E)
  end.

(** Whether [E] begins with [w], up to equivalence. *)
Fixpoint begins_with (w E : list (event P)) : bool :=
  match w with
  | [] => true
  | x :: w => match without_initial x E with Some E => begins_with w E | None => false end
  end.

(** All ways to split a sequence at one of its elements. *)
Fixpoint splits {X} (u : list X) : list (list X * X * list X) :=
  match u with
  | [] => []
  | x :: u => ([], x, u) :: map (fun '(a, y, b) => (x :: a, y, b)) (splits u)
  end.

(** [u] and then [f], if that can be run. *)
Definition followed_by (u : list (event P)) (f : action P) : list (list (event P)) :=
  match run (start P) u with
  | Some s => match step P s f with Some (_, d) => [u ++ [(f, d)]] | None => [] end
  | None => []
  end.

Definition is_race (e : event P) (mid : list (event P)) (f : event P) : bool :=
  negb (same (who e) (who f)) && conflict P (act e) (act f) && negb (bears e (who f)) &&
  forallb (fun x => negb (dependent x f)) (happens_after e mid).

Definition races (E : list (event P)) : list (list (event P)) :=
  flat_map (fun '(pre, e, u) =>
    flat_map (fun '(mid, f, _) =>
      if is_race e mid f && negb (writes_guard_of (act f) e) then followed_by (pre ++ notdep e u) (act f) else [])
    (splits u)) (splits E).

Fixpoint cuts (n : nat) (f : action P) (u : list (event P)) : list (list (event P)) :=
  u :: match n with
       | 0 => []
       | S n => flat_map (fun '(a, w, b) =>
           if writes_guard_of f w && negb (same (who w) (actor P f)) &&
              forallb (fun x => negb (writes_guard_of f x) && negb (same (who x) (actor P f))) (happens_after w b)
           then cuts n f (a ++ notdep w b) else []) (splits u)
       end.

(** The actions of all local states that processes leave, or have at the end. *)
Definition candidates (E : list (event P)) : list (action P) :=
  flat_map (alternatives listing)
    (map (fun x => source P (act x)) E ++ match run (start P) E with Some s => standing listing s | None => [] end).

Definition guards (E : list (event P)) : list (list (event P)) :=
  let actions := nodup (action_eq_dec P) (candidates E) in
  flat_map (fun '(pre, e, post) =>
    let free := notdep e post in
    flat_map (fun f =>
      if writes_guard_of f e && negb (same (who e) (actor P f))
      then flat_map (fun m => followed_by (pre ++ m) f) (cuts (length free) f free) else [])
    actions) (splits E).

Definition choices (E : list (event P)) : list (list (event P)) :=
  flat_map (fun '(pre, h, post) =>
    match run (start P) pre with
    | Some s =>
      flat_map (fun f =>
        if same (actor P f) (who h) && negb (if action_eq_dec P f (act h) then true else false) && is_enabled s f
        then followed_by (pre ++ notdep h post) f else [])
      (alternatives listing (source P (act h)))
    | None => []
    end) (splits E).

Definition reversals (E : list (event P)) : list (list (event P)) := races E ++ guards E ++ choices E.

(** Whether a list of executions is complete. *)
Definition check (C : list (list (event P))) : bool :=
  match C with
  | [] => false
  | _ => forallb is_maximal C && forallb (fun E => forallb (fun w => existsb (begins_with w) C) (reversals E)) C
  end.

(** ** It is right *)

Record Listed := {
  stands : forall s p l, local_state P s p = Some l -> In l (standing listing s);
  can_be_taken : forall s a s' d, step P s a = Some (s', d) -> In a (alternatives listing (source P a));
}.

Hypothesis laws : Laws P.
Hypothesis listed : Listed.

Lemma run_runs u : forall s s', run s u = Some s' <-> runs s u s'.
Proof.
  induction u as [|x u IH]; simpl; intros s s'; split.
  - intro H. injection H as <-. constructor.
  - intro H. now inversion H.
  - destruct (step P s (act x)) as [[s1 d]|] eqn:E; [|discriminate].
    destruct (effect_eq_dec listing d (snd x)) as [->|]; [|discriminate].
    intro H. apply IH in H. eapply runs_first; eassumption.
  - intro H. apply runs_inv in H as (s1 & H1 & H2). rewrite H1.
    destruct (effect_eq_dec listing (snd x) (snd x)) as [_|N]; [now apply IH | now destruct N].
Qed.

Lemma is_enabled_spec s a : is_enabled s a = true <-> enabled s a.
Proof.
  unfold is_enabled, enabled. destruct (step P s a) as [[s' d]|].
  - split; eauto.
  - split; [discriminate|]. now intros (s' & d & H).
Qed.

Lemma is_maximal_spec E : is_maximal E = true <-> maximal E.
Proof.
  unfold is_maximal. split.
  - destruct (run (start P) E) as [s|] eqn:R; [|discriminate]. intro H. exists s. split; [now apply run_runs|].
    intros a Ha. rewrite forallb_forall in H. assert (K := Ha). apply is_enabled_spec in K.
    destruct Ha as (s' & d & Ha). specialize (H a). rewrite K in H. simpl in H. discriminate H.
    apply in_flat_map. exists (source P a). split.
    + eapply (stands listed), (stands_at_source _ laws), Ha.
    + eapply (can_be_taken listed), Ha.
  - intros (s & R & H). apply run_runs in R. rewrite R. apply forallb_forall. intros a _.
    destruct (is_enabled s a) eqn:K; [|reflexivity]. apply is_enabled_spec in K. now apply H in K.
Qed.

Lemma dependent_refl (x : event P) : dependent x x = true.
Proof. unfold dependent. replace (same (who x) (who x)) with true; [reflexivity|]. symmetry. now apply same_true. Qed.

Lemma without_initial_eqv x E : forall E', without_initial x E = Some E' -> equivalent E (x :: E').
Proof.
  induction E as [|y E IH]; simpl; intros E' H; [discriminate|].
  destruct (event_eq_dec x y) as [->|N]; [injection H as ->; apply eqv_refl|].
  destruct (dependent x y) eqn:D; [discriminate|].
  destruct (without_initial x E) as [R|]; [|discriminate]. injection H as <-.
  eapply eqv_trans; [apply eqv_skip, IH; reflexivity|]. apply eqv_swap. now rewrite (dependent_sym P laws).
Qed.

Lemma eqv_without_initial E F : equivalent E F -> forall x E', without_initial x E = Some E' ->
  exists F', without_initial x F = Some F' /\ equivalent E' F'.
Proof.
  induction 1 as [|y u v H IH|y z u H|u v w H IH K IH']; simpl; intros x E' HE.
  - discriminate.
  - destruct (event_eq_dec x y) as [->|N].
    + injection HE as <-. eauto.
    + destruct (dependent x y); [discriminate|].
      destruct (without_initial x u) as [R|] eqn:Ru; [|discriminate]. injection HE as <-.
      destruct (IH x R Ru) as (F' & -> & HF). exists (y :: F'). split; [reflexivity | now constructor].
  - destruct (event_eq_dec x y) as [->|Ny].
    + injection HE as <-. destruct (event_eq_dec y z) as [->|Nz].
      * now rewrite dependent_refl in H.
      * rewrite H. exists (z :: u). split; [reflexivity | apply eqv_refl].
    + destruct (dependent x y) eqn:Dy; [discriminate|].
      destruct (event_eq_dec x z) as [->|Nz].
      * injection HE as <-. exists (y :: u). split; [reflexivity | apply eqv_refl].
      * destruct (dependent x z); [discriminate|]. simpl in *.
        destruct (without_initial x u) as [R|]; [|discriminate]. injection HE as <-.
        exists (z :: y :: R). split; [reflexivity | now constructor].
  - destruct (IH x E' HE) as (F' & HF & HF'). destruct (IH' x F' HF) as (G' & HG & HG').
    exists G'. split; [exact HG | eapply eqv_trans; eassumption].
Qed.

Lemma begins_with_spec w : forall E, begins_with w E = true <-> exists z, equivalent E (w ++ z).
Proof.
  induction w as [|x w IH]; simpl; intro E; split.
  - intros _. exists E. apply eqv_refl.
  - reflexivity.
  - destruct (without_initial x E) as [E'|] eqn:H; [|discriminate]. intro K. apply IH in K as [z K].
    exists z. eapply eqv_trans; [apply without_initial_eqv, H | now constructor].
  - intros [z K]. apply (eqv_sym _ _ (dependent_sym P laws)) in K.
    destruct (eqv_without_initial _ _ K x (w ++ z)) as (E' & HE & HE').
    + simpl. destruct (event_eq_dec x x) as [_|N]; [reflexivity | now destruct N].
    + rewrite HE. apply IH. exists z. now apply (eqv_sym _ _ (dependent_sym P laws)).
Qed.

Lemma splits_spec {X} (u a b : list X) x : In (a, x, b) (splits u) <-> u = a ++ x :: b.
Proof.
  revert a. induction u as [|y u IH]; simpl; intro a; split.
  - contradiction.
  - now destruct a.
  - intros [H|H]; [injection H as <- <- <-; reflexivity|].
    apply in_map_iff in H as ([[a' x'] b'] & E & H). injection E as <- <- <-. apply IH in H. now rewrite H.
  - destruct a as [|z a]; simpl; intro E; injection E as -> ->; [now left|]. right.
    apply in_map_iff. exists (a, x, b). split; [reflexivity | now apply IH].
Qed.

Lemma followed_by_spec u f w :
  In w (followed_by u f) <-> exists d, w = u ++ [(f, d)] /\ execution w.
Proof.
  unfold followed_by. split.
  - destruct (run (start P) u) as [s|] eqn:R; [|contradiction].
    destruct (step P s f) as [[s' d]|] eqn:E; [|contradiction]. intros [<-|[]]. exists d. split; [reflexivity|].
    exists s'. apply runs_app. exists s. split; [now apply run_runs|]. eapply runs_cons; [exact E | constructor].
  - intros (d & -> & s' & R). apply runs_app in R as (s & R & R'). apply run_runs in R. rewrite R.
    apply runs_inv in R' as (s1 & R' & _). simpl in R'. unfold act in R'. simpl in R'. rewrite R'. now left.
Qed.

Lemma is_race_spec e mid f : is_race e mid f = true <-> race e mid f.
Proof.
  unfold is_race, race. rewrite !andb_true_iff, !negb_true_iff, same_false, forallb_forall.
  split; intro H; decompose [and] H; repeat split; auto; intros x Hx.
  - apply negb_true_iff. auto.
  - apply negb_true_iff. auto.
Qed.

Lemma cut_part (f : action P) u m : cut f u m -> exists r, equivalent u (m ++ r).
Proof.
  induction 1 as [u|a w b m H N Hd Hc [r IH]].
  - exists []. rewrite app_nil_r. apply eqv_refl.
  - exists (r ++ w :: happens_after w b). rewrite app_assoc.
    eapply eqv_trans; [apply eqv_app_left, (rest_dropped_cons _ _ (dependent_sym P laws))|].
    rewrite app_assoc. apply eqv_app_right, IH.
Qed.

Lemma cuts_all (f : action P) u m : cut f u m -> forall n, length u <= n -> In m (cuts n f u).
Proof.
  induction 1 as [u|a w b m H N Hd Hc IH]; intros n Hn.
  - destruct n; now left.
  - rewrite app_length in Hn. simpl in Hn. destruct n as [|n]; [lia|]. right.
    apply in_flat_map. exists (a, w, b). split; [now apply splits_spec|].
    rewrite H. apply same_false in N. rewrite N. simpl.
    replace (forallb _ _) with true.
    + apply IH. rewrite app_length.
      assert (K := eqv_length _ _ _ _ (rest_dropped _ _ (dependent_sym P laws) b [w])). rewrite app_length in K.
      unfold notdep. lia.
    + symmetry. apply forallb_forall. intros x Hx. destruct (Hd x Hx) as [-> K]. apply same_false in K. now rewrite K.
Qed.

(** The action of a reversal of the second kind belongs to a local state of the execution. *)
Lemma candidates_all E pre e post m (f : action P) : E = pre ++ e :: post -> execution E -> cut f (notdep e post) m ->
  (exists s, runs (start P) (pre ++ m) s /\ enabled s f) -> In f (candidates E).
Proof.
  intros EE [sE RE] Hc (s & R & s' & d & Hf). unfold candidates. apply in_flat_map. exists (source P f).
  split; [|eapply (can_be_taken listed), Hf].
  assert (L := stands_at_source _ laws _ _ _ _ Hf).
  destruct (cut_part _ _ _ Hc) as [r Hr].
  assert (K : equivalent E ((pre ++ m) ++ r ++ e :: happens_after e post)).
  { rewrite EE, <- app_assoc. apply eqv_app_left.
    eapply eqv_trans; [apply (rest_dropped_cons _ _ (dependent_sym P laws))|].
    rewrite app_assoc. apply eqv_app_right, Hr. }
  assert (RE' := runs_equivalent P laws _ _ K _ _ RE). apply runs_app in RE' as (s1 & R1 & R2).
  rewrite (runs_deterministic P _ _ _ R1 _ R) in R2.
  destruct (existsb (fun x => same (who x) (actor P f)) (r ++ e :: happens_after e post)) eqn:Ex.
  - apply split_first in Ex as (a & h & b & Eh & Hh & Ha). rewrite Eh in R2, K.
    apply runs_app in R2 as (s2 & R2 & R3). apply runs_inv in R3 as (s3 & R3 & _).
    apply (stands_at_source _ laws) in R3. change (actor P (act h)) with (who h) in R3.
    apply same_true in Hh. rewrite Hh in R3.
    assert (L2 := fun N => local_unless_moved P laws _ _ _ _ _ R2 N L).
    rewrite L2 in R3 by (intros x Hx; apply same_false, Ha, Hx). injection R3 as R3.
    apply in_app_iff. left. apply in_map_iff. exists h. split; [now symmetry|].
    apply (eqv_in _ _ _ _ _ (eqv_sym _ _ (dependent_sym P laws) _ _ K)).
    apply in_app_iff. right. apply in_app_iff. right. now left.
  - apply in_app_iff. right. apply run_runs in RE. rewrite RE. eapply (stands listed).
    eapply (local_unless_moved P laws); [exact R2 | | exact L].
    intros x Hx. apply same_false, (existsb_false _ _ Ex x Hx).
Qed.

(** All reversals that can be run are listed. *)
Lemma reversals_all E (w : list (event P)) : execution E -> reversal E w -> execution w -> In w (reversals E).
Proof.
  intros HE HR Hw. unfold reversals. rewrite !in_app_iff.
  destruct HR as [pre e mid f post f' H1 H2 H3 | pre e post m f' H1 H2 H3 | pre h post f' s H1 H2 H3 H4].
  - left. unfold races. apply in_flat_map. exists (pre, e, mid ++ f :: post). split; [now apply splits_spec|].
    apply in_flat_map. exists (mid, f, post). split; [now apply splits_spec|].
    apply is_race_spec in H1. rewrite H1, H2. simpl. apply followed_by_spec. exists (snd f').
    rewrite <- app_assoc. split; [|exact Hw]. rewrite <- H3. now destruct f'.
  - right. left. unfold guards. apply in_flat_map. exists (pre, e, post). split; [now apply splits_spec|].
    apply in_flat_map. exists (act f'). split.
    + apply nodup_In. eapply candidates_all; eauto.
      destruct Hw as [sw Rw]. rewrite app_assoc in Rw. apply runs_app in Rw as (s & R1 & R2).
      apply runs_inv in R2 as (s2 & R2 & _). exists s. split; [exact R1|]. now exists s2, (snd f').
    + rewrite H1. apply same_false in H2. unfold who at 2 in H2. rewrite H2. simpl.
      apply in_flat_map. exists m. split; [now apply cuts_all|].
      apply followed_by_spec. exists (snd f'). rewrite <- app_assoc. split; [now destruct f' | exact Hw].
  - right. right. unfold choices. apply in_flat_map. exists (pre, h, post). split; [now apply splits_spec|].
    apply run_runs in H3. rewrite H3. apply in_flat_map. exists (act f').
    assert (K := H4). destruct H4 as (s' & d & H4). split.
    + replace (source P (act h)) with (source P (act f')); [eapply (can_be_taken listed), H4|].
      apply (stands_at_source _ laws) in H4. destruct HE as [sE RE]. apply runs_app in RE as (s1 & R1 & R2).
      apply run_runs in R1. rewrite R1 in H3. injection H3 as ->. apply runs_inv in R2 as (s2 & R2 & _).
      apply (stands_at_source _ laws) in R2. change (actor P (act h)) with (who h) in R2.
      rewrite <- H1 in R2. unfold who in R2. congruence.
    + change (actor P (act f')) with (who f'). apply same_true in H1. rewrite H1. apply is_enabled_spec in K. rewrite K.
      destruct (action_eq_dec P (act f') (act h)) as [E|_]; [contradiction|]. simpl.
      apply followed_by_spec. exists (snd f'). rewrite <- app_assoc. split; [now destruct f' | exact Hw].
Qed.

Lemma reversals_run E w : In w (reversals E) -> execution w.
Proof.
  unfold reversals. rewrite !in_app_iff. intros [H|[H|H]].
  - apply in_flat_map in H as ([[pre e] u] & _ & H). apply in_flat_map in H as ([[mid f] post] & _ & H).
    destruct (_ && _) in H; [|contradiction]. now apply followed_by_spec in H as (d & _ & H).
  - apply in_flat_map in H as ([[pre e] u] & _ & H). apply in_flat_map in H as (f & _ & H).
    destruct (_ && _) in H; [|contradiction]. apply in_flat_map in H as (m & _ & H).
    now apply followed_by_spec in H as (d & _ & H).
  - apply in_flat_map in H as ([[pre h] u] & _ & H). destruct (run (start P) pre); [|contradiction].
    apply in_flat_map in H as (f & _ & H). destruct (_ && _ && _) in H; [|contradiction].
    now apply followed_by_spec in H as (d & _ & H).
Qed.

(** What is accepted has every execution. *)
Theorem accepted_is_complete (C : list (list (event P))) :
  check C = true -> complete P (fun E => In E C).
Proof.
  unfold check. destruct C as [|E0 C']; [discriminate|]. set (C := E0 :: C').
  rewrite andb_true_iff, !forallb_forall. intros [HM HC].
  assert (HM' : forall E, In E C -> maximal E) by (intros E HE; now apply is_maximal_spec, HM).
  apply (closed_sets_are_complete P laws).
  - exists E0. now left.
  - exact HM'.
  - intros E w HE HR Hw. specialize (HC E HE). rewrite forallb_forall in HC.
    assert (K : In w (reversals E)).
    { apply reversals_all; auto. destruct (HM' E HE) as (s & R & _). now exists s. }
    apply HC in K. apply existsb_exists in K as (E' & HE' & K). apply begins_with_spec in K as [z K]. now exists E', z.
Qed.

(** What is complete is accepted. *)
Theorem complete_is_accepted (C : list (list (event P))) :
  (forall w, execution (P := P) w -> exists z, maximal (w ++ z)) ->
  C <> [] -> (forall E, In E C -> maximal E) -> complete P (fun E => In E C) -> check C = true.
Proof.
  intros HT HN HM HC. unfold check. destruct C as [|E0 C']; [contradiction|].
  apply andb_true_iff. split; apply forallb_forall.
  - intros E HE. now apply is_maximal_spec, HM.
  - intros E HE. apply forallb_forall. intros w Hw. apply reversals_run in Hw.
    destruct (HT w Hw) as [z Hz]. destruct (HC _ Hz) as (E' & HE' & K). apply existsb_exists.
    exists E'. split; [exact HE'|]. apply begins_with_spec. now exists z.
Qed.

End Checker.

Print Assumptions accepted_is_complete.
Print Assumptions complete_is_accepted.
