(* Programs of the small language and certificates as text, and programs as the litmus notation of Mazurka.

   values 0 1
   process                    one that is there from the start; `later` must be spawned
   step
   when x0==1 x1!=r do r=x1; x0=3; x1+=r; if 2 spawn 1
   or when do
   later
   step
   when do x0=r
   schedules
   0.0 0.1 1.0                who moves, and which alternative it takes
*)

open Small

let operand = function Number n -> string_of_int n | Register -> "r"

let operation = function
  | Load x -> Printf.sprintf "r=x%d" x
  | Store (x, o) -> Printf.sprintf "x%d=%s" x (operand o)
  | Add (x, o) -> Printf.sprintf "x%d+=%s" x (operand o)
  | Spawn k -> Printf.sprintf "spawn %d" k

let instruction (n, i) = match n with Some n -> Printf.sprintf "if %d %s" n (operation i) | None -> operation i

let condition c = Printf.sprintf "x%d%s%s" c.variable (if c.equal then "==" else "!=") (operand c.operand_of)

let alternative a =
  Printf.sprintf "when %s do %s"
    (String.concat " " (List.map condition a.guard))
    (String.concat "; " (List.map instruction a.body))

let program p =
  let step alternatives = "step\n" ^ String.concat "\nor " (List.map alternative alternatives) ^ "\n" in
  let proc alive code = (if alive then "process\n" else "later\n") ^ String.concat "" (List.map step code) in
  "values " ^ String.concat " " (List.map string_of_int p.values) ^ "\n" ^ String.concat "" (List.map2 proc p.alive p.code)

let schedule u = String.concat " " (List.map (fun (q, c) -> Printf.sprintf "%d.%d" q c) u)

(* Reading. *)

exception Unreadable of string

let words line = List.filter (( <> ) "") (String.split_on_char ' ' line)

let read_operand = function "r" -> Register | n -> Number (int_of_string n)

let read_operation text =
  let scan format make = try Some (Scanf.sscanf text format make) with _ -> None in
  let first = List.find_map (fun f -> f ()) in
  match
    first
      [ (fun () -> scan "r=x%d%!" (fun x -> Load x));
        (fun () -> scan "spawn %d%!" (fun k -> Spawn k));
        (fun () -> scan "x%d+=%s%!" (fun x o -> Add (x, read_operand o)));
        (fun () -> scan "x%d=%s%!" (fun x o -> Store (x, read_operand o))) ]
  with
  | Some i -> i
  | None -> raise (Unreadable text)

let read_instruction text =
  match words text with
  | "if" :: n :: rest -> (Some (int_of_string n), read_operation (String.concat " " rest))
  | all -> (None, read_operation (String.concat " " all))

let read_condition text =
  try Scanf.sscanf text "x%d%[=!]%s%!" (fun x sign o -> { variable = x; equal = sign = "=="; operand_of = read_operand o })
  with _ -> raise (Unreadable text)

let read_alternative all =
  let rec conditions = function
    | "do" :: rest -> ([], rest)
    | c :: rest -> let guard, body = conditions rest in (read_condition c :: guard, body)
    | [] -> raise (Unreadable "`do` is missing") in
  let guard, body = conditions all in
  let body = List.filter (( <> ) "") (List.map String.trim (String.split_on_char ';' (String.concat " " body))) in
  { guard; body = List.map read_instruction body }

let read_schedule line = List.map (fun word -> Scanf.sscanf word "%d.%d%!" (fun q c -> (q, c))) (words line)

(* Reads a program and the schedules after it. Lists are built in reverse. *)
let read lines =
  let rec go values procs = function
    | [] | "schedules" :: _ as rest ->
      let schedules = match rest with [] -> [] | _ :: lines -> List.map read_schedule lines in
      let procs = List.rev_map (fun (alive, steps) -> (alive, List.rev_map List.rev steps)) procs in
      ({ values; alive = List.map fst procs; code = List.map snd procs }, schedules)
    | line :: lines -> (
      match (words line, procs) with
      | "values" :: values, _ -> go (List.map int_of_string values) procs lines
      | [ "process" ], _ -> go values ((true, []) :: procs) lines
      | [ "later" ], _ -> go values ((false, []) :: procs) lines
      | [ "step" ], (alive, steps) :: procs -> go values ((alive, [] :: steps) :: procs) lines
      | ("when" :: all | "or" :: "when" :: all), (alive, step :: steps) :: procs ->
        go values ((alive, (read_alternative all :: step) :: steps) :: procs) lines
      | _ -> raise (Unreadable line)) in
  go [] [] (List.filter (( <> ) "") (List.map String.trim lines))

(* The litmus notation. Process 3 is called p3; the register is l. *)

let litmus p =
  let operand = function Number n -> string_of_int n | Register -> "l" in
  let operation = function
    | Load x -> Printf.sprintf "l=x%d" x
    | Store (x, o) -> Printf.sprintf "x%d=%s" x (operand o)
    | Add (x, o) -> Printf.sprintf "x%d @+ %s" x (operand o)
    | Spawn k -> Printf.sprintf "spawn p%d" k in
  let instruction (n, i) =
    match n with Some n -> Printf.sprintf "if (l==%d) { %s }" n (operation i) | None -> operation i in
  let body a = String.concat "; " (List.map instruction a.body) in
  let condition c = Printf.sprintf "x%d%s%s" c.variable (if c.equal then "==" else "!=") (operand c.operand_of) in
  let guard a = String.concat " && " (List.map condition a.guard) in
  let step = function
    | [ a ] -> if a.guard = [] then body a else Printf.sprintf "await %s; %s" (guard a) (body a)
    | all ->
      let case n a = if a.guard = [] then Printf.sprintf "l==%d" n else Printf.sprintf "(l==%d && %s)" n (guard a) in
      let guarded = List.exists (fun a -> a.guard <> []) all in
      let rec bodies n = function
        | [] -> ""
        | [ a ] -> Printf.sprintf "{ %s }" (body a)
        | a :: rest -> Printf.sprintf "if (l==%d) { %s } else %s" n (body a) (bodies (n + 1) rest) in
      Printf.sprintf "choose l %d; %s%s" (List.length all)
        (if guarded then "await " ^ String.concat " || " (List.mapi case all) ^ "; " else "")
        (bodies 0 all) in
  let proc q code = Printf.sprintf "p%d:%s" q (String.concat "" (List.map (fun s -> "[" ^ step s ^ "]") code)) in
  Printf.sprintf "init %s; %s"
    (String.concat ", " (List.mapi (fun x v -> Printf.sprintf "x%d=%d" x v) p.values))
    (String.concat " " (List.mapi proc p.code))
