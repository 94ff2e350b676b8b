(** What is proved, in one place. *)

From Coq Require Import List.
From Mazurka Require Import Traces Programs Reversals Completeness.
Import ListNotations.

Section Result.

Variable P : Program.
Hypothesis laws : Laws P.

(** A set of executions is complete if it has every maximal execution up to equivalence. *)
Definition complete (C : list (event P) -> Prop) : Prop :=
  forall w, maximal w -> exists E, C E /\ equivalent E w.

(** A non-empty set of maximal executions that is closed under reversals is complete. *)
Theorem closed_sets_are_complete (C : list (event P) -> Prop) :
  (exists E, C E) -> (forall E, C E -> maximal E) -> closed C -> complete C.
Proof.
  intros HN HM HC w (s & R & Hmax).
  destruct (every_execution_covered P laws C HM HC HN w) as (E & z & HE & Heq); [now exists s|].
  exists E. split; [exact HE|].
  destruct z as [|x z]; [now rewrite app_nil_r in Heq|]. exfalso.
  destruct (HM E HE) as (sE & RE & _). apply (runs_equivalent P laws _ _ Heq) in RE.
  apply runs_app in RE as (s' & R1 & R2). rewrite (runs_deterministic P _ _ _ R1 _ R) in R2.
  apply runs_inv in R2 as (s2 & R2 & _). apply (Hmax (act x)). now exists s2, (snd x).
Qed.

(** If every execution can be brought to an end, closed sets are the only complete ones. *)
Theorem closed_iff_complete (C : list (event P) -> Prop) :
  (forall w, execution (P := P) w -> exists z, maximal (P := P) (w ++ z)) ->
  (exists E, C E) -> (forall E, C E -> maximal E) -> (closed C <-> complete C).
Proof.
  intros HT HN HM. split; [now apply closed_sets_are_complete|].
  intros HC E w _ _ Hw. destruct (HT w Hw) as [z Hz]. destruct (HC _ Hz) as (E' & HE' & Heq). now exists E', z.
Qed.

(** ** What a complete set tells *)

Variable C : list (event P) -> Prop.
Hypothesis C_complete : complete C.

(** Every state in which an execution ends is the end of a member: deadlocks, final values, what is wrong at the end. *)
Corollary ends_are_covered w s : runs (start P) w s -> (forall a, ~ enabled s a) -> exists E, C E /\ runs (start P) E s.
Proof.
  intros R Hmax. destruct (C_complete w) as (E & HE & Heq); [now exists s|].
  exists E. split; [exact HE|]. eapply (runs_equivalent P laws); [|exact R].
  apply eqv_sym; [apply (dependent_sym P laws) | exact Heq].
Qed.

(** Every event of a maximal execution, with all that it does and that goes wrong in it, is an event of a member. *)
Corollary events_are_covered w x : maximal w -> In x w -> exists E, C E /\ In x E.
Proof.
  intros Hw Hx. destruct (C_complete w Hw) as (E & HE & Heq). exists E. split; [exact HE|].
  eapply eqv_in; [|exact Hx]. apply eqv_sym; [apply (dependent_sym P laws) | exact Heq].
Qed.

End Result.

Print Assumptions closed_sets_are_complete.
Print Assumptions closed_iff_complete.
Print Assumptions ends_are_covered.
Print Assumptions events_are_covered.
