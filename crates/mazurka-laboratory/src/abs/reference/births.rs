//! Calls, new tasks and new objects.

use super::state::{Frame, List, Object, Status, Task, Work};
use super::step::{Flow, Result, Step};
use super::value::{ObjectName, TaskName, Value};
use super::{Stop, World};
use mazurka_abs::checked::{Class, Expr, Method, Selector};
use mazurka_diagnostics::Span;
use std::rc::Rc;

impl<'m> Step<'_, 'm> {
    /// The receiver and the arguments of a call.
    pub(super) fn callee(&mut self, receiver: &Expr, args: &[Expr], at: Span) -> std::result::Result<(ObjectName, Vec<Value>), Stop> {
        let receiver = self.eval(receiver)?;
        let args = self.with_scope(|scope, locals| scope.all(args, locals))?;
        self.frame().at = at;
        match receiver {
            Value::Object(object) => Ok((object, args)),
            _ => self.raise(Value::atom(self.world.model.well_known.null_pointer)),
        }
    }

    pub(super) fn start(&mut self, receiver: &Expr, selector: Selector, args: &[Expr], at: Span) -> std::result::Result<TaskName, Stop> {
        let (object, args) = self.callee(receiver, args, at)?;
        self.spawn(&object, selector, args)
    }

    pub(super) fn spawn(&mut self, object: &ObjectName, selector: Selector, args: Vec<Value>) -> std::result::Result<TaskName, Stop> {
        let name = self.name.child(self.task.children);
        self.task.children += 1;
        let task = Task {
            cog: self.state.objects[object].cog.clone(),
            deadline: None,
            children: 0,
            objects: 0,
            status: Status::Ready,
            frames: vec![self.world.activation(object, selector, args)?],
        };
        self.state.tasks.insert(name.clone(), Rc::new(task));
        Ok(name)
    }

    /// A new object, and the activation that initialises it.
    pub(super) fn make(&mut self, class: u32, args: Vec<Value>, new_cog: bool) {
        let it: &'m Class = &self.world.model.classes[class as usize];
        let name = ObjectName {
            maker: self.name.clone(),
            nth: self.task.objects,
            class,
        };
        self.task.objects += 1;
        let cog = match (new_cog, self.frame().this.clone()) {
            (true, _) => Some(name.clone()),
            (false, Some(this)) => self.state.objects[&this].cog.clone(),
            (false, None) => self.task.cog.clone(),
        };
        let mut fields = args;
        fields.resize(it.fields.len(), Value::Null);
        self.state.objects.insert(name.clone(), Rc::new(Object { cog, fields }));
        let mut work = Vec::new();
        if let Some(init) = &it.init {
            work.push(Work::Statements(List(&init.stmts)));
        }
        work.push(Work::Fields(it.params));
        self.task.frames.push(Frame {
            name: format!("{}.{} (initialisation)", it.module, it.name).into(),
            this: Some(name),
            locals: vec![Value::Null; it.body.locals.len()],
            work,
            at: it.span,
            initialises: true,
        });
    }

    pub(super) fn initialise(&mut self, first: u32) -> Result<'m> {
        let Some(this) = self.frame().this.clone() else {
            return Ok(Flow::On);
        };
        let fields = &self.world.model.classes[this.class as usize].fields;
        for (number, field) in fields.iter().enumerate().skip(first as usize) {
            if let Some(e) = &field.init {
                let value = self.eval(e)?;
                if let Some(object) = self.state.objects.get_mut(&this) {
                    Rc::make_mut(object).fields[number] = value;
                }
            }
        }
        Ok(Flow::On)
    }

    /// An object is initialised: its `run` method starts, if it has one.
    pub(super) fn is_there(&mut self, this: &ObjectName) -> Value {
        let class = &self.world.model.classes[this.class as usize];
        if let Some(run) = class.run {
            let selector = class.methods[run as usize].selector;
            // A method of the class itself is always found.
            let _ = self.spawn(this, selector, Vec::new());
        }
        Value::Object(this.clone())
    }
}

impl<'m> World<'m> {
    /// The activation of a method before its first statement.
    pub(super) fn activation(&self, object: &ObjectName, selector: Selector, args: Vec<Value>) -> std::result::Result<Frame<'m>, Stop> {
        let class = &self.model.classes[object.class as usize];
        let Some(method) = class.methods.iter().find(|m: &&Method| m.selector == selector) else {
            return Err(Stop::GiveUp("a method that is missing"));
        };
        let mut locals = args;
        locals.resize(method.body.locals.len(), Value::Null);
        Ok(Frame {
            name: format!("{}.{}.{}", class.module, class.name, self.model.selectors[selector.index()]).into(),
            this: Some(object.clone()),
            locals,
            work: vec![Work::Statements(List(&method.code.stmts))],
            at: method.span,
            initialises: false,
        })
    }
}
