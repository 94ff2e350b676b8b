(** A small language: processes over shared variables, each with one register, as tables. It has all that the theorem speaks of: guards,
    choices, births that depend on values, footprints that depend on the register, and updates that commute. *)

From Coq Require Import List Bool Arith Lia.
From Mazurka Require Import Traces Programs Checker.
Import ListNotations.

(** ** Syntax *)

(** The value of a number, or of the register. *)
Inductive operand := Number (n : nat) | Register.

Inductive operation :=
| Load (x : nat)                  (* register = x *)
| Store (x : nat) (o : operand)   (* x = o *)
| Add (x : nat) (o : operand)     (* x is increased by o; such updates commute *)
| Spawn (k : nat).                (* process k begins, if it has not begun yet *)

(** An operation, only if the register has a certain value; or always. *)
Definition instruction : Type := option nat * operation.

(** A variable is, or is not, equal to an operand. *)
Record condition := { variable : nat; equal : bool; operand_of : operand }.

(** One alternative of a step: it can be taken if all conditions hold. *)
Record alternative := { guard : list condition; body : list instruction }.

(** A step with several alternatives first puts the number of the one that is taken into the register. *)
Definition process_code : Type := list (list alternative).

Record program := { values : list nat; alive : list bool; code : list process_code }.

(** ** States *)

(** Variables, who is born, and where each process stands: the number of its next step, and its register. *)
Record situation := { memory : list nat; born : list bool; places : list (nat * nat) }.

Definition start_of (p : program) : situation :=
  {| memory := values p; born := alive p; places := map (fun _ => (0, 0)) (code p) |}.

(** A process, its next step, its register. *)
Definition place : Type := nat * nat * nat.

(** A place and the number of an alternative. *)
Definition move : Type := place * nat.

Definition place_of (s : situation) (p : nat) : option place :=
  match nth p (born s) false, nth_error (places s) p with
  | true, Some (pc, r) => Some (p, pc, r)
  | _, _ => None
  end.

Fixpoint update {X} (n : nat) (x : X) (l : list X) : list X :=
  match l, n with
  | [], _ => []
  | _ :: l, 0 => x :: l
  | y :: l, S n => y :: update n x l
  end.

Definition value (o : operand) (r : nat) : nat := match o with Number n => n | Register => r end.

Definition read (m : list nat) (x : nat) : nat := nth x m 0.

Definition holds (m : list nat) (r : nat) (c : condition) : bool :=
  Bool.eqb (equal c) (read m (variable c) =? value (operand_of c) r).

(** What is shared; the register; who was born. *)
Definition running : Type := list nat * list bool * nat * list nat.

Definition operate (i : operation) (c : running) : running :=
  let '(m, b, r, kids) := c in
  match i with
  | Load x => (m, b, read m x, kids)
  | Store x o => (update x (value o r) m, b, r, kids)
  | Add x o => (update x (read m x + value o r) m, b, r, kids)
  | Spawn k => if nth k b true then c else (m, update k true b, r, kids ++ [k])
  end.

Definition applies (c : option nat) (r : nat) : bool := match c with Some n => n =? r | None => true end.

Fixpoint execute (u : list instruction) (c : running) : running :=
  match u with
  | [] => c
  | (n, i) :: u => let '(m, b, r, kids) := c in execute u (if applies n r then operate i c else c)
  end.

Section Language.

Variable p : program.

(** The alternatives at a place. *)
Definition alternatives_at (l : place) : list alternative :=
  let '(q, pc, _) := l in nth pc (nth q (code p) []) [].

(** The register when the alternative begins. *)
Definition register (a : move) : nat :=
  let '(q, pc, r, c) := a in if 1 <? length (alternatives_at (q, pc, r)) then c else r.

