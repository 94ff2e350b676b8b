(** Programs of the small language keep the laws, and end. So the checker of the small language accepts exactly the complete lists of
    schedules. *)

From Coq Require Import List Bool Arith Lia.
From Mazurka Require Import Traces Tags Programs Reversals Result Checker Small.
Import ListNotations.

(** ** Lists that are updated *)

Lemma update_length {X} n (x : X) l : length (update n x l) = length l.
Proof. revert n. induction l; destruct n; simpl; auto. Qed.

Lemma nth_update_other {X} n k (x d : X) l : n <> k -> nth k (update n x l) d = nth k l d.
Proof. revert n k. induction l; destruct n, k; simpl; auto; congruence. Qed.

Lemma nth_update_same {X} n (x d : X) l : n < length l -> nth n (update n x l) d = x.
Proof. revert n. induction l; destruct n; simpl; intro H; auto; try lia. apply IHl. lia. Qed.

Lemma nth_error_update_other {X} n k (x : X) l : n <> k -> nth_error (update n x l) k = nth_error l k.
Proof. revert n k. induction l; destruct n, k; simpl; auto; congruence. Qed.

Lemma nth_error_update_same {X} n (x y : X) l : nth_error l n = Some y -> nth_error (update n x l) n = Some x.
Proof. revert n. induction l; destruct n; simpl; intro H; auto; discriminate. Qed.

Lemma update_commute {X} n k (x y : X) l : n <> k -> update n x (update k y l) = update k y (update n x l).
Proof. revert n k. induction l; destruct n, k; simpl; auto; try congruence. intro H. f_equal. apply IHl. congruence. Qed.

Lemma update_twice {X} n (x y : X) l : update n x (update n y l) = update n x l.
Proof. revert n. induction l; destruct n; simpl; auto. now rewrite IHl. Qed.

Lemma update_outside {X} n (x : X) l : length l <= n -> update n x l = l.
Proof. revert n. induction l; destruct n; simpl; intro H; auto; try lia. f_equal. apply IHl. lia. Qed.

Lemma nth_false_of_true k b : nth k b true = false -> k < length b /\ nth k b false = false.
Proof.
  intro H. assert (K : k < length b).
  { destruct (le_lt_dec (length b) k) as [L|L]; [|exact L]. now rewrite nth_overflow in H. }
  split; [exact K|]. now rewrite (nth_indep b false true K).
Qed.

Lemma nth_true_of_false k b : nth k b false = true -> nth k b true = true.
Proof. revert k. induction b; destruct k; simpl; auto; discriminate. Qed.

(** ** Operations that do not conflict commute *)

Lemma same_location_conflicts l m m' : accesses_conflict (l, m) (l, m') = modes_conflict m m'.
Proof. unfold accesses_conflict. cbn [fst snd]. destruct (location_eq_dec l l) as [_|N]; [reflexivity | now destruct N]. Qed.

Lemma variables_differ x y m m' : accesses_conflict (Variable_ x, m) (Variable_ y, m') = false ->
  modes_conflict m m' = true -> x <> y.
Proof. intros H K ->. rewrite same_location_conflicts in H. congruence. Qed.

Lemma processes_differ k k' : accesses_conflict (Existence k, Writes) (Existence k', Writes) = false -> k <> k'.
Proof. intros H ->. now rewrite same_location_conflicts in H. Qed.

Lemma operate_commute i j m b ra ka rb kb m1 b1 ra1 ka1 m2 b2 rb1 kb1 :
  accesses_conflict (access_of i) (access_of j) = false ->
  operate i (m, b, ra, ka) = (m1, b1, ra1, ka1) -> operate j (m1, b1, rb, kb) = (m2, b2, rb1, kb1) ->
  exists m' b', operate j (m, b, rb, kb) = (m', b', rb1, kb1) /\ operate i (m', b', ra, ka) = (m2, b2, ra1, ka1).
