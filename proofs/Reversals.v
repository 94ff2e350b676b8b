(** What else could have happened in an execution, and what it means that a set of executions is closed under it. *)

From Coq Require Import List Bool.
From Mazurka Require Import Traces Programs.
Import ListNotations.

Section Reversals.

Variable P : Program.

(** [notdep e u]: what of [u], which follows [e], does not happen after [e]. *)
Definition notdep (e : event P) (u : list (event P)) : list (event P) := rest dependent [e] u.

(** What happens after [e]. *)
Definition happens_after (e : event P) (u : list (event P)) : list (event P) := dropped dependent [e] u.

(** [e] and [f], with [mid] between them, race: they conflict, neither process nor birth orders them, and nothing that happens
    after [e] happens before [f]. *)
Definition race (e : event P) (mid : list (event P)) (f : event P) : Prop :=
  who e <> who f /\ conflict P (act e) (act f) = true /\ bears e (who f) = false /\
  forall x, In x (happens_after e mid) -> dependent x f = false.

Definition writes_guard_of (f : action P) (x : event P) : bool := writes_guard P (act x) (source P f).

(** The cuts of [u] for the action [f]: the last writers of its guard are removed one by one, each with all that happens after it,
    but nothing of the process of [f]. *)
Inductive cut (f : action P) : list (event P) -> list (event P) -> Prop :=
| cut_nothing u : cut f u u
| cut_writer a w b m :
    writes_guard_of f w = true -> who w <> actor P f ->
    (forall x, In x (happens_after w b) -> writes_guard_of f x = false /\ who x <> actor P f) ->
    cut f (a ++ notdep w b) m -> cut f (a ++ w :: b) m.

(** [reversal E w]: instead of [E], an execution that begins with [w] could have happened, if [w] can be run. *)
Inductive reversal : list (event P) -> list (event P) -> Prop :=
(** A race of two events that is not on the guard of the second. *)
| reversed_race pre e mid f post f' :
    race e mid f -> writes_guard_of (act f) e = false -> act f' = act f ->
    reversal (pre ++ e :: mid ++ f :: post) (pre ++ notdep e (mid ++ f :: post) ++ [f'])
(** An action, taken or not, whose guard is written by [e]; it could have been taken without [e]. *)
| reversed_guard pre e post m f' :
    writes_guard_of (act f') e = true -> who e <> who f' -> cut (act f') (notdep e post) m ->
    reversal (pre ++ e :: post) (pre ++ m ++ [f'])
(** An alternative of [h] that was enabled when [h] was taken. *)
| reversed_choice pre h post f' s :
    who f' = who h -> act f' <> act h -> runs (start P) pre s -> enabled s (act f') ->
    reversal (pre ++ h :: post) (pre ++ notdep h post ++ [f']).

(** Some member of [C] begins, up to equivalence, with [w]. *)
Definition covered (C : list (event P) -> Prop) (w : list (event P)) : Prop :=
  exists E z, C E /\ equivalent E (w ++ z).

Definition closed (C : list (event P) -> Prop) : Prop :=
  forall E w, C E -> reversal E w -> execution w -> covered C w.

End Reversals.

Arguments notdep {P}.
Arguments happens_after {P}.
Arguments race {P}.
Arguments writes_guard_of {P}.
Arguments cut {P}.
Arguments reversal {P}.
Arguments covered {P}.
Arguments closed {P}.
