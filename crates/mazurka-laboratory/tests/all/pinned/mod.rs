//! What every front end tells the searches about fixed random programs, and how much every algorithm then explores, as tables.
//!
//! The other tests ask whether all is *right*; these whether it is as *precise* as it was: a footprint that grows, a hash that mixes less or a
//! reversal too many breaks no promise, but costs. A change that is meant is accepted with `INSTA_UPDATE=always`.

mod programs;
mod searched;
mod told;

use programs::{abs, actors, litmus, promela};
use searched::{Searched, stateful};
use told::Told;

#[test]
fn what_litmus_programs_tell() {
    let mut told = Told::default();
    litmus(240, |machine| told.walk(machine));
    insta::assert_snapshot!(told);
}

#[test]
fn what_promela_models_tell() {
    let mut told = Told::default();
    promela(240, |model| told.walk(model));
    insta::assert_snapshot!(told);
}

#[test]
fn what_abs_models_tell() {
    let mut told = Told::default();
    abs(160, |machine| told.walk(machine));
    insta::assert_snapshot!(told);
}

#[test]
fn what_actors_tell() {
    let mut told = Told::default();
    actors(240, |system| told.walk(system));
    insta::assert_snapshot!(told);
}

#[test]
fn how_much_is_explored_of_litmus_programs() {
    let mut searched = Searched::default();
    litmus(45, |machine| searched.explore(machine));
    insta::assert_snapshot!(searched);
}

#[test]
fn how_much_is_merged_of_litmus_programs() {
    let mut searched = Searched::default();
    litmus(60, |machine| searched.merge(machine));
    insta::assert_snapshot!(searched);
}

#[test]
fn how_many_states_of_litmus_programs_are_stored() {
    let mut searched = Searched::default();
    litmus(120, |machine| stateful(machine, &mut searched));
    insta::assert_snapshot!(searched);
}

#[test]
fn how_much_is_explored_of_promela_models() {
    let mut searched = Searched::default();
    promela(12, |model| searched.explore(model));
    insta::assert_snapshot!(searched);
}

#[test]
fn how_many_states_of_promela_models_are_stored() {
    let mut searched = Searched::default();
    promela(80, |model| stateful(model, &mut searched));
    insta::assert_snapshot!(searched);
}

#[test]
fn how_much_is_explored_of_abs_models() {
    let mut searched = Searched::default();
    abs(14, |machine| searched.explore(machine));
    insta::assert_snapshot!(searched);
}

#[test]
fn how_much_is_explored_of_actors() {
    let mut searched = Searched::default();
    actors(45, |system| searched.explore(system));
    insta::assert_snapshot!(searched);
}
