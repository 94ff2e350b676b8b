//! Actor selection by temporal stability: the call graph of a model, and its states as stability sees them.

use crate::code::{Kind, Op, Program};
use crate::run::Machine;
use crate::run::state::{NOBODY, Run, Stopped};
use crate::value::Value;
use mazurka_core::stability::{ActorView, Configuration, Sum, TaskView};
use mazurka_core::{CallGraph, Class, Method};

/// The call graph and where classes and code are in it.
#[derive(Debug)]
pub struct Stability {
    graph: CallGraph,
    /// The class of cogs made for each class, and of the main block's cog at the end.
    classes: Vec<Class>,
    /// For each piece of code the method that stands for it.
    methods: Vec<Method>,
}

impl Stability {
    /// The call graph of a program. A call of a method by name may reach every class that has such a method.
    pub fn new(program: &Program) -> Self {
        let mut graph = CallGraph::default();
        let mut classes: Vec<Class> = program.classes.iter().map(|c| graph.class(&c.name)).collect();
        classes.push(graph.class("main block"));
        let main = program.classes.len();
        let mut methods = Vec::new();
        for (i, code) in program.codes.iter().enumerate() {
            let class = match code.kind {
                Kind::Method { class, .. } | Kind::Init(class) | Kind::Recover(class) => class as usize,
                Kind::Function | Kind::Guard | Kind::Main => main,
            };
            let method = graph.method(classes[class], &format!("{}#{i}", code.name));
            graph.close(method);
            methods.push(method);
        }
        for (code, &method) in program.codes.iter().zip(&methods) {
            for op in &code.ops {
                match op {
                    Op::Async { selector, .. } | Op::Sync { selector, .. } => {
                        for class in &program.classes {
                            if let Some(callee) = class.methods[*selector as usize] {
                                graph.call(method, methods[callee as usize]);
                            }
                        }
                    }
                    Op::CallThis { code, .. } => graph.call(method, methods[*code as usize]),
                    Op::New { class, .. } => {
                        let class = &program.classes[*class as usize];
                        for callee in [class.init, class.run].into_iter().flatten() {
                            graph.call(method, methods[callee as usize]);
                        }
                    }
                    _ => {}
                }
            }
        }
        Stability { graph, classes, methods }
    }
}

/// The cogs of the objects that a value mentions.
fn mentioned(run: &Run, value: &Value, cogs: &mut Vec<u32>) {
    let mut todo = vec![value];
    while let Some(value) = todo.pop() {
        match value {
            Value::Object(r) => {
                let cog = run.objects.get(r.slot).cog;
                if !cogs.contains(&cog) {
                    cogs.push(cog);
                }
            }
            Value::Data(node) => todo.extend(&node.args),
            _ => {}
        }
    }
}

impl Machine {
    /// How likely it is that another cog still posts to this one; 0 if that is impossible.
    pub fn instability(&self, run: &Run, cog: u32) -> u64 {
        let stability = &self.stability;
        let main = self.program.classes.len();
        let mut view = Configuration::default();
        for it in run.cogs.iter() {
            view.actors.push(ActorView {
                class: stability.classes[it.class.map_or(main, |c| c as usize)],
                holds: Vec::new(),
                awaits: false,
                in_flight: self.reaches.futures,
            });
        }
        for object in run.objects.iter() {
            let holds = &mut view.actors[object.cog as usize].holds;
            object.fields.iter().for_each(|v| mentioned(run, v, holds));
        }
        for live in run.live.iter() {
            let task = &live.task;
            if matches!(task.stopped, Stopped::Await(_) | Stopped::Look(_) | Stopped::Get(_)) {
                view.actors[task.cog as usize].awaits = true;
            }
            let mut holds = Vec::new();
            task.stack.iter().for_each(|v| mentioned(run, v, &mut holds));
            for frame in &task.frames {
                if frame.this != NOBODY {
                    let own = run.objects.get(frame.this).cog;
                    if own != task.cog && !holds.contains(&own) {
                        holds.push(own);
                    }
                }
                view.tasks.push(TaskView {
                    actor: task.cog,
                    method: stability.methods[frame.code as usize],
                    holds: holds.clone(),
                });
            }
        }
        view.instability(&stability.graph, cog, Sum::PerTask)
    }
}
