//! Who may call whom: the static knowledge that actor selection by temporal stability needs.
//!
//! A Rust actor declares its calls, ABS finds them by analysis; both fill a [`CallGraph`] and [`crate::stability`] reads it. A method
//! about which nothing is known is *open*: it may call every method.

use crate::locked::{locked, locked_mut};
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex};

/// A class of actors or objects, by its place in the graph.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Class(pub u32);

/// A method of a class, or a message type with its handler, by its place in the graph.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Method(pub u32);

/// How a method can come to call into a class: the chains `m → … → n` with `n` in that class whose inner methods are all different
/// (FORTE'14, Sec. 4.2).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Chains {
    /// Whether the method itself contains such a call: the chain of length two.
    pub direct: u32,
    /// The longer chains: the classes of the inner methods of each.
    pub indirect: Vec<Vec<Class>>,
}

impl Chains {
    /// Whether there is no chain at all.
    pub fn is_empty(&self) -> bool {
        self.direct == 0 && self.indirect.is_empty()
    }
}

/// More chains than this between a method and a class say nothing new, but their number can be exponential.
const MOST_CHAINS: usize = 512;

/// Classes, their methods, and which method may call which.
///
/// ```
/// use mazurka_core::CallGraph;
/// let mut graph = CallGraph::default();
/// let (worker, registry) = (graph.class("Worker"), graph.class("Registry"));
/// let (boot, register) = (graph.method(worker, "boot"), graph.method(registry, "register"));
/// graph.close(boot);
/// graph.close(register);
/// graph.call(boot, register);
/// assert_eq!(graph.chains(boot, registry).direct, 1);
/// assert!(graph.chains(register, worker).is_empty());
/// ```
#[derive(Debug, Default)]
pub struct CallGraph {
    classes: Vec<String>,
    methods: Vec<Node>,
    by_name: FxHashMap<(Class, String), Method>,
    chains: Mutex<FxHashMap<(Method, Class), Arc<Chains>>>,
}

#[derive(Debug)]
struct Node {
    class: Class,
    calls: Vec<Method>,
    open: bool,
}

impl CallGraph {
    /// Adds a class.
    pub fn class(&mut self, name: &str) -> Class {
        self.classes.push(name.to_owned());
        Class(self.classes.len() as u32 - 1)
    }

    /// The method of that name, added as an open one if it is new.
    pub fn method(&mut self, class: Class, name: &str) -> Method {
        if let Some(&known) = self.by_name.get(&(class, name.to_owned())) {
            return known;
        }
        let method = Method(self.methods.len() as u32);
        self.methods.push(Node {
            class,
            calls: Vec::new(),
            open: true,
        });
        self.by_name.insert((class, name.to_owned()), method);
        locked_mut(&mut self.chains).clear();
        method
    }

    /// The method of that name, if it is known.
    pub fn find(&self, class: Class, name: &str) -> Option<Method> {
        self.by_name.get(&(class, name.to_owned())).copied()
    }

    /// Says that all calls of `method` are those given to [`CallGraph::call`].
    pub fn close(&mut self, method: Method) {
        self.methods[method.0 as usize].open = false;
        locked_mut(&mut self.chains).clear();
    }

    /// Says that `from` may call `to`.
    pub fn call(&mut self, from: Method, to: Method) {
        let calls = &mut self.methods[from.0 as usize].calls;
        if !calls.contains(&to) {
            calls.push(to);
            locked_mut(&mut self.chains).clear();
        }
    }

    /// Whether nothing is known about the calls of `method`.
    pub fn is_open(&self, method: Method) -> bool {
        self.methods[method.0 as usize].open
    }

    /// The class of a method.
    pub fn class_of(&self, method: Method) -> Class {
        self.methods[method.0 as usize].class
    }

    /// The name of a class.
    pub fn class_name(&self, class: Class) -> &str {
        &self.classes[class.0 as usize]
    }

    /// Whether `from` may call `to` itself.
    pub fn calls(&self, from: Method, to: Method) -> bool {
        let node = &self.methods[from.0 as usize];
        node.open || node.calls.contains(&to)
    }

    /// The classes that `from` may call into itself; `None` if any.
    pub fn called_classes(&self, from: Method) -> Option<Vec<Class>> {
        let node = &self.methods[from.0 as usize];
        if node.open {
            return None;
        }
        let mut classes: Vec<Class> = node.calls.iter().map(|&m| self.class_of(m)).collect();
        classes.sort_unstable();
        classes.dedup();
        Some(classes)
    }

