//! The list of executions as it is read, in batches: what several threads run at the same time.

use crate::Rejection;
use crate::execution::LONGEST;
use crate::format::In;
use crate::symbols::{Symbol, Symbols};
use crate::tree::{Node, Tree};
use std::io::Read;

/// A batch has at least so many steps, unless it is the last one.
const STEPS: usize = 1 << 15;

/// A step that leads to a node.
pub(crate) type Branch = (Node, Symbol);

/// Executions that follow one another.
pub(crate) struct Batch {
    /// How many were before it.
    pub number: u64,
    /// How many executions were before its first one.
    pub executions: u64,
    /// What its first execution shares with those before.
    pub shared: Vec<Branch>,
    /// At each node of that the earlier branches.
    pub elders: Vec<Vec<Branch>>,
    /// For each execution how many steps of the one before are taken back, but for the first one, and how many are new.
    pub each: Vec<(usize, usize)>,
    /// The new steps of all of them.
    pub steps: Vec<Branch>,
}

/// Reads the list, and makes the tree of it.
pub(crate) struct List<'i, R> {
    input: &'i mut In<R>,
    pub tree: Tree,
    pub symbols: Symbols,
    /// The current execution.
    path: Vec<Branch>,
    /// At each of its nodes the earlier branches.
    elders: Vec<Vec<Branch>>,
    pub executions: u64,
    pub batches: u64,
    ended: bool,
}

impl<'i, R: Read> List<'i, R> {
    pub fn new(input: &'i mut In<R>) -> Result<Self, Rejection> {
        Ok(List {
            input,
            tree: Tree::new()?,
            symbols: Symbols::default(),
            path: Vec::new(),
            elders: vec![Vec::new()],
            executions: 0,
            batches: 0,
            ended: false,
        })
    }

    /// The next executions, if there are more.
    pub fn batch(&mut self) -> Result<Option<Batch>, Rejection> {
        let executions = self.executions;
        if !self.go_back()? {
            return Ok(None);
        }
        let mut batch = Batch {
            number: self.batches,
            executions,
            shared: self.path.clone(),
            elders: self.elders.clone(),
            each: Vec::new(),
            steps: Vec::new(),
        };
        // Whoever runs it has to come to its first execution.
        let enough = STEPS.max(4 * self.path.len());
        let mut before = self.path.len();
        loop {
            let new = self.go_on(&mut batch.steps)?;
            batch.each.push((before - (self.path.len() - new), new));
            before = self.path.len();
            if batch.steps.len() >= enough || !self.go_back()? {
                break;
            }
        }
        self.batches += 1;
        Ok(Some(batch))
    }

    /// Takes back what the next execution does not share with the last one. False if there is none.
    fn go_back(&mut self) -> Result<bool, Rejection> {
        if self.ended {
            return Ok(false);
        }
        let Some(back) = self.input.number()?.checked_sub(1) else {
            self.ended = true;
            self.tree.close();
            return Ok(false);
        };
        if back > self.path.len() as u64 || (back == 0 && self.executions > 0) {
            return Err(Rejection::unreadable("its executions are not in the order of a tree"));
        }
        for _ in 0..back {
            self.tree.pop();
            self.elders.pop();
            if let (Some(left), Some(elders)) = (self.path.pop(), self.elders.last_mut()) {
                elders.push(left);
            }
        }
        Ok(true)
    }

    /// Reads the new steps of an execution; how many there are.
    fn go_on(&mut self, steps: &mut Vec<Branch>) -> Result<usize, Rejection> {
        let new = self.input.number()?;
        if new > (LONGEST - self.path.len()) as u64 {
            return Err(Rejection::refused("an execution in it is longer than this checker takes").in_execution(self.executions));
        }
        for _ in 0..new {
            let step = (self.tree.push()?, self.symbols.read(self.input)?);
            self.path.push(step);
            self.elders.push(Vec::new());
            steps.push(step);
        }
        self.executions += 1;
        Ok(new as usize)
    }
}
