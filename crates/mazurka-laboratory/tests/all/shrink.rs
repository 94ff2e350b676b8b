//! The shrinker makes every construct smaller for as long as what it is about stays.

use mazurka_laboratory::litmus::shrink;
use mazurka_litmus::text;

/// A program with a bit of everything.
const PROGRAM: &str = "bounded; init a[3]={1,2,3}, x=5;
    p0(i=2): #top[choose l 7; await x==5 && a[l%2]!=9; if (l==1) {y=1; a[a[i]]=x/2} else z=2] [i=i-1; if (i>0) goto top]
    p1:[lock m; spawn k(x+1, 3)][unlock m; assert x==5 \"five\"]
    k(n=0, o=0):[y @+ n*2]";

fn shrunk(to: &str) -> String {
    let model = text::parse("program", PROGRAM).unwrap_or_else(|e| panic!("{e}"));
    shrink(&model, |m| m.to_string().contains(to)).to_string()
}

#[test]
fn every_construct_gets_smaller() {
    assert_eq!(shrunk("choose"), "p0(l=0):[choose l 1]\n");
    assert_eq!(shrunk("a[a["), "init a[1];\np0:[a[a[0]]=0]\n");
    assert_eq!(shrunk("spawn k("), "p1:[spawn k(0)]\nk(n=0):[]\n");
    assert_eq!(shrunk("@+"), "init y=0;\nk:[y @+ 0]\n");
    assert_eq!(shrunk("goto"), "p0: #top[goto top]\n");
    assert_eq!(shrunk("[lock"), "init m=0;\np1:[lock m]\n");
}
