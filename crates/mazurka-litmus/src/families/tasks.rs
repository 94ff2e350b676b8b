//! Programs of tasks that start tasks: the actor programs of the papers with each actor's fields as shared variables.
//!
//! A task that one actor posts to another is a process spawned by the posting step; what it does to the actor is one atomic step.

use super::counts::{factorial, power_of_two};
use super::{Build, Family, n};
use crate::model::{Array, Expr, Model, Statement, Then, Var, when};

pub(super) fn families() -> Vec<Family> {
    vec![
        Family {
            name: "tasks-fib",
            about: "CAV'17 Fib(n): a tree of tasks, each adds its two children's results in the order they arrive (base: n <= 2)",
            parameters: const { &[n(5, 1, 12, "which Fibonacci number")] },
            traces: Some(|v| power_of_two(inner_nodes(&fib_tree(v[0])) as i64)),
            observed: Some(|v| power_of_two(inner_nodes(&fib_tree(v[0])) as i64)),
            build: Build::Model(|v| tree_of_tasks(&fib_tree(v[0]))),
        },
        Family {
            name: "tasks-msort",
            about: "CAV'17 MSort(n): n elements split in halves down to one, results merged in the order they arrive",
            parameters: const { &[n(5, 1, 24, "elements")] },
            traces: Some(|v| power_of_two(v[0] - 1)),
            observed: Some(|v| power_of_two(v[0] - 1)),
            build: Build::Model(|v| tree_of_tasks(&sort_tree(0, v[0]))),
        },
        Family {
            name: "tasks-qsort",
            about: "CAV'17 QSort(n): the first of n elements splits the others in two lists (the published list is not known, this is a natural one)",
            parameters: const { &[n(5, 1, QUICK.len() as i64, "elements")] },
            traces: Some(|v| power_of_two(v[0] - 1)),
            observed: Some(|v| power_of_two(v[0] - 1)),
            build: Build::Model(|v| tree_of_tasks(&quick_tree(&QUICK[..v[0] as usize]))),
        },
        Family {
            name: "tasks-pi",
            about: "CAV'17 Pi(n): n workers each post a partial sum to the master",
            parameters: const { &[n(4, 1, 20, "workers")] },
            traces: Some(|v| factorial(v[0])),
            observed: Some(|v| factorial(v[0])),
            build: Build::Model(|v| pi(v[0])),
        },
        Family {
            name: "tasks-psort",
            about: "CAV'17 PSort(n): a pipeline whose stages keep the smaller number and push the other on",
            parameters: const { &[n(3, 1, 10, "numbers")] },
            traces: Some(|v| (1..=v[0]).try_fold(1u128, |p, k| p.checked_mul(factorial(k)?))),
            observed: Some(|v| (1..=v[0]).try_fold(1u128, |p, k| p.checked_mul(factorial(k)?))),
            build: Build::Model(|v| pipeline_sort(v[0])),
        },
        Family {
            name: "tasks-reg1",
            about: "n workers each post a registration to a registry whose state is a set",
            parameters: const { &[n(4, 1, 20, "workers")] },
            traces: Some(|v| factorial(v[0])),
            observed: Some(|v| factorial(v[0])),
            build: Build::Model(|v| registry(v[0], false)),
        },
        Family {
            name: "tasks-reg2",
            about: "CAV'17 Reg(n): workers post `reg` to the registry and `own0` to their actor, `reg` posts `own1` there",
            parameters: const { &[n(3, 1, 20, "workers")] },
            traces: Some(|v| factorial(v[0])?.checked_mul(power_of_two(v[0])?)),
            observed: Some(|v| factorial(v[0])?.checked_mul(power_of_two(v[0])?)),
            build: Build::Model(|v| registry(v[0], true)),
        },
        Family {
            name: "spawn-tree",
            about: "a binary tree of processes of depth n whose leaves read x, and a writer of x",
            parameters: const { &[n(2, 0, 6, "depth")] },
            traces: Some(|v| power_of_two(1 << v[0])),
            observed: Some(|v| power_of_two(1 << v[0])),
            build: Build::Model(|v| spawn_tree(v[0])),
        },
    ]
}

/// A task that is done at once with a result, or starts two others.
enum Tree {
    Leaf(i32),
    Inner(Box<Tree>, Box<Tree>),
}

fn fib_tree(n: i64) -> Tree {
    if n <= 2 {
        Tree::Leaf(1)
    } else {
        Tree::Inner(Box::new(fib_tree(n - 1)), Box::new(fib_tree(n - 2)))
    }
}

/// A list is the set of its elements, one bit each: merging two lists is adding two such sets.
fn sort_tree(from: i64, length: i64) -> Tree {
    if length == 1 {
        return Tree::Leaf(1 << from);
    }
    let half = length / 2;
    Tree::Inner(Box::new(sort_tree(from, half)), Box::new(sort_tree(from + half, length - half)))
}

/// What is sorted quickly: the list of FORTE'14, and then some.
const QUICK: [i32; 15] = [7, 2, 5, 1, 3, 9, 13, 14, 4, 11, 6, 15, 8, 12, 10];

/// The head splits the list; it goes to the larger ones, or to the smaller ones if there are none. Lists are sets, as above.
fn quick_tree(list: &[i32]) -> Tree {
    let [pivot, rest @ ..] = list else { return Tree::Leaf(0) };
    if rest.is_empty() {
        return Tree::Leaf(1 << pivot);
    }
    let (mut smaller, mut larger): (Vec<i32>, Vec<i32>) = rest.iter().partition(|x| *x < pivot);
    if smaller.is_empty() {
        smaller.push(*pivot);
    } else {
        larger.push(*pivot);
    }
    Tree::Inner(Box::new(quick_tree(&smaller)), Box::new(quick_tree(&larger)))
}

