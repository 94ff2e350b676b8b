//! Races that one execution settles must be settled in all of them: what is overlooked shows in some orders only.

use mazurka_core::{Algorithm, Order};
use mazurka_laboratory::litmus::check_text;
use mazurka_laboratory::promela::check;

/// As a later event, or as a weak initial.
const LATER: &str = "p0:[l=x] p1:[l=x] p2:[x=0] p3:[l=y] p4:[y=0] p5:[y=0]";

/// As an inner node of a wakeup tree.
const INNER: &str = "init a[2]; p0:[l=a[1]] p1:[a[1]=0][a[1]=0] p2:[a[0]=z] p3:[z=0] p4:[l=a[0]; l=a[1]] p5:[l=a[0]]";

/// The same where processes wait for what is written.
const GUARDED: &str = "p0:[await x==0; l=y] p1:[x=1] p2:[y=1] p3:[await y==0; l=x] p4:[x=0]";

fn in_many_orders(algorithm: &str, program: &str, orders: u64) {
    for seed in 0..orders {
        check_text(algorithm, Order::Random(seed), program);
    }
}

/// Programs with orders in which a trace was lost by settling too much.
#[test]
fn nothing_is_settled_too_early() {
    for (order, program) in [
        (
            Order::Random(993_530),
            "init x=0, y=0; p0:[l=x] p1:[l=x] p2:[x=0] p3:[l=y] k0:[y=0] k1:[y=0]",
        ),
        (
            Order::Fifo,
            "init x=0, z=0, a[2]; p0:[l=a[1]] p1:[a[1]=0][a[1]=0] p2:[a[l%2]=z] p3:[z=0] p4:[l=x; l=a[l%2]] p5:[l=a[l%2]]",
        ),
        (Order::Random(1044), "p0:[x=0] p1:[l=x] p2:[y=0] p3:[l=y; l=x] p4:[l=y]"),
        (
            Order::Random(870_807),
            "init x=0, w=0; p0:[] p1:[x=0] p2:[w=1] p3:[await w==1; spawn k0] p4:[x=0] p5:[w += 1] k0:[l=x]",
        ),
    ] {
        check_text("optimal", order, program);
    }
}

#[test]
fn alternatives_that_sleep_or_are_disabled_race_too() {
    for (order, program) in [
        (
            Order::Random(39_201),
            "init y=0, a[2]; p0:[choose l 2; a[l%2]=y] p1:[a[l%2]=0; y=0] k0:[choose l 2; l=a[l%2]]",
        ),
        (
            Order::Random(612_726),
            "init z=0, x=0; p0(l=0):[if (z) l=x] p1(l=0):[choose l 2; await x!=l; if (l) z=0] p2:[spawn k0] p3:[z=0] k0:[x=1]",
        ),
    ] {
        check_text("source", order, program);
        in_many_orders("source", program, 20);
    }
}

#[test]
fn what_covers_a_race_later_need_not_cover_it_next_time() {
    in_many_orders("optimal", LATER, 60);
}

#[test]
fn what_covers_a_race_later_need_not_cover_it_next_time_for_observers() {
    in_many_orders("optimal+observers", LATER, 60);
}

#[test]
fn an_inner_node_of_a_wakeup_tree_covers_nothing_by_itself() {
    in_many_orders("optimal", INNER, 40);
}

#[test]
fn what_covers_a_guard_need_not_cover_it_next_time() {
    in_many_orders("optimal", GUARDED, 60);
    in_many_orders("source", GUARDED, 30);
}

#[test]
fn a_way_that_is_gone_could_have_been_taken_before() {
    let at_once = "byte y = 1; chan h = [0] of { byte };
         active proctype P0() { atomic { if :: skip :: h!0; y = 0 fi; if :: skip :: (y) fi } }
         byte z; active proctype P1() { assert(y); y = 0 } active proctype P2() { z = 1 }";
    let after_a_step = "byte y = 1; byte w; chan h = [0] of { byte };
         active proctype P0() { w = 1; atomic { if :: skip :: h!0; y = 0 fi; if :: skip :: (y) fi } }
         active proctype P1() { assert(y); y = 0 }";
    let algorithms = ["source", "optimal"].map(|name| Algorithm::parse(name).expect("an algorithm"));
    for model in [at_once, after_a_step] {
        for seed in 0..30 {
            check(model, &algorithms, Order::Random(seed)).unwrap_or_else(|difference| panic!("order {seed}: {difference}"));
        }
    }
}
