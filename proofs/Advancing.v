(** One step of the proof. A member of a closed set begins with an execution [W], after which an action [f] can be taken. If the member
    does not go on with [f], one of its reversals leads to a member that also begins with [W] and in which less precedes [f]. *)

From Coq Require Import List Bool Arith Lia Permutation.
From Mazurka Require Import Traces Tags Programs Reversals.
Import ListNotations.

Section Advancing.

Variable P : Program.
Hypothesis laws : Laws P.
Variable C : list (event P) -> Prop.
Hypothesis members_maximal : forall E, C E -> maximal E.
Hypothesis members_closed : closed C.

Local Notation D := (@dependent P).
Local Notation MD := (marked_dep (@dependent P)).
Local Notation sym := (dependent_sym P laws).

Lemma marked_sym : forall x y, MD x y = MD y x.
Proof. intros x y. apply sym. Qed.

(** ** A member seen from a common prefix

    [E] is a member, [W] an execution that it begins with, and [f] an action that can be taken after [W]. What follows [W] in [E] is
    marked 1 up to the first event [h] of the process of [f], which is marked 2; what is left is marked 3. *)

Definition tail_marks (tail : list (event P)) : list (event P * nat) :=
  match tail with
  | [] => []
  | h :: x => (h, 2) :: mark 3 x
  end.

Definition all_marks W x tail : list (event P * nat) := mark 0 W ++ mark 1 x ++ tail_marks tail.

Lemma unmark_all W x tail : unmark (all_marks W x tail) = W ++ x ++ tail.
Proof.
  unfold all_marks. rewrite !unmark_app, !unmark_mark. do 2 f_equal.
  destruct tail; simpl; [reflexivity|]. f_equal. apply unmark_mark.
Qed.

Lemma in_tail_marks tail x : In x (tail_marks tail) ->
  (snd x = 2 /\ exists rest, tail = fst x :: rest) \/ snd x = 3.
Proof.
  destruct tail as [|h t]; simpl; [contradiction|]. intros [<-|H]; [left|right].
  - split; [reflexivity|]. now exists t.
  - now apply in_mark in H.
Qed.

Section Member.

Variables (W x tail : list (event P)) (f : action P) (s : state P) (M : list (event P * nat)).
Hypothesis runs_W : runs (start P) W s.
Hypothesis enabled_f : enabled s f.
Hypothesis marks : eqv MD M (all_marks W x tail).
Hypothesis not_in_x : forall y, In y x -> who y <> actor P f.
Hypothesis head_of_tail : forall h t, tail = h :: t -> who h = actor P f /\ source P (act h) = source P f.

Lemma in_M y : In y M ->
  (snd y = 0 /\ In (fst y) W) \/ (snd y = 1 /\ In (fst y) x) \/
  (snd y = 2 /\ exists t, tail = fst y :: t) \/ snd y = 3.
Proof.
  intro H. apply (eqv_in _ _ _ _ _ marks) in H. unfold all_marks in H.
  rewrite !in_app_iff, !in_mark in H. destruct H as [H|[H|H]]; auto.
  apply in_tail_marks in H. tauto.
Qed.

Lemma sorted k : can_come_first MD (upto k) M.
Proof.
  eapply can_come_first_eqv; [apply marked_sym | apply (eqv_sym _ _ marked_sym), marks |].
  unfold all_marks, upto.
  assert (H0 : forall y, In y (mark 0 W) -> snd y = 0) by (intros y Hy; now apply in_mark in Hy).
  assert (H1 : forall y, In y (mark 1 x) -> snd y = 1) by (intros y Hy; now apply in_mark in Hy).
  assert (H2 : forall y, In y (tail_marks tail) -> snd y = 2 \/ snd y = 3)
    by (intros y Hy; apply in_tail_marks in Hy; tauto).
  destruct k as [|[|[|k]]].
  - apply can_come_first_app; intros y Hy.
    + now rewrite H0.
    + apply in_app_iff in Hy as [Hy|Hy]; [now rewrite H1|]. destruct (H2 y Hy) as [-> | ->]; reflexivity.
  - rewrite app_assoc. apply can_come_first_app; intros y Hy.
    + apply in_app_iff in Hy as [Hy|Hy]; [now rewrite H0 | now rewrite H1].
    + destruct (H2 y Hy) as [-> | ->]; reflexivity.
  - destruct tail as [|h t].
    + simpl. rewrite <- (app_nil_r (mark 1 x ++ [])). rewrite app_assoc. apply can_come_first_app; [|intros y []].
      intros y Hy. rewrite app_nil_r in Hy. apply in_app_iff in Hy as [Hy|Hy]; [now rewrite H0 | now rewrite H1].
    + simpl. replace (mark 0 W ++ mark 1 x ++ (h, 2) :: mark 3 t) with ((mark 0 W ++ mark 1 x ++ [(h, 2)]) ++ mark 3 t)
        by (rewrite <- !app_assoc; reflexivity).
      apply can_come_first_app; intros y Hy.
      * rewrite !in_app_iff in Hy. destruct Hy as [Hy|[Hy|[<-|[]]]]; [now rewrite H0 | now rewrite H1 | reflexivity].
      * apply in_mark in Hy as [-> _]. reflexivity.
  - rewrite <- (app_nil_r (mark 0 W ++ _)). apply can_come_first_app; [|intros y []].
    intros y Hy. rewrite !in_app_iff in Hy. destruct Hy as [Hy|[Hy|Hy]].
    + now rewrite H0.
    + now rewrite H1.
    + destruct (H2 y Hy) as [-> | ->]; reflexivity.
