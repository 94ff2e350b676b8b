//! The machine around the interpreter: which tasks can move, moving one, and what its end means.

use super::exec::{Exit, Mover, Stack};
use super::guard::Verdict;
use super::identity::Identities;
use super::naming::futures_stay;
use super::scene::Scene;
use super::settings::Settings;
use super::state::{Frame, Future, Live, NOBODY, NOWHERE, Promise, Run, Stopped, Task};
use super::symbolic::Inputs;
use super::time::CLOCK;
use crate::code::{self, FutureAt, Kind, Op};
use crate::deeds::AllDeeds;
use crate::reach::Reaches;
use crate::stable::Stability;
use crate::value::{Value, known};
use mazurka_core::{Effects, Location, Position};
use mazurka_diagnostics::{SourceMap, Span};
use smallvec::{SmallVec, smallvec};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A lowered model ready to run.
#[derive(Debug)]
pub struct Machine {
    /// The code.
    pub program: code::Program,
    /// How it is run.
    pub settings: Settings,
    /// The texts, for positions.
    pub sources: Rc<SourceMap>,
    /// The text of the property.
    pub property: Option<String>,
    /// The names of tasks, objects and locations.
    pub ids: Identities,
    /// What each piece of code may touch.
    pub reaches: Reaches,
    /// What each piece of code may do to its end.
    pub(crate) deeds: AllDeeds,
    /// Who may call whom.
    pub stability: Stability,
    /// For each code whether the futures of its calls stay in its variables.
    pub(super) futures_stay: Vec<bool>,
    /// For each class the fields that some guard reads.
    pub guarded_fields: Vec<Vec<bool>>,
    /// What is not known when a symbolic execution starts; without it every value is a known one.
    pub inputs: Option<Rc<dyn Inputs>>,
    /// What to start from instead of the main block.
    pub scene: Option<Scene>,
    /// Set to end a step that is under way: it is given up then.
    pub halt: Arc<AtomicBool>,
    stack: RefCell<Stack>,
    pub(super) spare: RefCell<Stack>,
}

impl Machine {
    /// A machine for a lowered model.
    pub fn new(program: code::Program, settings: Settings, sources: Rc<SourceMap>, property: Option<String>) -> Self {
        let reaches = Reaches::new(&program, settings.await_semantics);
        let deeds = AllDeeds::new(&program);
        let stability = Stability::new(&program);
        let futures_stay = futures_stay(&program, settings.names);
        let guarded_fields = guarded_fields(&program);
        Machine {
            program,
            settings,
            sources,
            property,
            ids: Identities::default(),
            reaches,
            deeds,
            stability,
            futures_stay,
            guarded_fields,
            inputs: None,
            scene: None,
            halt: Arc::default(),
            stack: RefCell::default(),
            spare: RefCell::default(),
        }
    }

    /// The state before the main block's first step.
    pub fn start(&self) -> Run {
        if let Some(scene) = &self.scene {
            return self.set(scene);
        }
        let mut run = Run::default();
        let id = self.ids.main_task();
        if self.program.timed {
            let clock = self.ids.clock();
            debug_assert_eq!(clock, CLOCK);
        }
        let cog = run.cogs.push(self.new_cog(None, None));
        // Nobody but the main block itself can give its future away.
        let observed = self.program.uses_destiny;
        let slot = if observed { run.futures.push(Promise::OPEN) } else { NOWHERE };
        run.live.push(Live {
            task: Rc::new(Task {
                id,
                slot,
                cog,
                deadline: None,
                children: 0,
                returned: SmallVec::new(),
                objects: 0,
                observed,
                private: false,
                future: if observed { self.ids.future(id) } else { Location(0) },
                stopped: Stopped::Fresh,
                frames: smallvec![Frame {
                    code: self.program.main,
                    pc: 0,
                    base: 0,
                    this: NOBODY,
                }],
                stack: SmallVec::new(),
                also_holds: SmallVec::new(),
                hash: Cell::new(0),
            }),
            ready: true,
        });
        run
    }

