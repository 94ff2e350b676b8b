(* The second checker of certificates, extracted from the proofs, and its tests.

   second check FILE                        whether the schedules of FILE are complete (for the format see tables.ml)
   second self-test FIRST LAST              compares it with brute force, on certificates of random programs, right and wrong
   second certificates FIRST LAST           prints random programs in the litmus notation, with certificates for another checker
   second compare FIRST LAST FILE           compares its verdicts, one on a line of FILE
*)

open Small

let lines_of file =
  let channel = open_in file in
  let rec go lines = match input_line channel with line -> go (line :: lines) | exception End_of_file -> List.rev lines in
  let lines = go [] in
  close_in channel;
  lines

let check file =
  let p, schedules =
    try Tables.read (lines_of file) with
    | Tables.Unreadable text -> prerr_endline ("error: cannot read: " ^ text); exit 2
    | Failure _ | Scanf.Scan_failure _ | End_of_file -> prerr_endline "error: a number is expected, or two with a dot"; exit 2
    | Sys_error why -> prerr_endline ("error: " ^ why); exit 2 in
  let complete = check_schedules p schedules in
  print_endline (if complete then "complete" else "refused");
  exit (if complete then 0 else 1)

(* One execution of each trace, chosen at random, in random order. *)
let representatives p all =
  let shuffled = List.map snd (List.sort compare (List.map (fun u -> (Random.bits (), u)) all)) in
  let traces = Hashtbl.create 64 in
  List.iter (fun u -> Hashtbl.replace traces (Brute_force.canonical p u) (Brute_force.schedule u)) shuffled;
  List.map snd (List.sort compare (Hashtbl.fold (fun _ u list -> (Random.bits (), u) :: list) traces []))

let without n list = List.filteri (fun i _ -> i <> n) list
let replace n x list = List.mapi (fun i y -> if i = n then x else y) list

(* Certificates of a program: a right one, and some that are spoilt in some way or only look spoilt. *)
let certificates p all =
  let right = representatives p all in
  let n = Random.int (List.length right) in
  let one = List.nth right n in
  let step = Random.int (List.length one) in
  let spoilt = Random.int (List.length p.code) in
  [ right;
    without n right;
    List.filter (fun _ -> Random.bool ()) right;
    List.filter (fun _ -> Random.int 4 > 0) (List.map Brute_force.schedule all);
    one :: right;
    replace n (without (List.length one - 1) one) right;
    replace n (without step one) right;
    replace n (replace step (spoilt, Random.int 2) one) right ]

let report what p schedules =
  Printf.printf "%s:\n%sschedules\n%s\n" what (Tables.program p) (String.concat "\n" (List.map Tables.schedule schedules));
  exit 1

let self_test first last =
  let accepted = ref 0 and refused = ref 0 in
  for number = first to last do
    let p, all = Random_programs.numbered number in
    if fst (Tables.read (String.split_on_char '\n' (Tables.program p))) <> p then report "this program is not read as it was written" p [];
    List.iter
      (fun schedules ->
        let expected = Brute_force.complete p all schedules in
        incr (if expected then accepted else refused);
        if check_schedules p schedules <> expected then
          report (if expected then "this is complete, but refused" else "this is incomplete, but accepted") p schedules)
      (certificates p all)
  done;
  Printf.printf "the extracted checker and brute force agree on %d certificates of %d programs: %d complete, %d not\n"
    (!accepted + !refused) (last - first + 1) !accepted !refused

(* Certificates in the order of a tree, as searches write them and the checker in Rust wants them: of each trace the smallest execution, in
   the order of the alphabet. Then some of them are left out, cut short or changed. *)
let ordered_certificates p all =
  let smallest = Hashtbl.create 64 in
  let add u =
    let trace = Brute_force.canonical p u and u = Brute_force.schedule u in
    match Hashtbl.find_opt smallest trace with
    | Some v when v <= u -> ()
    | _ -> Hashtbl.replace smallest trace u in
  List.iter add all;
  let right = List.sort compare (Hashtbl.fold (fun _ u list -> u :: list) smallest []) in
  let n = Random.int (List.length right) in
  let one = List.nth right n in
  let step = Random.int (List.length one) in
  let changed = (Random.int (List.length p.code), Random.int 2) in
  ( right,
    [ right;
      without n right;
      without (Random.int (List.length right)) right;
      List.filter (fun _ -> Random.bool ()) right;
      List.filter (fun _ -> Random.int 8 > 0) right;
      replace n (without (List.length one - 1) one) right;
      replace n (without step one) right;
      replace n (replace step changed one) right ] )

let print_certificates first last =
  for number = first to last do
    let p, all = Random_programs.numbered number in
    Printf.printf "program %s\n" (Tables.litmus p);
    let print schedules = List.iter print_endline ("certificate" :: List.map Tables.schedule schedules @ [ "end" ]) in
    List.iter print (snd (ordered_certificates p all))
  done

let compare_verdicts first last file =
  let verdicts = ref (lines_of file) and accepted = ref 0 and refused = ref 0 in
  let next () = match !verdicts with [] -> failwith "a verdict is missing" | v :: rest -> verdicts := rest; v in
  for number = first to last do
    let p, all = Random_programs.numbered number in
    let right, certificates = ordered_certificates p all in
    List.iter
      (fun schedules ->
        let ours = check_schedules p schedules and theirs = next () = "complete" in
        incr (if ours then accepted else refused);
        (* What is complete but not in the order of a tree may be refused. *)
        if ours <> theirs && (theirs || schedules = right) then
          report (if ours then "this is refused only by the other checker" else "this is accepted only by the other checker") p schedules)
      certificates
  done;
  if !verdicts <> [] then failwith "there are too many verdicts";
  Printf.printf "the extracted checker and the checker in Rust agree on %d certificates of %d programs: %d complete, %d not\n"
    (!accepted + !refused) (last - first + 1) !accepted !refused

let () =
  match Array.to_list Sys.argv with
  | [ _; "check"; file ] -> check file
  | [ _; "self-test"; first; last ] -> self_test (int_of_string first) (int_of_string last)
  | [ _; "certificates"; first; last ] -> print_certificates (int_of_string first) (int_of_string last)
  | [ _; "compare"; first; last; file ] -> compare_verdicts (int_of_string first) (int_of_string last) file
  | _ ->
    prerr_endline "usage: second check FILE | self-test FIRST LAST | certificates FIRST LAST | compare FIRST LAST FILE";
    exit 2