fn inner_nodes(tree: &Tree) -> usize {
    match tree {
        Tree::Leaf(_) => 0,
        Tree::Inner(a, b) => 1 + inner_nodes(a) + inner_nodes(b),
    }
}

/// Every inner node has a count of results and their sum; the second result is passed on to the parent.
fn tree_of_tasks(tree: &Tree) -> Model {
    let mut m = Model::new();
    let result = m.var("result", 0);
    let nodes = inner_nodes(tree).max(1);
    let (arrived, sum) = (m.array("arrived", nodes, 0), m.array("sum", nodes, 0));
    let mut done = m.process("done");
    let value = done.local("value", 0);
    done.step([result.set(value)]);
    let done = done.index();
    let mut next = 0;
    let root = task(&mut m, tree, done, (arrived, sum), &mut next);
    m.process("main").step([Statement::Spawn(root, Vec::new())]);
    m
}

/// Adds the bodies of a task and its children; results go to the body `parent`. Returns the body of the task.
fn task(m: &mut Model, tree: &Tree, parent: usize, fields: (Array, Array), next: &mut i32) -> usize {
    let name = m.bodies().len();
    match tree {
        Tree::Leaf(value) => {
            let mut leaf = m.process(format!("leaf{name}"));
            leaf.step([Statement::Spawn(parent, vec![(*value).into()])]);
            leaf.index()
        }
        Tree::Inner(left, right) => {
            let (node, (arrived, sum)) = (*next, fields);
            *next += 1;
            let mut res = m.process(format!("res{name}"));
            let value = res.local("value", 0);
            res.step([
                when(arrived.at(node).is(0), [arrived.at(node).set(1), sum.at(node).set(value)]).otherwise([
                    sum.at(node).increase(value),
                    arrived.at(node).set(2),
                    Statement::Spawn(parent, vec![sum.at(node).into()]),
                ]),
            ]);
            let res = res.index();
            let left = task(m, left, res, fields, next);
            let right = task(m, right, res, fields, next);
            let mut inner = m.process(format!("node{name}"));
            inner.step([Statement::Spawn(left, Vec::new()), Statement::Spawn(right, Vec::new())]);
            inner.index()
        }
    }
}

fn pi(n: i64) -> Model {
    let mut m = Model::new();
    let (sum, count) = (m.var("sum", 0), m.var("count", 0));
    let mut res = m.process("res");
    let value = res.local("value", 0);
    res.step([sum.increase(value), count.increase(1)]);
    let res = res.index();
    for i in 1..=n as i32 {
        m.process(format!("worker{i}")).step([Statement::Spawn(res, vec![Expr::Int(i)])]);
    }
    m
}

fn pipeline_sort(n: i64) -> Model {
    let mut m = Model::new();
    let stage = m.array("stage", n as usize, 0);
    // The number at place k of a run through 1..n that is far from sorted.
    let numbers: Vec<i32> = (0..n).map(|k| (k * 7 + 3) % 11 + 1).map(|v| v as i32).collect();
    for k in 0..n as i32 {
        let mut push = m.process(format!("push{k}"));
        let value = push.local("value", 0);
        let kept = || stage.at(k);
        let on = push.index() + 1;
        let occupied = if k + 1 < n as i32 {
            when(value.less(kept()), [Statement::Spawn(on, vec![kept().into()]), kept().set(value)])
                .otherwise([Statement::Spawn(on, vec![value.into()])])
        } else {
            kept().is(0).check_or("the last stage gets one number only")
        };
        push.step([when(kept().is(0), [kept().set(value)]).otherwise([occupied])]);
    }
    let feed: Vec<Statement> = numbers.iter().map(|v| Statement::Spawn(0, vec![(*v).into()])).collect();
    m.process("feeder").step(feed);
    m
}

fn registry(n: i64, own: bool) -> Model {
    let mut m = Model::new();
    let registered = m.var("registered", 0);
    let actor = own.then(|| m.array("actor", n as usize, 0));
    for i in 0..n as i32 {
        let register = |registered: Var| registered.increase(1 << i);
        let mut reg = m.process(format!("reg{i}"));
        let mut posts = vec![Statement::Spawn(reg.index(), Vec::new())];
        match actor {
            None => {
                reg.step([register(registered)]);
            }
            Some(actor) => {
                let (own0, own1) = (reg.index() + 1, reg.index() + 2);
                reg.step([register(registered), Statement::Spawn(own1, Vec::new())]);
                m.process(format!("own0_{i}")).step([actor.at(i).increase(1)]);
                m.process(format!("own1_{i}")).step([actor.at(i).increase(2)]);
                posts.push(Statement::Spawn(own0, Vec::new()));
            }
        }
        m.process(format!("worker{i}")).step(posts);
    }
    m
}

fn spawn_tree(depth: i64) -> Model {
    let mut m = Model::new();
    m.set_bounded(true);
    let x = m.var("x", 0);
    m.process("writer").step([x.set(1)]);
    let mut node = m.process("node");
    let (left, l) = (node.local("left", 0), node.local("l", 0));
    let children = || Statement::Spawn(1, vec![left - 1]);
    node.step([when(left.is(0), []).otherwise([children(), children(), crate::model::end()])])
        .step([l.set(x)]);
    m.process("root").step([Statement::Spawn(1, vec![(depth as i32).into()])]);
    m
}
