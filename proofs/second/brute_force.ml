(* Every interleaving of a program, and its traces. This uses how programs run and what conflicts, but nothing of the checker. *)

open Small

exception Too_many

(* All complete executions, each as a list of moves with those whom they bear. *)
let executions ?(limit = 400) p =
  let found = ref [] and count = ref 0 in
  let rec go s past =
    let moves =
      List.concat
        (List.mapi
           (fun q _ ->
             match place_of s q with
             | None -> []
             | Some l ->
               let try_one c = Option.map (fun (s', kids) -> ((l, c), kids, s')) (take_move p s (l, c)) in
               List.filter_map try_one (List.init (List.length (alternatives_at p l)) Fun.id))
           p.code) in
    if moves = [] then (
      incr count;
      if !count > limit then raise Too_many;
      found := List.rev past :: !found)
    else List.iter (fun (a, kids, s') -> go s' ((a, kids) :: past)) moves in
  go (start_of p) [];
  List.rev !found

let dependent p (a, kids) (b, kids') =
  let q = fst (fst (fst a)) and q' = fst (fst (fst b)) in
  q = q' || moves_conflict p a b || List.mem q' kids || List.mem q kids'

(* The same for all members of a trace: of the events that can come first, the smallest, and so on. *)
let rec canonical p = function
  | [] -> []
  | u ->
    let rec initials before = function
      | [] -> []
      | x :: rest ->
        let others = initials (x :: before) rest in
        if List.exists (dependent p x) before then others else x :: others in
    let first = List.fold_left min (List.hd u) (initials [] u) in
    let rec without = function [] -> [] | x :: rest -> if x = first then rest else x :: without rest in
    first :: canonical p (without u)

let schedule u = List.map (fun ((l, c), _) -> (fst (fst l), c)) u

(* Whether schedules are complete executions, and have every trace. *)
let complete p all schedules =
  let traces = List.sort_uniq compare (List.map (canonical p) all) in
  let known = Hashtbl.create 64 in
  List.iter (fun u -> Hashtbl.replace known (schedule u) u) all;
  schedules <> []
  && List.for_all (Hashtbl.mem known) schedules
  && List.sort_uniq compare (List.map (fun u -> canonical p (Hashtbl.find known u)) schedules) = traces