Qed.

Lemma first_part : eqv MD (filter (upto 0) M) (mark 0 W).
Proof.
  eapply eqv_trans; [apply eqv_filter, marks|]. unfold all_marks. rewrite !filter_app.
  rewrite (filter_all _ (mark 0 W)), (filter_none _ (mark 1 x)), (filter_none _ (tail_marks tail)).
  - rewrite !app_nil_r. apply eqv_refl.
  - intros y Hy. apply in_tail_marks in Hy. unfold upto. destruct Hy as [[-> _] | ->]; reflexivity.
  - intros y Hy. apply in_mark in Hy as [E _]. unfold upto. now rewrite E.
  - intros y Hy. apply in_mark in Hy as [E _]. unfold upto. now rewrite E.
Qed.

Definition marked_one (y : event P * nat) : bool := snd y =? 1.

Lemma count_ones : length (filter marked_one M) = length x.
Proof.
  rewrite (eqv_length _ _ _ _ (eqv_filter _ _ marked_one _ _ marks)). unfold all_marks. rewrite !filter_app.
  rewrite (filter_all _ (mark 1 x)), (filter_none _ (mark 0 W)), (filter_none _ (tail_marks tail)).
  - rewrite app_nil_r. apply map_length.
  - intros y Hy. apply in_tail_marks in Hy. unfold marked_one. destruct Hy as [[-> _] | ->]; reflexivity.
  - intros y Hy. apply in_mark in Hy as [E _]. unfold marked_one. now rewrite E.
  - intros y Hy. apply in_mark in Hy as [E _]. unfold marked_one. now rewrite E.
Qed.

Lemma local_after_W : local_state P s (actor P f) = Some (source P f).
Proof. destruct enabled_f as (s' & d & H). eapply (stands_at_source _ laws), H. Qed.

(** A part of [M] that has all of [W], and else nothing of the process of [f] and nothing that writes its guard, can be
    followed by [f]. *)
Lemma part_followed_by_f N sN :
  filter (upto 0) N = filter (upto 0) M ->
  can_come_first MD (upto 0) N -> can_come_first MD (upto 1) N ->
  runs (start P) (unmark N) sN ->
  (forall y, In y N -> upto 0 y = false -> who (fst y) <> actor P f /\ writes_guard_of f (fst y) = false) ->
  let y1 := unmark (filter marked_one N) in
  let y3 := unmark (filter (others (upto 1)) N) in
  equivalent (unmark N) (W ++ y1 ++ y3) /\ exists d, execution (unmark N ++ [(f, d)]).
Proof.
  intros HW S0 S1 HR Hy y1 y3.
  assert (Hsplit : equivalent (unmark N) (W ++ y1 ++ y3)).
  { rewrite <- (unmark_mark _ 0 W) at 1. unfold y1, y3. rewrite <- !unmark_app. apply unmark_eqv.
    eapply eqv_trans; [apply (can_come_first_split _ _ _ _ S1)|]. rewrite app_assoc. apply eqv_app_right.
    eapply eqv_trans with (v := filter (upto 0) N ++ filter marked_one N).
    - assert (S : can_come_first MD (upto 0) (filter (upto 1) N)).
      { clear - S0. induction S0 as [|z N Hz HN IH]; simpl; [constructor|].
        destruct (upto 1 z); [|exact IH]. constructor; [|exact IH].
        rewrite Forall_forall in *. intros w Hw. apply filter_In in Hw as [Hw _]. auto. }
      eapply eqv_trans; [apply (can_come_first_split _ _ _ _ S)|].
      assert (E : forall p q r : event P * nat -> bool, (forall z, p z && q z = r z) ->
                    filter q (filter p N) = filter r N).
      { intros p q r Hpq. clear - Hpq. induction N as [|z N IH]; simpl; [reflexivity|].
        rewrite <- Hpq. destruct (p z); simpl; [|exact IH]. destruct (q z); simpl; now rewrite IH. }
      rewrite (E _ _ (upto 0)), (E _ _ marked_one); [apply eqv_refl| |].
      + intros [z [|[|n]]]; reflexivity.
      + intros [z [|[|n]]]; reflexivity.
    - apply eqv_app_right. rewrite HW. apply first_part. }
  split; [exact Hsplit|].
  assert (HR' := runs_equivalent P laws _ _ Hsplit _ _ HR).
  apply runs_app in HR' as (s' & R1 & R2). rewrite (runs_deterministic P _ _ _ R1 _ runs_W) in R2.
  destruct (enabled_unless_guard_written P laws f _ _ _ R2) as [_ HE].
  - intros z Hz. unfold y1, y3 in Hz. rewrite <- unmark_app in Hz. apply in_map_iff in Hz as (y & <- & Hz).
    apply in_app_iff in Hz as [Hz|Hz]; apply filter_In in Hz as [Hz Em]; apply Hy; auto;
      destruct y as [y [|n]]; try discriminate Em; reflexivity.
  - exact local_after_W.
  - apply HE in enabled_f as (s2 & d & Hs). exists d, s2. apply runs_app. exists sN. split; [exact HR|].
    eapply runs_cons; [exact Hs | constructor].
Qed.

(** The result of each kind of reversal: a member that begins with [W] and has [f] as the next step of its process. *)
Definition advanced (strictly : bool) : Prop :=
  exists E y1 y3 f' z, C E /\ equivalent E (W ++ y1 ++ y3 ++ f' :: z) /\ act f' = f /\
    (forall y, In y (y1 ++ y3) -> who y <> actor P f) /\
    (forall h t, tail = h :: t -> forall y, In y y3 -> dependent y h = false) /\
    (strictly = true -> length y1 < length x).

