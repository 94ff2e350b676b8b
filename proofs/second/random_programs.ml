(* Random programs of the small language: few variables and short processes, so that much conflicts and brute force is possible. *)

open Small

let pick list = List.nth list (Random.int (List.length list))
let chance n = Random.int 100 < n
let several at_least at_most make = List.init (at_least + Random.int (at_most - at_least + 1)) (fun _ -> make ())

let operand () = if chance 30 then Register else Number (Random.int 3)

let operation variables () =
  let x = Random.int variables in
  match Random.int 10 with
  | 0 | 1 | 2 | 3 -> Load x
  | 4 | 5 | 6 | 7 -> Store (x, operand ())
  | _ -> Add (x, if chance 30 then Register else Number (1 + Random.int 2))

let instruction variables () = ((if chance 20 then Some (Random.int 3) else None), operation variables ())

let condition variables () = { variable = Random.int variables; equal = chance 50; operand_of = operand () }

let alternative variables () =
  { guard = (if chance 40 then several 1 2 (condition variables) else []); body = several 0 2 (instruction variables) }

let step variables () = if chance 20 then several 2 3 (alternative variables) else [ alternative variables () ]

(* Puts the birth of [k], perhaps only for one value of the register, at the end of a step of an earlier process. *)
let with_birth k code =
  let parent = Random.int k in
  let place = Random.int (List.length (List.nth code parent)) in
  let birth = ((if chance 40 then Some (Random.int 2) else None), Spawn k) in
  let extend i a = if i = 0 then { a with body = a.body @ [ birth ] } else a in
  let in_step n step = if n = place then List.mapi extend step else step in
  List.mapi (fun q steps -> if q = parent then List.mapi in_step steps else steps) code

let program () =
  let variables = 1 + Random.int 3 and processes = 2 + Random.int 3 in
  let children = if processes > 2 && chance 30 then 1 else 0 in
  let code = List.init processes (fun _ -> several 1 (if processes > 3 then 2 else 3) (step variables)) in
  let code = if children = 1 then with_birth (processes - 1) code else code in
  { values = List.init variables (fun _ -> Random.int 2); alive = List.init processes (fun q -> q < processes - children); code }

(* The program of a number: always the same one, not too large for brute force, and with something to decide. *)
let numbered n =
  Random.init n;
  let rec try_again () =
    let p = program () in
    match Brute_force.executions p with
    | all when List.length all > 1 -> (p, all)
    | _ | (exception Brute_force.Too_many) -> try_again () in
  try_again ()