    /// The classes that `from`, and whatever comes of its calls, may call into; `None` if any.
    pub fn classes_after(&self, from: Method) -> Option<Vec<Class>> {
        let mut classes = Vec::new();
        let mut reached = vec![from];
        let mut next = 0;
        while let Some(&method) = reached.get(next) {
            next += 1;
            let node = &self.methods[method.0 as usize];
            if node.open {
                return None;
            }
            for &to in &node.calls {
                classes.push(self.class_of(to));
                if !reached.contains(&to) {
                    reached.push(to);
                }
            }
        }
        classes.sort_unstable();
        classes.dedup();
        Some(classes)
    }

    /// The chains from a method into a class.
    pub fn chains(&self, from: Method, into: Class) -> Arc<Chains> {
        if let Some(known) = locked(&self.chains).get(&(from, into)) {
            return Arc::clone(known);
        }
        let mut found = Chains::default();
        self.extend(from, into, &mut Vec::new(), &mut found);
        let found = Arc::new(found);
        locked(&self.chains).insert((from, into), Arc::clone(&found));
        found
    }

    fn extend(&self, at: Method, into: Class, inner: &mut Vec<Method>, found: &mut Chains) {
        let node = &self.methods[at.0 as usize];
        let everything: Vec<Method>;
        let next: &[Method] = if node.open {
            everything = (0..self.methods.len() as u32).map(Method).collect();
            &everything
        } else {
            &node.calls
        };
        for &to in next {
            if found.indirect.len() >= MOST_CHAINS {
                return;
            }
            if self.class_of(to) == into {
                match inner.len() {
                    0 => found.direct += 1,
                    _ => found.indirect.push(inner.iter().map(|&m| self.class_of(m)).collect()),
                }
            }
            if !inner.contains(&to) {
                inner.push(to);
                self.extend(to, into, inner, found);
                inner.pop();
            }
        }
        if node.open && inner.is_empty() {
            // Methods that were never named may exist in the class too.
            found.direct = found.direct.max(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// FORTE'14 Fig. 5: `fib` calls `fib` and `res`, `res` calls `res`.
    #[test]
    fn chains_of_the_distributed_fibonacci() {
        let mut graph = CallGraph::default();
        let class = graph.class("Fib");
        let (fib, res) = (graph.method(class, "fib"), graph.method(class, "res"));
        graph.close(fib);
        graph.close(res);
        for (from, to) in [(fib, fib), (fib, res), (res, res)] {
            graph.call(from, to);
        }
        let chains = graph.chains(res, class);
        assert_eq!(
            (chains.direct, chains.indirect.len()),
            (1, 1),
            "res → res and res → res → res (Example 4)"
        );
        let chains = graph.chains(fib, class);
        // fib→fib, fib→res; through fib: →fib, →res; through fib, res: →res; through res: →res.
        assert_eq!((chains.direct, chains.indirect.len()), (2, 4));
    }

    #[test]
    fn what_comes_of_a_call_is_known_unless_some_method_on_the_way_is_open() {
        let mut graph = CallGraph::default();
        let (a, b, c) = (graph.class("A"), graph.class("B"), graph.class("C"));
        let (m, n, o) = (graph.method(a, "m"), graph.method(b, "n"), graph.method(c, "o"));
        [m, n].into_iter().for_each(|method| graph.close(method));
        graph.call(m, n);
        graph.call(n, m);
        assert_eq!(graph.classes_after(m), Some(vec![a, b]));
        graph.call(n, o);
        assert_eq!(graph.classes_after(m), None);
        graph.close(o);
        assert_eq!(graph.classes_after(m), Some(vec![a, b, c]));
        assert_eq!(graph.classes_after(o), Some(vec![]));
    }

    #[test]
    fn an_open_method_may_call_anything() {
        let mut graph = CallGraph::default();
        let (a, b) = (graph.class("A"), graph.class("B"));
        let m = graph.method(a, "m");
        assert!(!graph.chains(m, b).is_empty());
        graph.close(m);
        assert!(graph.chains(m, b).is_empty());
        assert_eq!(graph.called_classes(m), Some(vec![]));
    }

    #[test]
    fn many_chains_do_not_explode() {
        let mut graph = CallGraph::default();
        let class = graph.class("C");
        let methods: Vec<Method> = (0..40).map(|i| graph.method(class, &format!("m{i}"))).collect();
        assert!(methods.iter().all(|&m| graph.is_open(m)));
        assert!(graph.chains(methods[0], class).indirect.len() <= MOST_CHAINS);
    }
}
