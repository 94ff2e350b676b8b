(** The checker of the small language, as an OCaml program. *)

From Coq Require Import Extraction ExtrOcamlBasic ExtrOcamlNatInt.
From Mazurka Require Import Small SmallChecker.

Extraction Language OCaml.
Set Warnings "-extraction-opaque-accessed".
Extraction "small.ml" check_schedules take_move place_of start_of alternatives_at moves_conflict replay.