    /// Whether a live task can move now.
    #[inline]
    pub fn enabled(&self, run: &Run, live: &Live) -> bool {
        let task = &live.task;
        let free = || {
            let holder = |cog: &u32| run.cogs.get(*cog).holder;
            match self.reaches.waiting_inits {
                true => cogs_of(run, task.cog, &task.frames).iter().all(|cog| holder(cog).is_none()),
                false => holder(&task.cog).is_none(),
            }
        };
        match &task.stopped {
            Stopped::Fresh | Stopped::Suspended => free(),
            Stopped::Await(waiting) => {
                let this = task.frames.last().map_or(NOBODY, |f| f.this);
                // A future that is not there throws, whatever the condition says: as on arrival.
                let goes_on = match run.futures_resolved(waiting, &self.program, this) {
                    Some(resolved) => resolved && live.ready,
                    None => true,
                };
                let in_time = waiting.until.as_ref().is_none_or(|until| run.is_past(&until.earliest));
                goes_on && in_time && free()
            }
            Stopped::Look(_) | Stopped::Choose(_) => true,
            Stopped::Sleep(until) => run.is_past(&until.earliest),
            Stopped::Get(future) => !matches!(run.futures.get(future.slot).result, Future::Open),
        }
    }

    /// Moves the task `process` to its next scheduling point; `choice` is the number that it chooses if it is about to.
    pub fn step(&self, run: &mut Run, process: u32, choice: u32, effects: &mut Effects) {
        if self.is_clock(process) {
            return self.pass_time(run, effects);
        }
        let Some(place) = run.find(process) else {
            return;
        };
        let watched = effects.report_touched.then(|| self.watch(run, place));
        let mut stack = self.stack.take();
        stack.values.clear();
        stack.frames.clear();
        let live = &mut run.live[place];
        let stopped = match Rc::get_mut(&mut live.task) {
            Some(task) => {
                stack.values.extend(task.stack.drain(..));
                std::mem::replace(&mut task.stopped, Stopped::Fresh)
            }
            None => {
                stack.values.extend(live.task.stack.iter().cloned());
                live.task.stopped.clone()
            }
        };
        stack.frames.extend_from_slice(&live.task.frames);
        let bottom = live.task.frames[0];
        let (id, slot, cog, observed) = (live.task.id, live.task.slot, live.task.cog, live.task.observed);
        let (children, objects, private) = (live.task.children, live.task.objects, live.task.private);
        let returned = live.task.returned.clone();
        let deadline = live.task.deadline.clone();
        let held = stopped.holds();
        let waited = matches!(stopped, Stopped::Await(_));
        let mut touches = Vec::new();
        let mut mover = Mover::new(self, run, id, slot, cog);
        (mover.children, mover.objects, mover.returned) = (children, objects, returned);
        mover.deadline.clone_from(&deadline);
        if watched.is_some() {
            mover.log = Some(&mut touches);
        }
        let exit = self.resume(&mut mover, &mut stack, stopped, choice, bottom);
        let recovered = match &exit {
            Exit::Threw(exception) => self.recover(&mut mover, &mut stack, bottom, exception),
            _ => Ok(false),
        };
        let (exit, recovered) = match recovered {
            Ok(recovered) => (exit, recovered),
            Err(limit) => (limit, false),
        };
        let exit = match exit {
            Exit::Threw(exception) => {
                self.fail(&mut mover, effects, (observed, private), recovered, bottom, exception);
                None
            }
            Exit::Endless | Exit::TooMany | Exit::TooDeep | Exit::TooLarge | Exit::Opaque(_) => {
                effects.failure = Some(self.given_up(&mover, bottom.code, &exit));
                mover.run.resolve(slot, Future::Forgotten, false);
                None
            }
            Exit::Done(value) => {
                let result = if observed { Future::Value(value) } else { Future::Forgotten };
                let free = mover.leaves_no_names(private);
                mover.run.resolve(slot, result, free);
                mover.goes_on_as_the_last(observed || bottom.this == NOBODY);
                None
            }
            Exit::Stop(stopped) => Some(stopped),
        };
        effects.births.extend(mover.births.iter().copied());
        if let Some(failure) = &effects.failure {
            mover.run.failed.push((id, Rc::new(failure.clone())));
        }
        let (children, objects, returned) = (mover.children, mover.objects, std::mem::take(&mut mover.returned));
        if held {
            self.release(run, place);
        }
        let holds = exit.as_ref().is_some_and(Stopped::holds);
        let waits = matches!(exit, Some(Stopped::Await(_)));
        run.waiting = run.waiting + u32::from(waits) - u32::from(waited);
        let changed = cogs_of(run, cog, &run.live[place].task.frames);
        match exit {
            None => {
                run.live.remove(place);
            }
            Some(stopped) => {
                let also_holds = match holds {
                    true => self.hold(run, &stack, cog, id),
                    false => SmallVec::new(),
                };
                let live = &mut run.live[place];
                let old = &live.task;
                live.task = Rc::new(Task {
                    id,
                    slot,
                    cog,
                    deadline,
                    children,
                    returned,
                    objects,
                    observed,
                    private,
                    future: old.future,
                    stopped,
                    frames: stack.frames.iter().copied().collect(),
                    stack: stack.values.drain(..).collect(),
                    also_holds,
                    hash: Cell::new(0),
                });
            }
        }
        self.refresh(run, &changed);
        if let Some(watched) = watched {
            watched.note_cogs(run, held, holds, &mut touches);
            self.tell_step(run, &watched, &touches, &mut effects.touched);
        }
        self.stack.replace(stack);
    }

