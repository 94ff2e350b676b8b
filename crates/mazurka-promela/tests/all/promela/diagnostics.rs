//! Messages: place, excerpt and hint.

use crate::promela::support::messages;

macro_rules! says {
    ($($name:ident: $text:expr;)*) => {
        $(#[test]
        fn $name() {
            insta::assert_snapshot!(messages($text));
        })*
    };
}

says! {
    a_misspelt_variable: "byte counter;\ninit {\n  countre = 1\n}";
    a_misspelt_process_type: "proctype worker() { skip }\ninit { run wroker() }";
    a_misspelt_label: "init {\nagain: skip;\n  goto agian\n}";
    a_misspelt_field: "typedef P { byte left; byte right }\nP p;\ninit { p.rihgt = 1 }";
    a_misspelt_type: "btye x;\ninit { skip }";
    a_misspelt_directive: "#inclde \"x.h\"\ninit { skip }";
    a_missing_separator: "byte x;\ninit {\n  x = 1 x = 2\n}";
    a_missing_end: "init {\n  do\n  :: skip\n}";
    a_missing_brace: "init {\n  skip;\n";
    a_missing_file: "#include \"nowhere.h\"\ninit { skip }";
    a_keyword_as_a_name: "byte run;\ninit { skip }";
    several_errors_at_once: "byte x;\ninit {\n  x = ;\n  y = 1;\n  if :: x fi\n}\nproctype p( { skip }";
    too_few_message_fields: "chan q = [1] of { byte, byte };\ninit { q!1 }";
    too_many_arguments: "proctype p(byte x) { skip }\ninit { run p(1, 2) }";
    a_duplicate: "byte x;\nbit x;\ninit { skip }";
    an_index_out_of_range: "byte a[3];\ninit { a[3] = 1 }";
    an_array_of_nothing: "byte a[0];\ninit { skip }";
    an_array_without_index: "byte a[3];\ninit { a = 1 }";
    a_bound_that_is_not_constant: "byte n;\nbyte a[n + 1];\ninit { skip }";
    reading_the_write_only_variable: "byte x;\ninit { x = _ }";
    run_inside_an_expression: "proctype p() { skip }\ninit { (run p()) + 1 > 0 }";
    a_bit_is_no_channel: "bit b;\ninit { b!1 }";
    parameters_that_nobody_gives_values: "active proctype p(byte x) { skip }";
    two_elses: "init { if :: else -> skip :: else -> skip fi }";
    a_break_outside_of_a_loop: "init { break }";
    jumps_in_a_circle: "init { a: goto b; b: goto a }";
    a_jump_out_of_a_d_step: "byte x; init { d_step { x = 1; goto out; x = 2 }; x = 3; out: skip }";
    a_recursive_inline: "inline f(x) { f(x) }\ninit { f(1) }";
    a_wrong_macro_call: "#define ADD(a, b) a + b\ninit { assert(ADD(1)) }";
    an_open_conditional: "#ifdef X\ninit { skip }";
    no_process: "byte x;";
    temporal_logic: "byte x;\nltl safe { [] x < 3 }\ninit { x = 1 }";
    a_never_claim: "byte x;\nnever { do :: x = 1 od }\ninit { skip }";
    a_trace_assertion: "trace { do :: skip od }\ninit { skip }";
    embedded_c: "c_code { int x; }\ninit { c_code { x = 1; }; skip }";
    progress_and_counters: "init { if :: np_ :: pc_value(0) == 1 fi }";
    priorities_with_rendezvous: "chan c = [0] of { byte };\nactive proctype p() priority 5 { c!1 }\nactive proctype q() { c?1 }";
    enabled_with_rendezvous: "chan c = [0] of { byte };\nactive proctype p() { c!1 }\nactive proctype q() { enabled(0) -> c?1 }";
    a_priority_out_of_range: "active proctype p() priority 300 { skip }";
    an_empty_option: "init { if :: :: skip fi }";
    division_by_zero: "byte x; init { x = 1 / 0 }";
    an_open_comment: "init { skip } /* never ends";
    a_number_too_large: "int x = 3000000000; init { skip }";
}

#[test]
fn a_channel_may_take_a_megabyte() {
    let model = |capacity: u32| format!("typedef R {{ byte f[6355] }} chan q = [{capacity}] of {{ R }}; init {{ skip }}");
    assert_eq!(messages(&model(165)), "");
    assert!(messages(&model(166)).contains("this channel is too large"));
}