Lemma conclude N (strictly : bool) sN :
  filter (upto 0) N = filter (upto 0) M ->
  can_come_first MD (upto 0) N -> can_come_first MD (upto 1) N ->
  runs (start P) (unmark N) sN ->
  (forall y, In y N -> upto 0 y = false -> who (fst y) <> actor P f /\ writes_guard_of f (fst y) = false) ->
  (forall h t, tail = h :: t -> forall y, In y N -> upto 1 y = false -> dependent (fst y) h = false) ->
  (strictly = true -> length (filter marked_one N) < length x) ->
  (forall f', act f' = f -> execution (unmark N ++ [f']) -> covered C (unmark N ++ [f'])) ->
  advanced strictly.
Proof.
  intros HW S0 S1 HR Hy Ht Hs HC.
  destruct (part_followed_by_f N sN HW S0 S1 HR Hy) as [Heq [d Hd]].
  destruct (HC (f, d) eq_refl Hd) as (E & z & HE & Hz).
  exists E, (unmark (filter marked_one N)), (unmark (filter (others (upto 1)) N)), (f, d), z.
  split; [exact HE|]. split; [|split; [reflexivity|split; [|split]]].
  - eapply eqv_trans; [exact Hz|]. rewrite <- app_assoc. simpl.
    eapply eqv_trans; [apply eqv_app_right, Heq|]. rewrite <- !app_assoc. apply eqv_refl.
  - intros w Hw. rewrite <- unmark_app in Hw. apply in_map_iff in Hw as (y & <- & Hw).
    apply in_app_iff in Hw as [Hw|Hw]; apply filter_In in Hw as [Hw Em]; apply Hy; auto;
      destruct y as [y [|n]]; try discriminate Em; reflexivity.
  - intros h t E' w Hw. apply in_map_iff in Hw as (y & <- & Hw). apply filter_In in Hw as [Hw Em].
    eapply Ht; [exact E' | exact Hw |]. unfold others in Em. now apply negb_true_iff in Em.
  - intro H. unfold unmark. rewrite map_length. auto.
Qed.


Hypothesis member : C (unmark M).

Lemma M_runs : exists sM, runs (start P) (unmark M) sM /\ forall a, ~ enabled sM a.
Proof. exact (members_maximal _ member). Qed.

Lemma W_tail_runs : exists sM, runs s (x ++ tail) sM.
Proof.
  destruct M_runs as (sM & R & _). exists sM.
  apply unmark_eqv in marks. rewrite unmark_all in marks.
  apply (runs_equivalent P laws _ _ marks) in R. apply runs_app in R as (s' & R1 & R2).
  now rewrite (runs_deterministic P _ _ _ R1 _ runs_W) in R2.
Qed.

Lemma in_all y n : (n = 0 /\ In y W) \/ (n = 1 /\ In y x) \/ (n = 2 /\ exists t, tail = y :: t) -> In (y, n) M.
Proof.
  intro H. apply (eqv_in _ _ _ _ _ (eqv_sym _ _ marked_sym _ _ marks)). unfold all_marks. rewrite !in_app_iff, !in_mark.
  destruct H as [[-> H]|[[-> H]|[-> [t H]]]]; simpl; auto. right. right. rewrite H. now left.
Qed.

Lemma tail_cases : tail = [] \/ exists h t, tail = h :: t.
Proof. destruct tail; eauto. Qed.

(** Whoever writes the guard depends on [h]. *)
Lemma writer_dependent h t y : tail = h :: t -> writes_guard_of f y = true -> dependent y h = true.
Proof.
  intros E H. destruct (head_of_tail h t E) as [_ Es]. unfold writes_guard_of in H. rewrite <- Es in H.
  apply (guards_conflict _ laws) in H. unfold dependent. rewrite H. now rewrite orb_true_r.
Qed.

Lemma independent_of_head h t y : tail = h :: t -> dependent y h = false ->
  who y <> actor P f /\ writes_guard_of f y = false.
Proof.
  intros E H. split.
  - apply dependent_false in H as [H _]. now destruct (head_of_tail h t E) as [<- _].
  - destruct (writes_guard_of f y) eqn:K; [|reflexivity]. now rewrite (writer_dependent h t y E K) in H.
Qed.

(** What is marked 2 or 3 and comes before [h]. *)
Lemma before_head A h t B y : M = A ++ (h, 2) :: B -> tail = h :: t -> In y A -> snd y = 3 -> dependent (fst y) h = false.
Proof.
  intros EM Et Hy E3. apply in_split in Hy as (a1 & a2 & ->).
  pose proof (sorted 2) as S. rewrite EM, <- app_assoc in S. simpl in S.
  change (MD y (h, 2) = false).
  eapply can_come_first_before; [exact S | unfold upto; now rewrite E3 | reflexivity |].
  apply in_app_iff. right. now left.
Qed.

(** Without an event [e] of [x] that [h] depends on, [h] is gone, and all that is left after it is independent of it. *)
Lemma without_head A e B : M = A ++ e :: B -> snd e = 1 ->
  forall h t, tail = h :: t -> dependent (fst e) h = true ->
  In (h, 2) B /\
  forall y, In y (A ++ rest MD [e] B) -> upto 1 y = false -> dependent (fst y) h = false.
Proof.
  intros EM Ee h t Et Hd.
  assert (NA : ~ In (h, 2) A).
  { intro H. apply in_split in H as (a1 & a2 & ->).
    pose proof (sorted 1) as S. rewrite EM, <- app_assoc in S. simpl in S.
    assert (K : MD (h, 2) e = false).
    { eapply can_come_first_before; [exact S | reflexivity | unfold upto; now rewrite Ee |].
      apply in_app_iff. right. now left. }
    unfold marked_dep in K; simpl in K. rewrite sym in K. congruence. }
  assert (HB : In (h, 2) B).
  { assert (H : In (h, 2) M) by (apply in_all; right; right; eauto).
    rewrite EM in H. apply in_app_iff in H as [H|[H|H]]; [contradiction| |exact H].
    rewrite H in Ee. discriminate. }
  split; [exact HB|]. intros y Hy Hu.
  apply in_split in HB as (v & w & EB).
  assert (HyM : In y M).
  { rewrite EM. apply in_app_iff. apply in_app_iff in Hy as [Hy|Hy]; auto. right. right. eapply rest_in, Hy. }
  assert (Hm : (y = (h, 2)) \/ snd y = 3).
  { destruct (in_M y HyM) as [[E _]|[[E _]|[[E [t' Ey]]|E]]]; auto; try (unfold upto in Hu; rewrite E in Hu; discriminate).
    left. rewrite Et in Ey. injection Ey as -> _. destruct y; simpl in *; now subst. }
  assert (HR : ~ In (h, 2) (rest MD [e] B)).
  { intro K. assert (K' : MD (h, 2) e = false) by (eapply rest_independent; [exact K | now left]).
    unfold marked_dep in K'; simpl in K'. rewrite sym in K'. congruence. }
  destruct Hm as [->|E3].
  - apply in_app_iff in Hy as [Hy|Hy]; contradiction.
  - assert (EM' : M = (A ++ e :: v) ++ (h, 2) :: w) by (rewrite EM, EB, <- app_assoc; reflexivity).
    apply in_app_iff in Hy as [Hy|Hy].
    + eapply before_head; [exact EM' | exact Et | | exact E3]. apply in_app_iff. now left.
    + rewrite EB in Hy. apply rest_after in Hy.
      * destruct Hy as [Hy|Hy]; [|exact Hy].
        eapply before_head; [exact EM' | exact Et | | exact E3]. apply in_app_iff. right. now right.
      * simpl. unfold marked_dep; simpl. rewrite sym, Hd. reflexivity.
Qed.

(** What is left of [M] without [e] and all that happens after it. *)
Lemma without A e B : M = A ++ e :: B -> upto 0 e = false ->
  let N := A ++ rest MD [e] B in
  filter (upto 0) N = filter (upto 0) M /\
  can_come_first MD (upto 0) N /\ can_come_first MD (upto 1) N /\
  (exists sN, runs (start P) (unmark N) sN) /\
  (snd e = 1 -> length (filter marked_one N) < length x).
Proof.
  intros EM Ee N.
  pose proof (sorted 0) as S0. pose proof (sorted 1) as S1. rewrite EM in S0, S1.
  assert (HS : forall k, can_come_first MD (upto k) (A ++ e :: B) -> can_come_first MD (upto k) N).
  { intros k S. unfold N. eapply can_come_first_app_sub; [exact S | apply rest_sorted | ].
    - apply can_come_first_tail in S. now inversion S.
    - intros y Hy. right. eapply rest_in, Hy. }
  split; [|split; [|split; [|split]]]; auto.
  - unfold N. rewrite EM, !filter_app. simpl. rewrite Ee. f_equal.
    apply rest_keeps_low; [apply marked_sym | apply can_come_first_tail in S0; now inversion S0 | |].
    + intros y [<-|[]]. exact Ee.
    + intros y z [<-|[]] Hz El. eapply can_come_first_before; [exact S0 | | |]; eauto.
  - destruct M_runs as (sM & R & _).
    assert (K : eqv D (unmark M) (unmark N ++ unmark (e :: dropped MD [e] B))).
    { rewrite <- unmark_app. apply unmark_eqv. unfold N. rewrite EM, <- app_assoc. apply eqv_app_left.
      apply rest_dropped_cons, marked_sym. }
    apply (runs_equivalent P laws _ _ K) in R. apply runs_app in R as (sN & R & _). now exists sN.
  - intro E1. rewrite <- count_ones. rewrite EM. unfold N. rewrite !filter_app, !app_length. simpl.
    assert (Ko : marked_one e = true) by (unfold marked_one; now rewrite E1). rewrite Ko. simpl.
    assert (K := eqv_length _ _ _ _ (eqv_filter _ _ marked_one _ _ (rest_dropped _ _ marked_sym B [e]))).
    rewrite filter_app, app_length in K. lia.
Qed.

(** *** The guard of [f] is written in [x] *)

Lemma cut_away n : forall U, length U <= n ->
  can_come_first MD (upto 0) U -> can_come_first MD (upto 1) U ->
  (forall y, In y U -> upto 0 y = false -> who (fst y) <> actor P f) ->
  exists m, cut f (unmark U) (unmark m) /\ filter (upto 0) m = filter (upto 0) U /\
    can_come_first MD (upto 0) m /\ can_come_first MD (upto 1) m /\ (forall y, In y m -> In y U) /\
    (forall y, In y m -> upto 0 y = false -> writes_guard_of f (fst y) = false) /\
    exists r, eqv MD U (m ++ r).
Proof.
  induction n as [|n IH]; intros U Hn S0 S1 Hg.
  - destruct U; [|simpl in Hn; lia]. exists []. split; [constructor|]. split; [reflexivity|]. split; [exact S0|]. split; [exact S1|].
    split; [auto|]. split; [intros y []|]. exists []. constructor.
  - destruct (existsb (fun y => negb (upto 0 y) && writes_guard_of f (fst y)) U) eqn:Ex.
    2: { exists U. split; [constructor|]. split; [reflexivity|]. split; [exact S0|]. split; [exact S1|].
         split; [auto|]. split.
         - intros y Hy E. pose proof (existsb_false _ _ Ex y Hy) as K. simpl in K. rewrite E in K. exact K.
         - exists []. rewrite app_nil_r. apply eqv_refl. }
    apply split_last in Ex as (a & w & b & EU & Hw & Hb).
    apply andb_true_iff in Hw as [Hw0 Hw]. apply negb_true_iff in Hw0.
    rewrite EU in *.
    assert (Hsub : forall y, In y (a ++ rest MD [w] b) -> In y (a ++ w :: b)).
    { intros y Hy. apply in_app_iff in Hy as [Hy|Hy]; apply in_app_iff; auto. right. right. eapply rest_in, Hy. }
    assert (HS : forall k, can_come_first MD (upto k) (a ++ w :: b) -> can_come_first MD (upto k) (a ++ rest MD [w] b)).
    { intros k S. eapply can_come_first_app_sub; [exact S | apply rest_sorted | ].
      - apply can_come_first_tail in S. now inversion S.
      - intros y Hy. right. eapply rest_in, Hy. }
    destruct (rest_keeps_low _ _ marked_sym (upto 0) b [w]) as [K1 K2].
    { apply can_come_first_tail in S0. now inversion S0. }
    { intros y [<-|[]]. exact Hw0. }
    { intros y z [<-|[]] Hz El. eapply can_come_first_before; [exact S0 | | |]; eauto. }
    destruct (IH (a ++ rest MD [w] b)) as (m & m1 & m2 & m3 & m4 & m5 & m6 & r & m7); auto.
    { rewrite app_length in *. simpl in Hn.
      assert (K := eqv_length _ _ _ _ (rest_dropped _ _ marked_sym b [w])). rewrite app_length in K. lia. }
    exists m. repeat split; auto.
    + rewrite unmark_app. simpl. apply cut_writer; auto.
      * apply Hg; auto. apply in_app_iff. right. now left.
      * intros z Hz. change [fst w] with (unmark [w]) in Hz. unfold happens_after in Hz.
        change [fst w] with (unmark [w]) in Hz. rewrite <- unmark_dropped in Hz.
        apply in_map_iff in Hz as (y & <- & Hz).
        assert (Hyb := dropped_in _ _ _ _ _ Hz). split.
        -- pose proof (Hb y Hyb) as Hp. simpl in Hp. rewrite (K2 y Hz) in Hp. exact Hp.
        -- apply Hg; auto. apply in_app_iff. right. now right.
      * unfold notdep. change [fst w] with (unmark [w]). rewrite <- unmark_rest, <- unmark_app. exact m1.
    + rewrite m2, !filter_app. simpl. rewrite Hw0. now rewrite K1.
    + exists (r ++ w :: dropped MD [w] b). rewrite app_assoc.
      eapply eqv_trans; [apply eqv_app_left, (rest_dropped_cons _ _ marked_sym)|].
      rewrite app_assoc. apply eqv_app_right, m7.
Qed.

Lemma by_guard : (exists y, In y x /\ writes_guard_of f y = true) -> advanced true.
Proof.
  intros (y0 & Hy0 & Hw0).
  assert (Ex : existsb (fun y => marked_one y && writes_guard_of f (fst y)) M = true).
  { apply existsb_exists. exists (y0, 1). split; [apply in_all; auto | exact Hw0]. }
  apply split_first in Ex as (A & e & B & EM & He & HA).
  apply andb_true_iff in He as [E1 Hw]. apply Nat.eqb_eq in E1.
  assert (E0 : upto 0 e = false) by (unfold upto; now rewrite E1).
  assert (He : In (fst e) x).
  { destruct (in_M e) as [[E _]|[[_ H]|[[E _]|E]]]; auto; try (rewrite E1 in E; discriminate).
    rewrite EM. apply in_app_iff. right. now left. }
  destruct (without A e B EM E0) as (HW & S0 & S1 & [sU RU] & Hlen).
  (* What is left has nothing of the process of [f] but what [W] has. *)
  assert (Hout : forall y, In y (A ++ rest MD [e] B) -> upto 0 y = false ->
            who (fst y) <> actor P f /\ (writes_guard_of f (fst y) = true -> marked_one y = true)).
  { intros y Hy E.
    assert (HyM : In y M).
    { rewrite EM. apply in_app_iff. apply in_app_iff in Hy as [Hy|Hy]; auto. right. right. eapply rest_in, Hy. }
    destruct (in_M y HyM) as [[K _]|[[K Kx]|K]].
    - unfold upto in E. rewrite K in E. discriminate.
    - split; [now apply not_in_x|]. intros _. unfold marked_one. now rewrite K.
    - destruct tail_cases as [Et|(h & t & Et)].
      + exfalso. assert (Hin := eqv_in _ _ _ _ _ marks HyM). unfold all_marks in Hin. rewrite Et in Hin. simpl in Hin.
        rewrite !in_app_iff, !in_mark in Hin. destruct Hin as [[Hin _]|[[Hin _]|[]]];
          rewrite Hin in K; destruct K as [[K _]|K]; discriminate.
      + assert (Hd : dependent (fst y) h = false).
        { destruct (without_head A e B EM E1 h t Et) as [_ H].
          - eapply writer_dependent; [exact Et | exact Hw].
          - apply H; auto. unfold upto. destruct K as [[-> _] | ->]; reflexivity. }
        destruct (independent_of_head h t (fst y) Et Hd) as [K1 K2]. split; [exact K1|]. congruence. }
  destruct (cut_away (length (rest MD [e] B)) (rest MD [e] B)) as (m & m1 & m2 & m3 & m4 & m5 & m6 & r & m7); auto.
  { eapply can_come_first_tail, S0. }
  { eapply can_come_first_tail, S1. }
  { intros y Hy E. apply Hout; auto. apply in_app_iff. now right. }
  assert (Hm : forall y, In y (A ++ m) -> In y (A ++ rest MD [e] B)).
  { intros y Hy. apply in_app_iff. apply in_app_iff in Hy as [Hy|Hy]; auto. }
  assert (RN : exists sN, runs (start P) (unmark (A ++ m)) sN).
  { assert (K : eqv D (unmark (A ++ rest MD [e] B)) (unmark (A ++ m) ++ unmark r)).
    { rewrite <- unmark_app, <- app_assoc. apply unmark_eqv. apply eqv_app_left, m7. }
    apply (runs_equivalent P laws _ _ K) in RU. apply runs_app in RU as (sN & RU & _). now exists sN. }
  destruct RN as [sN RN].
  apply (conclude (A ++ m) true sN); auto.
  - rewrite <- HW, !filter_app. now rewrite m2.
  - eapply can_come_first_app_sub; eauto.
  - eapply can_come_first_app_sub; eauto.
  - intros y Hy E. destruct (Hout y (Hm y Hy) E) as [K1 K2]. split; [exact K1|].
    apply in_app_iff in Hy as [Hy|Hy]; [|now apply m6].
    destruct (writes_guard_of f (fst y)) eqn:K; [|reflexivity].
    pose proof (HA y Hy) as Hp. simpl in Hp. rewrite (K2 eq_refl), K in Hp. discriminate.
  - intros h t Et y Hy Hu. destruct (without_head A e B EM E1 h t Et) as [_ H].
    + eapply writer_dependent; [exact Et | exact Hw].
    + apply H; auto.
  - intros _. specialize (Hlen E1). rewrite !filter_app, app_length in *.
    assert (K := eqv_length _ _ _ _ (eqv_filter _ _ marked_one _ _ m7)). rewrite filter_app, app_length in K. lia.
  - intros f' Ef Hex. rewrite unmark_app, <- app_assoc in *. apply (members_closed (unmark M)); auto.
    rewrite EM, unmark_app. simpl. apply reversed_guard.
    + now rewrite Ef.
    + unfold who at 2. rewrite Ef. now apply not_in_x.
    + rewrite Ef. unfold notdep. change [fst e] with (unmark [e]). now rewrite <- unmark_rest.
Qed.

(** *** [f] is taken after [x], its guard is not written there *)

Hypothesis guard_untouched : forall y, In y x -> writes_guard_of f y = false.

Lemma by_race h t : tail = h :: t -> act h = f -> (exists y, In y x /\ dependent y h = true) ->
  advanced true.
Proof.
  intros Et Eh (y0 & Hy0 & Hd0).
  assert (Ex : existsb (fun y => marked_one y && dependent (fst y) h) M = true).
  { apply existsb_exists. exists (y0, 1). split; [apply in_all; auto | exact Hd0]. }
  apply split_last in Ex as (A & e & B & EM & He & HB).
  apply andb_true_iff in He as [E1 Hd]. apply Nat.eqb_eq in E1.
  assert (E0 : upto 0 e = false) by (unfold upto; now rewrite E1).
  assert (He : In (fst e) x).
  { destruct (in_M e) as [[E _]|[[_ H]|[[E _]|E]]]; auto; try (rewrite E1 in E; discriminate).
    rewrite EM. apply in_app_iff. right. now left. }
  destruct (without A e B EM E0) as (HW & S0 & S1 & [sN RN] & Hlen).
  destruct (without_head A e B EM E1 h t Et Hd) as [HhB Hfree].
  assert (Ehw : who h = actor P f) by (unfold who; now rewrite Eh).
  (* The race. *)
  assert (Hrace : who (fst e) <> who h /\ conflict P (act (fst e)) (act h) = true /\ bears (fst e) (who h) = false).
  { destruct W_tail_runs as (sM & R). rewrite Et in R.
    assert (N : who (fst e) <> who h) by (rewrite Ehw; now apply not_in_x).
    assert (B1 : bears (fst e) (who h) = false).
    { assert (L : local_state P s (who h) <> None) by (rewrite Ehw, local_after_W; discriminate).
      eapply (stays_known P laws _ _ _ _ R L). apply in_app_iff. now left. }
    assert (B2 : bears h (who (fst e)) = false).
    { apply in_split in He as (x1 & x2 & Ex). rewrite Ex, <- app_assoc in R. simpl in R.
      replace (x1 ++ fst e :: x2 ++ h :: t) with ((x1 ++ fst e :: x2) ++ h :: t) in R by (rewrite <- app_assoc; reflexivity).
      apply runs_app in R as (s1 & R1 & R2). apply (mover_exists P laws) in R1.
      eapply (stays_known P laws _ _ _ _ R2 R1). now left. }
    split; [exact N|]. split; [|exact B1].
    destruct (conflict P (act (fst e)) (act h)) eqn:K; [reflexivity|].
    rewrite <- Hd. symmetry. now apply dependent_false. }
  destruct Hrace as (R1 & R2 & R3).
  assert (Ex2 : existsb (fun y => snd y =? 2) B = true) by (apply existsb_exists; exists (h, 2); auto).
  apply split_first in Ex2 as (mid & h2 & post & EB & Eh2 & Hmid). apply Nat.eqb_eq in Eh2.
  assert (K : h2 = (h, 2)).
  { destruct (in_M h2) as [[E _]|[[E _]|[[_ [t' E]]|E]]]; try (rewrite Eh2 in E; discriminate).
    - rewrite EM, EB. rewrite !in_app_iff. right. right. apply in_app_iff. right. now left.
    - rewrite Et in E. injection E as E _. destruct h2; simpl in *; now subst. }
  subst h2.
  apply (conclude (A ++ rest MD [e] B) true sN); auto.
  - intros y Hy E. 
    assert (HyM : In y M).
    { rewrite EM. apply in_app_iff. apply in_app_iff in Hy as [Hy|Hy]; auto. right. right. eapply rest_in, Hy. }
    destruct (in_M y HyM) as [[K _]|[[K Kx]|K]].
    + unfold upto in E. rewrite K in E. discriminate.
    + split; [now apply not_in_x | now apply guard_untouched].
    + apply (independent_of_head h t); auto. apply Hfree; auto.
      unfold upto. destruct K as [[-> _] | ->]; reflexivity.
  - intros h' t' Et' y Hy Hu. rewrite Et in Et'. injection Et' as <- _. now apply Hfree.
  - intros f' Ef Hex. apply (members_closed (unmark M)); auto.
    rewrite EM, EB, !unmark_app. simpl unmark. rewrite unmark_app, unmark_rest, unmark_app, <- app_assoc.
    change (unmark [e]) with [fst e]. change (unmark ((h, 2) :: post)) with (h :: unmark post).
    apply reversed_race; [|rewrite Eh; now apply guard_untouched | now rewrite Ef].
    split; [exact R1|]. split; [exact R2|]. split; [exact R3|].
    intros z Hz. unfold happens_after in Hz. change [fst e] with (unmark [e]) in Hz. rewrite <- unmark_dropped in Hz.
    apply in_map_iff in Hz as (y & <- & Hz).
    assert (Hym := dropped_in _ _ _ _ _ Hz).
    pose proof (sorted 0) as S. rewrite EM, EB in S.
    assert (Ey : upto 0 y = false).
    { apply can_come_first_tail in S. inversion S as [|? ? Sx Sr]; subst.
      eapply (rest_keeps_low _ _ marked_sym (upto 0) mid [e]); [eapply can_come_first_prefix, Sr | | | exact Hz].
      - intros q [<-|[]]. exact E0.
      - intros q r [<-|[]] Hr El. rewrite Forall_forall in Sx. apply Sx; auto. apply in_app_iff. now left. }
    assert (HyB : In y B) by (rewrite EB; apply in_app_iff; now left).
    destruct (in_M y) as [[K _]|[[K Kx]|[[K _]|K]]].
    + rewrite EM. apply in_app_iff. right. now right.
    + unfold upto in Ey. rewrite K in Ey. discriminate.
    + pose proof (HB y HyB) as Hp. simpl in Hp. unfold marked_one in Hp. rewrite K in Hp. exact Hp.
    + pose proof (Hmid y Hym) as Hp. simpl in Hp. rewrite K in Hp. discriminate.
    + eapply (before_head (A ++ e :: mid) h t post); auto.
      * rewrite EM, EB, <- app_assoc. reflexivity.
      * apply in_app_iff. right. now right.
Qed.

(** *** An alternative of [f] is taken after [x] *)

Lemma by_choice h t : tail = h :: t -> act h <> f -> advanced false.
Proof.
  intros Et Nh. destruct (head_of_tail h t Et) as [Ehw Ehs].
  assert (Ex : existsb (fun y => snd y =? 2) M = true).
  { apply existsb_exists. exists (h, 2). split; [apply in_all; right; right; eauto | reflexivity]. }
  apply split_first in Ex as (A & h2 & B & EM & E2 & HA). apply Nat.eqb_eq in E2.
  assert (K : h2 = (h, 2)).
  { destruct (in_M h2) as [[E _]|[[E _]|[[_ [t' E]]|E]]]; try (rewrite E2 in E; discriminate).
    - rewrite EM. apply in_app_iff. right. now left.
    - rewrite Et in E. injection E as E _. destruct h2; simpl in *; now subst. }
  subst h2.
  destruct (without A (h, 2) B EM eq_refl) as (HW & S0 & S1 & [sN RN] & _).
  assert (Hfree : forall y, In y (A ++ rest MD [(h, 2)] B) -> upto 1 y = false -> dependent (fst y) h = false).
  { intros y Hy Hu. apply in_app_iff in Hy as [Hy|Hy].
    - destruct (in_M y) as [[K _]|[[K _]|[[K _]|K]]]; try (unfold upto in Hu; rewrite K in Hu; discriminate).
      + rewrite EM. apply in_app_iff. now left.
      + pose proof (HA y Hy) as Hp. simpl in Hp. rewrite K in Hp. discriminate.
      + eapply before_head; eauto.
    - change (MD y (h, 2) = false). eapply rest_independent; [exact Hy | now left]. }
  assert (Hout : forall y, In y (A ++ rest MD [(h, 2)] B) -> upto 0 y = false ->
            who (fst y) <> actor P f /\ writes_guard_of f (fst y) = false).
  { intros y Hy E.
    assert (HyM : In y M).
    { rewrite EM. apply in_app_iff. apply in_app_iff in Hy as [Hy|Hy]; auto. right. right. eapply rest_in, Hy. }
    destruct (in_M y HyM) as [[K _]|[[K Kx]|K]].
    - unfold upto in E. rewrite K in E. discriminate.
    - split; [now apply not_in_x | now apply guard_untouched].
    - apply (independent_of_head h t); auto. apply Hfree; auto.
      unfold upto. destruct K as [[-> _] | ->]; reflexivity. }
  apply (conclude (A ++ rest MD [(h, 2)] B) false sN); auto; try discriminate.
  - intros h' t' Et' y Hy Hu. rewrite Et in Et'. injection Et' as <- _. now apply Hfree.
  - intros f' Ef Hex. apply (members_closed (unmark M)); auto.
    assert (R0 : exists s0, runs (start P) (unmark A) s0 /\ enabled s0 (act f')).
    { rewrite unmark_app in RN. apply runs_app in RN as (s0 & R0 & R1). exists s0. split; [exact R0|].
      destruct M_runs as (sM & RM & _). rewrite EM, unmark_app in RM. apply runs_app in RM as (s0' & R0' & RM).
      rewrite (runs_deterministic P _ _ _ R0' _ R0) in RM. simpl in RM. apply runs_inv in RM as (s1 & RM & _).
      apply (stands_at_source _ laws) in RM. change (actor P (act h)) with (who h) in RM. rewrite Ehw, Ehs in RM.
      rewrite Ef. apply (enabled_unless_guard_written P laws f _ _ _ R1); [|exact RM|].
      - intros z Hz. apply in_map_iff in Hz as (y & <- & Hz). apply (independent_of_head h t); auto.
        change (MD y (h, 2) = false). eapply rest_independent; [exact Hz | now left].
      - destruct Hex as [s2 Hex]. rewrite unmark_app in Hex. apply runs_app in Hex as (s3 & Hex & H1).
        assert (R01 : runs (start P) (unmark A ++ unmark (rest MD [(h, 2)] B)) sN) by (apply runs_app; eauto).
        rewrite (runs_deterministic P _ _ _ Hex _ R01) in H1. apply runs_inv in H1 as (s4 & H1 & _).
        rewrite Ef in H1. now exists s4, (snd f'). }
    destruct R0 as (s0 & R0 & He0).
    rewrite EM, !unmark_app, unmark_rest, <- app_assoc. simpl unmark.
    eapply reversed_choice; [| | exact R0 | exact He0].
    + unfold who at 1. now rewrite Ef, Ehw.
    + rewrite Ef. congruence.
Qed.

(** *** The process of [f] waits for ever, although its guard is not written *)

Lemma not_waiting : tail <> [].
Proof.
  intro Et. destruct M_runs as (sM & R & Hmax). 
  apply unmark_eqv in marks. rewrite unmark_all, Et, app_nil_r in marks.
  apply (runs_equivalent P laws _ _ marks) in R. apply runs_app in R as (s' & R1 & R2).
  rewrite (runs_deterministic P _ _ _ R1 _ runs_W) in R2.
  apply (Hmax f). apply (enabled_unless_guard_written P laws f _ _ _ R2); [|exact local_after_W|exact enabled_f].
  intros y Hy. split; [now apply not_in_x | now apply guard_untouched].
Qed.

End Member.

End Advancing.

Arguments all_marks {P}.
Arguments unmark_all {P}.
Arguments advanced {P}.