    fn resume(&self, mover: &mut Mover<'_>, stack: &mut Stack, stopped: Stopped, choice: u32, bottom: Frame) -> Exit {
        let this = stack.frames.last().map_or(NOBODY, |f| f.this);
        mover.note_wait(&stopped, this);
        let thrown = match stopped {
            Stopped::Fresh => {
                let code = &self.program.codes[bottom.code as usize];
                // There is no handler to look for before the first instruction.
                if stack.values.len() < code.params as usize {
                    return Exit::Threw(Value::Atom(known::PATTERN_MATCH_FAIL));
                }
                if bottom.this != NOBODY {
                    mover.note_life(bottom.this, false);
                }
                if bottom.this != NOBODY && mover.run.objects.get(bottom.this).dead {
                    return Exit::Threw(Value::Atom(known::OBJECT_DEAD));
                }
                stack.values.resize(code.locals as usize, Value::Null);
                None
            }
            Stopped::Suspended | Stopped::Sleep(_) => None,
            Stopped::Await(waiting) => match mover.holds(&waiting, this) {
                Verdict::Throws(exception) => Some(exception),
                Verdict::GivenUp(exit) => return exit,
                Verdict::True | Verdict::False => {
                    mover.take_back_awaited(&waiting);
                    None
                }
            },
            Stopped::Look(waiting) => match mover.holds(&waiting, this) {
                Verdict::True => {
                    mover.take_back_awaited(&waiting);
                    None
                }
                Verdict::False => return Exit::Stop(Stopped::Await(waiting)),
                Verdict::Throws(exception) => Some(exception),
                Verdict::GivenUp(exit) => return exit,
            },
            Stopped::Get(future) => match mover.result(future) {
                Some(Ok(value)) => {
                    stack.values.push(value);
                    None
                }
                Some(Err(exception)) => Some(exception),
                None => return Exit::Stop(Stopped::Get(future)),
            },
            Stopped::Choose(_) => {
                stack.values.push(Value::Int(i64::from(choice)));
                None
            }
        };
        match thrown {
            None => mover.exec(stack),
            Some(exception) => match mover.throw_into(stack, exception) {
                None => mover.exec(stack),
                Some(exception) => Exit::Threw(exception),
            },
        }
    }