Definition place_eq_dec (l l' : place) : {l = l'} + {l <> l'}.
Proof. repeat decide equality. Defined.

Definition take_move (s : situation) (a : move) : option (situation * list nat) :=
  let '(q, pc, r, c) := a in
  match place_of s q, nth_error (alternatives_at (q, pc, r)) c with
  | Some l, Some alt =>
    if place_eq_dec l (q, pc, r) then
      if forallb (holds (memory s) (register a)) (guard alt) then
        let '(m, b, r', kids) := execute (body alt) (memory s, born s, register a, []) in
        Some ({| memory := m; born := b; places := update q (S pc, r') (places s) |}, kids)
      else None
    else None
  | _, _ => None
  end.

(** ** Footprints *)

Inductive mode := Reads | Writes | Accumulates.
Inductive location := Variable_ (x : nat) | Existence (k : nat).
Definition access : Type := location * mode.

Definition location_eq_dec (l l' : location) : {l = l'} + {l <> l'}.
Proof. decide equality; apply Nat.eq_dec. Defined.

Definition modes_conflict (m m' : mode) : bool :=
  match m, m' with
  | Reads, Reads | Accumulates, Accumulates => false
  | _, _ => true
  end.

Definition accesses_conflict (a b : access) : bool :=
  (if location_eq_dec (fst a) (fst b) then true else false) && modes_conflict (snd a) (snd b).

Definition access_of (i : operation) : access :=
  match i with
  | Load x => (Variable_ x, Reads)
  | Store x _ => (Variable_ x, Writes)
  | Add x _ => (Variable_ x, Accumulates)
  | Spawn k => (Existence k, Writes)
  end.

(** What instructions may touch in any context, if the register has a known value. *)
Fixpoint touches (known : option nat) (u : list instruction) : list access :=
  match u with
  | [] => []
  | (n, i) :: u =>
    if match n, known with Some n, Some r => n =? r | _, _ => true end
    then access_of i :: touches (match i with Load _ => None | _ => known end) u
    else touches known u
  end.

(** What the guards of all alternatives at a place read. *)
Definition guard_variables (l : place) : list nat := flat_map (fun alt => map variable (guard alt)) (alternatives_at l).

Definition body_of (a : move) : list instruction :=
  match nth_error (alternatives_at (fst a)) (snd a) with Some alt => body alt | None => [] end.

Definition body_accesses (a : move) : list access := touches (Some (register a)) (body_of a).

Definition footprint (a : move) : list access :=
  map (fun x => (Variable_ x, Reads)) (guard_variables (fst a)) ++ body_accesses a.

Definition moves_conflict (a b : move) : bool :=
  existsb (fun x => existsb (accesses_conflict x) (footprint b)) (footprint a).

Definition writes (x : access) : bool := match snd x with Reads => false | _ => true end.

Definition writes_guard_at (a : move) (l : place) : bool :=
  existsb (fun x => writes x && existsb (fun v => if location_eq_dec (fst x) (Variable_ v) then true else false)
                                        (guard_variables l)) (body_accesses a).

(** ** As a program *)

Definition move_eq_dec (a b : move) : {a = b} + {a <> b}.
Proof. repeat decide equality. Defined.

Definition small : Program := {|
  state := situation;
  process := nat;
  local := place;
  action := move;
  effect := list nat;
  process_eq_dec := Nat.eq_dec;
  action_eq_dec := move_eq_dec;
  start := start_of p;
  local_state := place_of;
  step := take_move;
  actor := fun a => fst (fst (fst a));
  source := fst;
  conflict := moves_conflict;
  writes_guard := writes_guard_at;
  births := fun kids k => existsb (Nat.eqb k) kids;
|}.

Definition small_listing : Listing small := {|
  effect_eq_dec := list_eq_dec Nat.eq_dec : forall d d' : effect small, {d = d'} + {d <> d'};
  standing := fun s : state small =>
    flat_map (fun q => match place_of s q with Some l => [l] | None => [] end) (seq 0 (length (places s)));
  alternatives := fun l : local small => map (fun c => (l, c)) (seq 0 (length (alternatives_at l)));
|}.

(** ** Certificates *)

(** A schedule says who moves, and which alternative is taken. *)
Fixpoint replay (s : situation) (u : list (nat * nat)) : option (list (event small)) :=
  match u with
  | [] => Some []
  | (q, c) :: u =>
    match place_of s q with
    | Some l =>
      match take_move s (l, c) with
      | Some (s', d) => match replay s' u with Some E => Some (((l, c), d) :: E) | None => None end
      | None => None
      end
    | None => None
    end
  end.

Fixpoint replay_all (C : list (list (nat * nat))) : option (list (list (event small))) :=
  match C with
  | [] => Some []
  | u :: C =>
    match replay (start_of p) u, replay_all C with
    | Some E, Some F => Some (E :: F)
    | _, _ => None
    end
  end.

(** Whether a list of schedules is complete. *)
Definition check_schedules (C : list (list (nat * nat))) : bool :=
  match replay_all C with
  | Some F => check small small_listing F
  | None => false
  end.

End Language.