Proof.
  intros H Hi Hj. destruct i as [x|x o|x o|k], j as [y|y o'|y o'|k']; cbn [operate access_of] in *;
    repeat match goal with
      | H : (if ?c then _ else _) = _ |- _ => let E := fresh "E" in destruct c eqn:E
      | H : (_, _, _, _) = (_, _, _, _) |- _ => injection H; clear H; intros; subst
      end;
    try (apply variables_differ in H; [|reflexivity]); try apply processes_differ in H; unfold read;
    rewrite ?nth_update_other in * by congruence;
    repeat match goal with
      | E : nth ?k ?b true = _ |- context [nth ?k ?b true] => rewrite E
      end;
    try (eexists; eexists; split; [reflexivity|]; rewrite ?nth_update_other by congruence;
         repeat match goal with
           | E : nth ?k ?b true = _ |- context [nth ?k ?b true] => rewrite E
           end;
         first [reflexivity | rewrite update_commute by congruence; reflexivity]).
  (* Additions, perhaps to one variable. *)
  eexists; eexists; split; [reflexivity|]. destruct (Nat.eq_dec x y) as [->|N].
  - rewrite !update_twice. destruct (le_lt_dec (length m) y) as [L|L].
    + now rewrite !update_outside.
    + rewrite !nth_update_same by assumption. do 4 f_equal. lia.
  - rewrite !nth_update_other by congruence. now rewrite update_commute by congruence.
Qed.

(** What is known of the register is right. *)
Definition agrees (known : option nat) (r : nat) : Prop := match known with Some k => k = r | None => True end.

Definition known_after (i : operation) (known : option nat) : option nat := match i with Load _ => None | _ => known end.

Lemma agrees_after i known m b r kids m1 b1 r1 kids1 :
  agrees known r -> operate i (m, b, r, kids) = (m1, b1, r1, kids1) -> agrees (known_after i known) r1.
Proof.
  intros H E. destruct i; simpl in *; try exact I; try (injection E as _ _ <- _; exact H).
  destruct (nth k b true); injection E as _ _ <- _; exact H.
Qed.

(** An instruction that applies is among what may be touched; one that does not apply changes nothing. *)
Lemma touches_applied n i u known r : agrees known r -> applies n r = true ->
  touches known ((n, i) :: u) = access_of i :: touches (known_after i known) u.
Proof.
  intros H K. simpl. destruct n as [n|]; [|reflexivity]. destruct known as [k|]; [|reflexivity].
  simpl in *. subst k. now rewrite K.
Qed.

Lemma touches_skipped n i u known r : agrees known r -> applies n r = false ->
  exists known', agrees known' r /\ forall x, In x (touches known' u) -> In x (touches known ((n, i) :: u)).
Proof.
  intros H K. destruct n as [n|]; [|discriminate]. simpl in *. destruct known as [k|]; simpl in *.
  - subst k. rewrite K. exists (Some r). now split.
  - exists None. split; [exact I|]. intros x Hx. right. now destruct i.
Qed.

Lemma execute_cons n i u m b r kids :
  execute ((n, i) :: u) (m, b, r, kids) =
  execute u (if applies n r then operate i (m, b, r, kids) else (m, b, r, kids)).
Proof. reflexivity. Qed.

Lemma execute_operate j u : forall known m b ra ka rb kb m1 b1 ra1 ka1 m2 b2 rb1 kb1,
  agrees known ra -> (forall x, In x (touches known u) -> accesses_conflict x (access_of j) = false) ->
  execute u (m, b, ra, ka) = (m1, b1, ra1, ka1) -> operate j (m1, b1, rb, kb) = (m2, b2, rb1, kb1) ->
  exists m' b', operate j (m, b, rb, kb) = (m', b', rb1, kb1) /\ execute u (m', b', ra, ka) = (m2, b2, ra1, ka1).
Proof.
  induction u as [|[n i] u IH]; intros known m b ra ka rb kb m1 b1 ra1 ka1 m2 b2 rb1 kb1 Hk Hf Hu Hj.
  - simpl in *. injection Hu as -> -> -> ->. eauto.
  - rewrite execute_cons in Hu. destruct (applies n ra) eqn:Ea.
    + rewrite (touches_applied _ _ _ _ _ Hk Ea) in Hf.
      destruct (operate i (m, b, ra, ka)) as [[[mi bi] ri] ki] eqn:Ei.
      destruct (IH (known_after i known) mi bi ri ki rb kb m1 b1 ra1 ka1 m2 b2 rb1 kb1) as (m' & b' & K1 & K2); auto.
      { eapply agrees_after; eassumption. }
      { intros x Hx. apply Hf. now right. }
      destruct (operate_commute i j _ _ _ _ _ _ _ _ _ _ _ _ _ _ (Hf _ (or_introl eq_refl)) Ei K1) as (m'' & b'' & K3 & K4).
      exists m'', b''. split; [exact K3|]. rewrite execute_cons, Ea, K4. exact K2.
    + destruct (touches_skipped n i u known ra Hk Ea) as (known' & Hk' & Hs).
      destruct (IH known' m b ra ka rb kb m1 b1 ra1 ka1 m2 b2 rb1 kb1) as (m' & b' & K1 & K2); auto.
      exists m', b'. split; [exact K1|]. now rewrite execute_cons, Ea.
Qed.

Lemma execute_commute u v : forall known known' m b ra ka rb kb m1 b1 ra1 ka1 m2 b2 rb1 kb1,
  agrees known ra -> agrees known' rb ->
  (forall x y, In x (touches known u) -> In y (touches known' v) -> accesses_conflict x y = false) ->
  execute u (m, b, ra, ka) = (m1, b1, ra1, ka1) -> execute v (m1, b1, rb, kb) = (m2, b2, rb1, kb1) ->
  exists m' b', execute v (m, b, rb, kb) = (m', b', rb1, kb1) /\ execute u (m', b', ra, ka) = (m2, b2, ra1, ka1).
Proof.
  induction v as [|[n j] v IH]; intros known known' m b ra ka rb kb m1 b1 ra1 ka1 m2 b2 rb1 kb1 Hk Hk' Hf Hu Hv.
  - simpl in *. injection Hv as -> -> -> ->. eauto.
  - rewrite execute_cons in Hv. destruct (applies n rb) eqn:Ea.
    + rewrite (touches_applied _ _ _ _ _ Hk' Ea) in Hf.
      destruct (operate j (m1, b1, rb, kb)) as [[[mj bj] rj] kj] eqn:Ej.
      assert (Hj : forall x, In x (touches known u) -> accesses_conflict x (access_of j) = false).
      { intros x Hx. apply Hf; [exact Hx | now left]. }
      destruct (execute_operate j u known _ _ _ _ _ _ _ _ _ _ _ _ _ _ Hk Hj Hu Ej) as (m' & b' & K1 & K2).
      destruct (IH known (known_after j known') m' b' ra ka rj kj mj bj ra1 ka1 m2 b2 rb1 kb1) as (m'' & b'' & K3 & K4); auto.
      { eapply agrees_after; eassumption. }
      { intros x y Hx Hy. apply Hf; [exact Hx | now right]. }
      exists m'', b''. rewrite execute_cons, Ea, K1. now split.
    + destruct (touches_skipped n j v known' rb Hk' Ea) as (known'' & Hk'' & Hs).
      destruct (IH known known'' m b ra ka rb kb m1 b1 ra1 ka1 m2 b2 rb1 kb1) as (m' & b' & K1 & K2); auto.
      exists m', b'. now rewrite execute_cons, Ea.
Qed.

(** What is not written keeps its value. *)
Lemma execute_keeps z u : forall known m b r k m1 b1 r1 k1,
  agrees known r -> (forall x, In x (touches known u) -> fst x = Variable_ z -> snd x = Reads) ->
  execute u (m, b, r, k) = (m1, b1, r1, k1) -> read m1 z = read m z.
Proof.
  induction u as [|[n i] u IH]; intros known m b r k m1 b1 r1 k1 Hk Hf Hu.
  - simpl in Hu. now injection Hu as -> _ _ _.
  - rewrite execute_cons in Hu. destruct (applies n r) eqn:Ea.
    + rewrite (touches_applied _ _ _ _ _ Hk Ea) in Hf.
      destruct (operate i (m, b, r, k)) as [[[mi bi] ri] ki] eqn:Ei.
      rewrite (IH (known_after i known) mi bi ri ki m1 b1 r1 k1); auto.
      * assert (K := Hf _ (or_introl eq_refl)). unfold read.
        destruct i as [x|x o|x o|q]; simpl in *; try (injection Ei as <- _ _ _).
        -- reflexivity.
        -- rewrite nth_update_other; [reflexivity|]. intros ->. now specialize (K eq_refl).
        -- rewrite nth_update_other; [reflexivity|]. intros ->. now specialize (K eq_refl).
        -- destruct (nth q b true); now injection Ei as <- _ _ _.
      * eapply agrees_after; eassumption.
      * intros x Hx. apply Hf. now right.
    + destruct (touches_skipped n i u known r Hk Ea) as (known' & Hk' & Hs).
      apply (IH known' m b r k m1 b1 r1 k1); auto.
Qed.

(** Who is born. *)
Lemma execute_births u : forall m b r k m1 b1 r1 k1, execute u (m, b, r, k) = (m1, b1, r1, k1) ->
  exists kids, k1 = k ++ kids /\
    (forall q, nth q b1 false = true <-> nth q b false = true \/ In q kids) /\
    (forall q, In q kids -> nth q b false = false).
Proof.
  induction u as [|[n i] u IH]; intros m b r k m1 b1 r1 k1 Hu.
  - simpl in Hu. injection Hu as _ -> _ ->. exists []. rewrite app_nil_r. repeat split; auto.
    + intros [H|[]]. exact H.
    + intros q [].
  - rewrite execute_cons in Hu. destruct (applies n r); [|now apply (IH m b r k m1 b1 r1 k1)].
    destruct i as [x|x o|x o|q0]; simpl in Hu; try (eapply IH; exact Hu).
    destruct (nth q0 b true) eqn:E; [eapply IH; exact Hu|].
    apply nth_false_of_true in E as [L E].
    destruct (IH _ _ _ _ _ _ _ _ Hu) as (kids & -> & K1 & K2).
    exists (q0 :: kids). rewrite <- app_assoc. split; [reflexivity|].
    assert (Hn : forall q, nth q (update q0 true b) false = true <-> nth q b false = true \/ q0 = q).
    { intro q. destruct (Nat.eq_dec q0 q) as [<-|N].
      - rewrite nth_update_same by exact L. tauto.
      - rewrite nth_update_other by exact N. tauto. }
    split.
    + intro q. rewrite K1, Hn. simpl. tauto.
    + intros q [<-|Hq]; [exact E|]. specialize (K2 q Hq).
      destruct (nth q b false) eqn:Eq; [|reflexivity]. rewrite <- K2. symmetry. apply Hn. now left.
Qed.

Section Laws.

Variable p : program.

(** ** Moves *)

Lemma take_move_inv s a s' d : take_move p s a = Some (s', d) ->
  exists q pc r c alt m b r',
    a = (q, pc, r, c) /\ place_of s q = Some (q, pc, r) /\ nth_error (alternatives_at p (q, pc, r)) c = Some alt /\
    body_of p a = body alt /\ forallb (holds (memory s) (register p a)) (guard alt) = true /\
    execute (body alt) (memory s, born s, register p a, []) = (m, b, r', d) /\
    s' = {| memory := m; born := b; places := update q (S pc, r') (places s) |}.
Proof.
  destruct a as [[[q pc] r] c]. unfold take_move.
  destruct (place_of s q) as [l|] eqn:El; [|discriminate].
  destruct (nth_error _ c) as [alt|] eqn:Ea; [|discriminate].
  destruct (place_eq_dec l (q, pc, r)) as [->|]; [|discriminate].
  destruct (forallb _ _) eqn:Eg; [|discriminate].
  destruct (execute _ _) as [[[m b] r'] kids] eqn:Ee. intro H. injection H as <- <-.
  exists q, pc, r, c, alt, m, b, r'. repeat split; auto. unfold body_of. cbn [fst snd]. now rewrite Ea.
Qed.

Lemma take_move_intro s q pc r c alt m b r' d :
  place_of s q = Some (q, pc, r) -> nth_error (alternatives_at p (q, pc, r)) c = Some alt ->
  forallb (holds (memory s) (register p (q, pc, r, c))) (guard alt) = true ->
  execute (body alt) (memory s, born s, register p (q, pc, r, c), []) = (m, b, r', d) ->
  take_move p s (q, pc, r, c) = Some ({| memory := m; born := b; places := update q (S pc, r') (places s) |}, d).
Proof.
  intros H1 H2 H3 H4. unfold take_move. rewrite H1, H2.
  destruct (place_eq_dec (q, pc, r) (q, pc, r)) as [_|N]; [|now destruct N]. now rewrite H3, H4.
Qed.

Lemma place_of_spec s q l : place_of s q = Some l <->
  exists pc r, l = (q, pc, r) /\ nth q (born s) false = true /\ nth_error (places s) q = Some (pc, r).
Proof.
  unfold place_of. split.
  - destruct (nth q (born s) false); [|discriminate]. destruct (nth_error (places s) q) as [[pc r]|]; [|discriminate].
    intro H. injection H as <-. eauto.
  - intros (pc & r & -> & -> & ->). reflexivity.
Qed.

Lemma guard_variable l c alt k : nth_error (alternatives_at p l) c = Some alt -> In k (guard alt) ->
  In (variable k) (guard_variables p l).
Proof.
  intros H K. apply in_flat_map. exists alt. split; [eapply nth_error_In, H | now apply in_map].
Qed.

(** A move that does not write the guard at a place does not change what guards there read. *)
Lemma guard_kept s a s' d l v : take_move p s a = Some (s', d) -> writes_guard_at p a l = false ->
  In v (guard_variables p l) -> read (memory s') v = read (memory s) v.
Proof.
  intros H W Hv. apply take_move_inv in H as (q & pc & r & c & alt & m & b & r' & -> & _ & Ea & Eb & _ & Ee & ->). simpl.
  eapply (execute_keeps v (body alt) (Some (register p (q, pc, r, c)))); [reflexivity | | exact Ee].
  intros x Hx Ex. unfold writes_guard_at in W. assert (K := existsb_false _ _ W x). cbv beta in K.
  unfold body_accesses in K. rewrite Eb in K. specialize (K Hx).
  unfold writes in K. destruct (snd x) eqn:Em; [reflexivity| |];
    (simpl in K; assert (K' := existsb_false _ _ K v Hv); cbv beta in K';
     destruct (location_eq_dec (fst x) (Variable_ v)) in K'; [discriminate | contradiction]).
Qed.

Lemma guards_agree m m' r alt l c : nth_error (alternatives_at p l) c = Some alt ->
  (forall v, In v (guard_variables p l) -> read m' v = read m v) ->
  forallb (holds m' r) (guard alt) = forallb (holds m r) (guard alt).
Proof.
  intros Ea H. assert (K : forall k, In k (guard alt) -> holds m' r k = holds m r k).
  { intros k Hk. unfold holds. rewrite H; [reflexivity|]. eapply guard_variable; eassumption. }
  clear - K. induction (guard alt) as [|k g IH]; simpl; [reflexivity|].
  rewrite K by now left. rewrite IH; [reflexivity|]. intros k' Hk. apply K. now right.
Qed.

Lemma not_in_conflict a b : moves_conflict p a b = false ->
  forall x y, In x (footprint p a) -> In y (footprint p b) -> accesses_conflict x y = false.
Proof.
  intros H x y Hx Hy. assert (K := existsb_false _ _ H x Hx). simpl in K. exact (existsb_false _ _ K y Hy).
Qed.

Lemma accesses_conflict_sym x y : accesses_conflict x y = accesses_conflict y x.
Proof.
  unfold accesses_conflict. destruct (location_eq_dec (fst x) (fst y)), (location_eq_dec (fst y) (fst x)); try congruence;
    destruct (snd x), (snd y); reflexivity.
Qed.

Lemma writer_conflicts a f : writes_guard_at p a (fst f) = true -> moves_conflict p a f = true.
Proof.
  unfold writes_guard_at, moves_conflict. rewrite !existsb_exists. intros (x & Hx & Hw).
  apply andb_true_iff in Hw as [Hw Hv]. apply existsb_exists in Hv as (v & Hv & Ev).
  exists x. split; [unfold footprint; apply in_app_iff; now right|].
  apply existsb_exists. exists (Variable_ v, Reads). split.
  - unfold footprint. apply in_app_iff. left. apply in_map_iff. eauto.
  - unfold accesses_conflict. simpl. destruct (location_eq_dec (fst x) (Variable_ v)); [|discriminate].
    unfold writes in Hw. now destruct (snd x).
Qed.

Lemma other_place_kept s a s' d q : take_move p s a = Some (s', d) -> fst (fst (fst a)) <> q ->
  nth_error (places s') q = nth_error (places s) q.
Proof.
  intros H N. apply take_move_inv in H as (q' & pc & r & c & alt & m & b & r' & -> & _ & _ & _ & _ & _ & ->). simpl in *.
  now apply nth_error_update_other.
Qed.

Lemma births_of_move s a s' d : take_move p s a = Some (s', d) ->
  (forall q, nth q (born s') false = true <-> nth q (born s) false = true \/ In q d) /\
  (forall q, In q d -> nth q (born s) false = false).
Proof.
  intro H. apply take_move_inv in H as (q' & pc & r & c & alt & m & b & r' & -> & _ & _ & _ & _ & Ee & ->). simpl in *.
  destruct (execute_births _ _ _ _ _ _ _ _ _ Ee) as (kids & E & K1 & K2). simpl in E. subst d. now split.
Qed.

Lemma born_kids d q : existsb (Nat.eqb q) d = true <-> In q d.
Proof.
  rewrite existsb_exists. split.
  - intros (k & Hk & E). apply Nat.eqb_eq in E. now subst.
  - intro H. exists q. split; [exact H | apply Nat.eqb_refl].
Qed.

(** If nobody else writes its guard, a move stays as it is, enabled or not. *)
Lemma enabled_kept s a s' d f : take_move p s a = Some (s', d) -> fst (fst (fst a)) <> fst (fst (fst f)) ->
  place_of s (fst (fst (fst f))) = Some (fst f) -> writes_guard_at p a (fst f) = false ->
  enabled (P := small p) s f <-> enabled (P := small p) s' f.
Proof.
  intros H N L W. destruct f as [[[q pc] r] c]. simpl in *.
  assert (L' : place_of s' q = Some (q, pc, r)).
  { apply place_of_spec in L as (pc' & r' & E & Hb & Hp). injection E as <- <-. apply place_of_spec. exists pc, r.
    split; [reflexivity|]. split; [|now rewrite (other_place_kept _ _ _ _ _ H N)].
    apply (births_of_move _ _ _ _ H). now left. }
  assert (K := fun v => guard_kept _ _ _ _ _ v H W).
  split; intros (s1 & d1 & H1); cbn [step small] in H1; apply take_move_inv in H1 as (q' & pc' & r' & c' & alt & m1 & b1 & r1 & E & _ & Ea & _ & Eg & _);
    injection E as <- <- <- <-.
  - destruct (execute (body alt) (memory s', born s', register p (q, pc, r, c), [])) as [[[m2 b2] r2] d2] eqn:Ee.
    eexists. exists d2. eapply take_move_intro; eauto. rewrite <- Eg. eapply guards_agree; [exact Ea | exact K].
  - destruct (execute (body alt) (memory s, born s, register p (q, pc, r, c), [])) as [[[m2 b2] r2] d2] eqn:Ee.
    eexists. exists d2. eapply take_move_intro; eauto. rewrite <- Eg. symmetry. eapply guards_agree; [exact Ea | exact K].
Qed.

Theorem small_laws : Laws (small p).
Proof.
  constructor; simpl.
  - intros a b. unfold moves_conflict. apply eq_true_iff_eq. rewrite !existsb_exists. split; intros (x & Hx & Hy);
      apply existsb_exists in Hy as (y & Hy & E); exists y; (split; [exact Hy|]); apply existsb_exists; exists x;
      (split; [exact Hx|]); now rewrite accesses_conflict_sym.
  - intros s a s' d H. apply take_move_inv in H as (q & pc & r & c & alt & m & b & r' & -> & H & _). exact H.
  - intros s a s' d q l H N L. apply place_of_spec in L as (pc & r & -> & Hb & Hp). apply place_of_spec. exists pc, r.
    split; [reflexivity|]. split; [|now rewrite (other_place_kept _ _ _ _ _ H N)].
    apply (births_of_move _ _ _ _ H). now left.
  - intros s a s' d q H B. apply born_kids in B. apply (births_of_move _ _ _ _ H) in B.
    unfold place_of. now rewrite B.
  - intros s a s' d H. assert (K := proj1 (births_of_move _ _ _ _ H)).
    apply take_move_inv in H as (q & pc & r & c & alt & m & b & r' & -> & L & _ & _ & _ & _ & ->). simpl in *.
    apply place_of_spec in L as (pc' & r'' & E & Hb & Hp). injection E as <- <-.
    unfold place_of. simpl. rewrite (proj2 (K q)) by now left. now rewrite (nth_error_update_same _ _ _ _ Hp).
  - intros s a s' d f H N L W. eapply enabled_kept; eassumption.
  - intros a f. apply writer_conflicts.
  - intros s a d s1 b d' s2 Ha Hb I. apply dependent_false in I as (N & Hc & B1 & B2).
    unfold who, act, bears in *. simpl in *.
    assert (Wab : writes_guard_at p a (fst b) = false).
    { destruct (writes_guard_at p a (fst b)) eqn:E; [|reflexivity]. apply writer_conflicts in E. congruence. }
    assert (Wba : writes_guard_at p b (fst a) = false).
    { destruct (writes_guard_at p b (fst a)) eqn:E; [|reflexivity]. apply writer_conflicts in E.
      assert (K : moves_conflict p a b = true); [|congruence].
      unfold moves_conflict in *. apply existsb_exists in E as (x & Hx & E). apply existsb_exists in E as (y & Hy & E).
      apply existsb_exists. exists y. split; [exact Hy|]. apply existsb_exists. exists x. split; [exact Hx|].
      now rewrite accesses_conflict_sym. }
    assert (Ka := fun v => guard_kept _ _ _ _ _ v Ha Wab). assert (Pa := fun q => other_place_kept _ _ _ _ q Ha).
    assert (Bna := births_of_move _ _ _ _ Ha).
    apply take_move_inv in Ha as (q & pc & r & c & alt & m & bn & r' & -> & L & Ea & Eb & Eg & Ee & ->).
    apply take_move_inv in Hb as (q' & pc' & rr & c' & alt' & m' & bn' & r'' & -> & L' & Ea' & Eb' & Eg' & Ee' & ->).
    simpl fst in *. cbn [memory born places] in *.
    assert (M : exists m1 bn1, execute (body alt') (memory s, born s, register p (q', pc', rr, c'), []) = (m1, bn1, r'', d') /\
                  execute (body alt) (m1, bn1, register p (q, pc, r, c), []) = (m', bn', r', d)).
    { eapply (execute_commute _ _ (Some (register p (q, pc, r, c))) (Some (register p (q', pc', rr, c')))); try eassumption; try reflexivity.
      intros x y Hx Hy. eapply not_in_conflict; [exact Hc | |]; unfold footprint; apply in_app_iff; right; unfold body_accesses.
      - now rewrite Eb.
      - now rewrite Eb'. }
    destruct M as (m1 & bn1 & M1 & M2).
    assert (Lb : place_of s q' = Some (q', pc', rr)).
    { apply place_of_spec in L' as (pc0 & r0 & E & Hb & Hp). injection E as <- <-. simpl in Hb, Hp.
      rewrite nth_error_update_other in Hp by exact N.
      apply place_of_spec. exists pc', rr. split; [reflexivity|]. split; [|exact Hp].
      apply (proj1 Bna) in Hb as [Hb|Hb]; [exact Hb|]. apply born_kids in Hb. congruence. }
    assert (Tb : take_move p s (q', pc', rr, c') =
              Some ({| memory := m1; born := bn1; places := update q' (S pc', r'') (places s) |}, d')).
    { eapply take_move_intro; eauto. rewrite <- Eg'. symmetry. eapply guards_agree; [exact Ea' | exact Ka]. }
    eexists. split; [exact Tb|].
    rewrite update_commute by congruence.
    apply take_move_intro with (alt := alt); auto.
    + apply place_of_spec in L as (pc0 & r0 & E & Hb & Hp). injection E as <- <-.
      apply place_of_spec. exists pc, r. split; [reflexivity|]. simpl. split.
      * apply (births_of_move _ _ _ _ Tb). now left.
      * rewrite nth_error_update_other by congruence. exact Hp.
    + simpl. rewrite <- Eg. eapply guards_agree; [exact Ea|].
      intros v Hv. exact (guard_kept _ _ _ _ _ v Tb Wba Hv).
Qed.

Theorem small_listed : Listed (small p) (small_listing p).
Proof.
  constructor; simpl.
  - intros s q l H. apply in_flat_map. exists q. split.
    + apply place_of_spec in H as (pc & r & _ & _ & H). apply in_seq. split; [lia|]. simpl.
      apply nth_error_Some. congruence.
    + rewrite H. now left.
  - intros s a s' d H. apply take_move_inv in H as (q & pc & r & c & alt & m & b & r' & -> & _ & Ea & _). simpl fst.
    apply in_map_iff. exists c. split; [reflexivity|]. apply in_seq. split; [lia|]. simpl.
    apply nth_error_Some. simpl in Ea. congruence.
Qed.

End Laws.