    /// The place of an instruction.
    pub fn span(&self, code: u32, pc: u32) -> Span {
        let code = &self.program.codes[code as usize];
        code.spans.get(pc as usize).copied().unwrap_or(code.span)
    }

    /// A place in the sources.
    pub fn position(&self, span: Span) -> Option<Position> {
        let position = self.sources.position(span);
        Some(Position {
            file: position.file.to_string(),
            line: position.line,
            column: position.column,
        })
    }

    fn release(&self, run: &mut Run, place: usize) {
        let task = run.live[place].task.clone();
        run.cogs.get_mut(task.cog).holder = None;
        for cog in &task.also_holds {
            run.cogs.get_mut(*cog).holder = None;
        }
    }

    /// A task that stops without letting others run keeps its cog, and those of objects that it is initialising: the latter are told.
    fn hold(&self, run: &mut Run, stack: &Stack, cog: u32, id: u32) -> SmallVec<[u32; 1]> {
        let cogs = cogs_of(run, cog, &stack.frames);
        for cog in &cogs {
            run.cogs.get_mut(*cog).holder = Some(id);
        }
        cogs[1..].iter().copied().collect()
    }

    /// Evaluates the conditions of the tasks that wait in cogs whose objects may have changed.
    pub(super) fn refresh(&self, run: &mut Run, cogs: &[u32]) {
        if run.waiting == 0 {
            return;
        }
        for place in run.live.places() {
            let task = &run.live[place].task;
            let Stopped::Await(waiting) = &task.stopped else {
                continue;
            };
            let this = task.frames.last().map_or(NOBODY, |f| f.this);
            let cog = if this == NOBODY { task.cog } else { run.objects.get(this).cog };
            if !cogs.contains(&cog) {
                continue;
            }
            if self.program.guards[waiting.guard as usize].condition.is_none() {
                run.live[place].ready = true;
                continue;
            }
            let task = task.clone();
            let Stopped::Await(waiting) = &task.stopped else {
                continue;
            };
            let mut mover = Mover::new(self, run, task.id, task.slot, task.cog);
            let ready = !matches!(mover.condition(waiting, this), Verdict::False);
            run.live[place].ready = ready;
        }
    }
}

/// The slots of the cogs in which a task works: first its own, then those of objects that it is initialising.
pub(crate) fn cogs_of(run: &Run, own: u32, frames: &[Frame]) -> SmallVec<[u32; 2]> {
    let mut cogs = SmallVec::new();
    cogs.push(own);
    for frame in frames.iter().filter(|frame| frame.this != NOBODY) {
        let cog = run.objects.get(frame.this).cog;
        if !cogs.contains(&cog) {
            cogs.push(cog);
        }
    }
    cogs
}

impl Run {
    /// Keeps the result of a task for those who may ask. `free`: see [`Promise::free`].
    pub(super) fn resolve(&mut self, slot: u32, result: Future, free: bool) {
        if slot != NOWHERE {
            *self.futures.get_mut(slot) = Promise { result, free };
        }
    }
}

/// For each class the fields that the guards of its methods read.
fn guarded_fields(program: &code::Program) -> Vec<Vec<bool>> {
    let mut guarded: Vec<Vec<bool>> = program.classes.iter().map(|c| vec![false; c.fields.len()]).collect();
    for code in &program.codes {
        let (Kind::Method { class, .. } | Kind::Init(class)) = code.kind else {
            continue;
        };
        for op in &code.ops {
            if let Op::Await(guard) = op {
                let guard = &program.guards[*guard as usize];
                let futures = guard.futures.iter().filter_map(|f| match f {
                    FutureAt::Field(field) => Some(*field),
                    FutureAt::Local(_) => None,
                });
                for field in futures.chain(guard.reads.iter().copied()) {
                    guarded[class as usize][field as usize] = true;
                }
            }
        }
    }
    guarded
}
