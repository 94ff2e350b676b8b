//! The dialect of 2014: `new cog`, truncating division, `~`, and traits of today's.

use crate::run::common::{explore, model, prints, run};
use mazurka_abs::model::Options;

#[test]
fn in_the_old_dialect_plain_new_stays_in_the_cog() {
    let text = "
        module M;
        interface I { Int go(); Int one(); }
        class C implements I {
            Int n = 0;
            Int go() { I helper = new D(this); Int r = helper.one(); return r + n; }
            Int one() { n = 100; return 7 / 2; }
        }
        class D(I owner) implements I { Int go() { return 0; } Int one() { Int r = owner.one(); return r; } }
        { I o = new cog C(); Fut<Int> f = o!go(); Int r = f.get; Bool b = ~(r == 103); println(toString(r)); println(toString(b)); }";
    let machine = model(text, &Options::default());
    assert_eq!(run(&machine), ("103\nFalse\n".to_owned(), None));
    assert!(explore(&machine, "optimal").failures.is_empty());
}

#[test]
fn traits_are_flattened() {
    let classes = "
        interface I { Int f(); Int g(); }
        trait T = { Int f() { return 1; } Int g() { Int r = this.f(); return r * 10; } }
        trait U = T modifies Int f() { Int o = original(); return o + 1; }
        class C implements I { uses U; }";
    assert_eq!(prints(classes, "I o = new C(); Int r = await o!g(); println(toString(r));"), "20\n");
}
