//! Programs on which published algorithms, or tempting shortcuts, miss executions. Every sound algorithm is tested on each.

use super::{Build, Family};

/// A program with the reason why it is here.
#[derive(Clone, Copy, Debug)]
pub struct Counterexample {
    /// As in `litmus:NAME`.
    pub name: &'static str,
    /// Which algorithm loses what on it, and why.
    pub about: &'static str,
    /// The program in the notation of [`crate::text`].
    pub text: &'static str,
}

const fn example(name: &'static str, text: &'static str, about: &'static str) -> Counterexample {
    Counterexample { name, about, text }
}

/// All of them.
pub const CORPUS: &[Counterexample] = &[
    example(
        "C1",
        "p0:[if(x==1)y=x] p1:[l=y] p2:[][x=1]",
        "persistent sets that treat only the last race (POPL'05 assumes one object per transition)",
    ),
    example("C1b", "p0:[x=0] p1:[y=2] p2:[await y>=2; x=0]", "as C1, with a guard"),
    example(
        "C2",
        "p0:[x=2] p1:[y=x] p2:[l=x][l=y]",
        "persistent sets with sleep sets: the backtrack set gets a process that sleeps there",
    ),
    example(
        "C3",
        "p0:[z=1] p1:[if(z==1)y=0 else l=x] p2:[l=z][x=1]",
        "source sets with dynamic footprints: what a step touches differs once it is reversed",
    ),
    example(
        "C3s",
        "p0:[z=1] p1:[if(z==1)y=0 else l=x] p2:[l=z][x=1]",
        "C3 with static footprints, where source sets lose nothing",
    ),
    example(
        "C4",
        "p0:[x=1;l=z] p1:[x=1;y=1] p2:[y=2] p3:[z=1]",
        "CAV'17: races of the step that is put to sleep against the past are never detected",
    ),
    example(
        "C5",
        "init y=1; p0:[l=x;if(l==0)l=y] p1:[x=2] p2:[x=0][y+=2]",
        "CAV'17 with dynamic footprints: races of later steps with the sleeping one are lost",
    ),
    example(
        "C6",
        "p0:[z=0][] p1:[l=z][z=1]",
        "CAV'17 anticipating cuts: later steps race with other events of the sequence",
    ),
    example(
        "C6b",
        "p0:[x=1][y=0] p1:[l=y][l=x]",
        "CAV'17 anticipating cuts, even when the whole sequence is compared",
    ),
    example("C7", "init x=1; p0:[z=x][z+=1] p1:[z=2] p2:[x=0]", "CAV'17 cuts by state: as C4"),
    example(
        "C8",
        "p0:[y=2] p1:[if(y==2)y=2 else x=l] p2:[x=1]",
        "ISSTA'19: a wakeup sequence that is too small counts as redundant",
    ),
    example(
        "C8s",
        "p0:[y=2] p1:[l=y] p2:[][l=y][x=2] p3:[l=x]",
        "C8 without branches; also: a race excused by any weak initial",
    ),
    example(
        "C9",
        "p0:[y=x][y=5] p1:[x=2] p2:[l=y]",
        "ISSTA'19: equality is tested later than what is forbidden",
    ),
    example(
        "C10",
        "p0:[x=1] p1:[assert x!=2] p2:[x+=1][l=x][x=2]",
        "ISSTA'19: a sequence absorbed by a leaf that is cut later",
    ),
    example(
        "C10b",
        "p0:[l=z][] p1:[z=z][z=2] p2:[][z=1]",
        "ISSTA'19: race detection puts the forbidden step into the sequence",
    ),
    example(
        "C11",
        "p0:[x=1] p1:[x=2][l=x;l=y][l=x]",
        "ISSTA'19 with observers: equal effect on the minimal observers is no congruence",
    ),
    example("C12", "p0:[y=1] p1:[await y!=1]", "race detection that ignores blocked processes"),
    example(
        "C13",
        "p0:[x=2][await x>=2] p1:[x=1]",
        "observers without the rule for guards: a blocked await observes",
    ),
    example(
        "C17",
        "p0:[x=1;z=1] p1:[x=2;w=1] p2:[await z==1&&w==1; if(y==1)x=3][l=x]",
        "observers: a write that may not happen must count as a read",
    ),
    example(
        "await-end",
        "p0:[x=l][x=0] p1:[x=1][await x!=1]",
        "observers: pending awaits that observe only the end",
    ),
    example(
        "await-polls",
        "p0:[x=0][x=2] p1:[await x>=2] p2:[x=2;spawn k] k:[x=1;l=x]",
        "observers: awaits as polls at every prefix",
    ),
    example(
        "await-body",
        "init y=1; p0:[await y==1; x=1] p1:[y=x] p2:[l=x]",
        "the polynomial rule for disabled steps when it ignores the body",
    ),
    example(
        "await-variables",
        "p0:[][][x=2] p1:[][l=z] p2:[await x==z] p3:[await x!=2; z=1]",
        "disabled steps re-examined only when guard variables change",
    ),
    example(
        "dnd-observed",
        "p0:[x=2;l=x][x=1][l=x] p1:[x=2]",
        "ISSTA'19 inheritance with the observers' happens-before",
    ),
    example(
        "C18",
        "p0:[z=0; x=w] p1:[w=1] p2:[z=1][l=x] p3:[x=0]",
        "context sensitivity that forgets what would follow a skipped step (some orders)",
    ),
    example(
        "C19",
        "init x=0, a[2]; p0:[l=x][l=a[l%2]] p1:[a[1]=x] p2:[x=1]",
        "context sensitivity that trusts the footprints of steps run after other values were read",
    ),
    example(
        "C19b",
        "init y=1, a[2]; p0:[l=y][l=a[l%2]] p3:[a[0]=1] p4:[y=0]",
        "ISSTA'19: what followed a race is put before its reversal without comparing states again (some orders)",
    ),
    example(
        "C20",
        "init z=0, x=0; p0(l=0):[if (z) l=x] p1(l=0):[choose l 2; await x!=l; if (l) z=0] p2:[spawn k0] p3:[z=0] k0:[x=1]",
        "Source-DPOR: an alternative that was disabled when another was taken races with what follows (some orders)",
    ),
    example(
        "Y0",
        "p0:[z=1; x=w] p1:[x=2; y=1] p2:[x=1][w=1] p3:[await y==1; l=z; z=2][await w==1; if(l==0) spawn k0] p4:[x=0] p5:[w+=1] k0:[l=x]",
        "merging: what a woken state passes on to sleep",
    ),
    example(
        "Y1",
        "p0:[z=1] p1:[x=2;y=1] p2:[x=1][w=1] p3:[await y==1; l=z][await w==1; if(l==0) spawn k] k:[l=x]",
        "merging: groups of blind writes, first wrong version",
    ),
    example(
        "Y3",
        "p0:[z=1] p1:[x=2;y=1] p2:[x=1][w=1] p3:[await y==1; l=z][await w==1; if(l==0) spawn k] p4:[assert y!=1] k:[l=x]",
        "merging: groups of blind writes, second wrong version",
    ),
    example("merge-cones", "p0:[x=0] p1:[][x=1]", "merging without cones"),
    example(
        "merge-guards",
        "p0:[x=1][x=2] p1:[x=y][][await x!=0; x=1]",
        "merging: guards observed only at visited nodes",
    ),
    example(
        "merge-copies",
        "a:[z=1] b:[choose l 2; y=l] d:[x=y][await x==1; l=z]",
        "merging: what is copied to where a guard reads taken for something that no guard sees",
    ),
    example(
        "merge-copies-b",
        "a:[z=1] e:[w=1] b:[l=w][y=l] d:[x=y][await x==1; l=z]",
        "as merge-copies, without a choice",
    ),
    example(
        "merge-dynamic",
        "p0:[x=1] p1:[spawn k1][if(x==0)l=y] k1:[l=x][y=1]",
        "merging: rule ONE or sleep sets with dynamic footprints",
    ),
    example(
        "merge-commuting",
        "b:[x+=1] c:[x+=1] p:[if(x>=2)y=1]",
        "merging: commuting steps dropped from cones",
    ),
    example(
        "css-dynamic",
        "p0:[if(z==1)l=x] p1:[z=1] p2:[spawn k0] p3:[z+=1] k0:[x=1]",
        "CAV'17 with summaries, dynamic footprints and spawning",
    ),
    example(
        "ac-delta",
        "p0:[x@+2][await x>=2; y=1] p1:[y=0]",
        "accumulates: a guard's effects must add up",
    ),
    example(
        "ac-shift",
        "p0:[x=1;y@+1] p1:[x=0;y@+1] p2:[await y>=2; x@+1][assert x!=2]",
        "accumulates: observed tests must be shifted",
    ),
    example(
        "choice-footprints",
        "p0:[choose l 3; if (l==2) x=1 else y=l] p1:[l=x] p2:[assert y!=1]",
        "an alternative of a choice with the footprint of another one",
    ),
    example(
        "choice-footprints-b",
        "p0:[choose l 3; if (l==2) x=1 else y=1] p1:[l=x] p2:[l=y]",
        "as choice-footprints, seen in the final states",
    ),
    example(
        "guard-faults",
        "p0:[await 1/x; y=1] p1:[x=1]",
        "a guard that cannot be evaluated taken for one that holds",
    ),
    example(
        "guard-faults-b",
        "init x=0, a[2], b[2]; p1:[assert a[0]==0] p0(i=2):[await b[i]!=1; a[0]=2]",
        "as guard-faults, with an index outside of an array",
    ),
    example(
        "fault-kinds",
        "init y=7, x=0, w=0, a[2]; p0:[await w==2; a[y]=1/x] p1:[x=1; w@+1] p2:[x=0; w@+1] p3:[await w==2; x=0]",
        "merging: a step that may fail in two ways, evaluated in another order than it runs",
    ),
    example(
        "index-first",
        "init y=0, a[2], b[2]; p0(l=0):[a[b[y]]=1/l] p1:[y=7]",
        "footprints that evaluate in another order than the step runs",
    ),
    example(
        "task-locals",
        "p0:[spawn k] p1:[x=1] k:[l=x]",
        "merging: what finished tasks knew, forgotten",
    ),
    example(
        "task-counters",
        "init m=0; p1(l=0):[choose l 2; if (l) {spawn k0}][spawn k0] p2:[lock m] k0:[lock m; unlock m]",
        "merging by positions: states whose later tasks have other names (some orders)",
    ),
];

pub(super) fn families() -> Vec<Family> {
    let family = |c: &Counterexample| Family {
        name: c.name,
        about: c.about,
        parameters: &[],
        traces: None,
        observed: None,
        build: Build::Text(c.text),
    };
    CORPUS.iter().map(family).collect()
}
