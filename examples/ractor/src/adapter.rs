//! Runs actors of mazurka under ractor: the same handlers, with mailboxes, tasks and timers of production.

use mazurka::actors::host::{self, Host};
use mazurka::actors::{Actor, Address};
use ractor::{ActorProcessingErr, ActorRef, SpawnErr};
use std::any::Any;
use std::collections::HashMap;
use std::marker::PhantomData;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Hands a message, whose type it knows, to an actor.
type Deliver = Box<dyn Fn(Box<dyn Any>) + Send>;
/// Decides whether a message to an actor gets lost; for tests of how a protocol bears that.
type Loses = Box<dyn FnMut(u32) -> bool + Send>;

/// The actors that run, by number.
#[derive(Clone)]
pub struct Runtime {
    actors: Arc<Mutex<HashMap<u32, Deliver>>>,
    loses: Arc<Mutex<Loses>>,
    /// A unit of timers.
    unit: Duration,
}

impl Runtime {
    /// Without actors.
    pub fn new(unit: Duration) -> Self {
        Runtime {
            actors: Arc::default(),
            loses: Arc::new(Mutex::new(Box::new(|_| false))),
            unit,
        }
    }

    /// Loses messages to actors, by number.
    pub fn losing(self, loses: impl FnMut(u32) -> bool + Send + 'static) -> Self {
        let loses: Loses = Box::new(loses);
        Runtime {
            loses: Arc::new(Mutex::new(loses)),
            ..self
        }
    }

    /// Starts an actor. Its number is what others call it by: `host::address(number)`.
    pub async fn start<A>(&self, number: u32, actor: A) -> Result<ActorRef<Told<A>>, SpawnErr>
    where
        A: Actor + Send + Sync,
        A::Message: Send,
    {
        let (started, _) = ractor::Actor::spawn(None, Hosted(PhantomData), (actor, number, self.clone())).await?;
        let to = started.clone();
        let deliver = move |message: Box<dyn Any>| {
            let message = message.downcast::<A::Message>().expect("an address is typed");
            // One that is sent to an actor that has stopped is lost, as in any network.
            drop(to.send_message(Told::Message(*message)));
        };
        locked(&self.actors).insert(number, Box::new(deliver));
        Ok(started)
    }
}

fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a hosted actor is told.
pub enum Told<A: Actor> {
    Message(A::Message),
    /// A timer has fired, which was set so many times before.
    Timer(&'static str, u64),
    /// Somebody wants to see the state.
    Show(Box<dyn FnOnce(&A) + Send>),
}

/// An actor under ractor.
pub struct Hosted<A>(PhantomData<fn(A)>);

/// Its state, and what its timers will tell it.
pub struct Running<A: Actor> {
    actor: A,
    number: u32,
    runtime: Runtime,
    timers: HashMap<&'static str, (u64, A::Message)>,
    set: u64,
    /// Messages that it does not accept yet.
    waiting: Vec<A::Message>,
}

impl<A> ractor::Actor for Hosted<A>
where
    A: Actor + Send + Sync,
    A::Message: Send,
{
    type Msg = Told<A>;
    type State = Running<A>;
    type Arguments = (A, u32, Runtime);

    async fn pre_start(&self, _: ActorRef<Told<A>>, (actor, number, runtime): Self::Arguments) -> Result<Running<A>, ActorProcessingErr> {
        Ok(Running {
            actor,
            number,
            runtime,
            timers: HashMap::new(),
            set: 0,
            waiting: Vec::new(),
        })
    }

    async fn handle(&self, myself: ActorRef<Told<A>>, told: Told<A>, running: &mut Running<A>) -> Result<(), ActorProcessingErr> {
        match told {
            Told::Show(show) => show(&running.actor),
            Told::Message(message) => running.waiting.push(message),
            Told::Timer(timer, set) => {
                if running.timers.get(timer).is_some_and(|(latest, _)| *latest == set)
                    && let Some((_, message)) = running.timers.remove(timer)
                {
                    running.tell(&myself, message);
                }
            }
        }
        // Each message may have others accepted.
        while let Some(at) = running.waiting.iter().position(|m| running.actor.accepts(m).now()) {
            let message = running.waiting.remove(at);
            running.tell(&myself, message);
        }
        Ok(())
    }
}

impl<A> Running<A>
where
    A: Actor + Send + Sync,
    A::Message: Send,
{
    fn tell(&mut self, myself: &ActorRef<Told<A>>, message: A::Message) {
        let me: Address<A> = host::address(self.number);
        let Running {
            actor,
            runtime,
            timers,
            set,
            ..
        } = self;
        host::handle(
            actor,
            me,
            message,
            &mut Outside {
                myself,
                runtime,
                timers,
                set,
            },
        );
    }
}

/// What handlers ask for.
struct Outside<'h, A: Actor> {
    myself: &'h ActorRef<Told<A>>,
    runtime: &'h Runtime,
    timers: &'h mut HashMap<&'static str, (u64, A::Message)>,
    set: &'h mut u64,
}

impl<A> Host for Outside<'_, A>
where
    A: Actor + Send + Sync,
    A::Message: Send,
{
    fn send(&mut self, to: u32, message: Box<dyn Any>) {
        if locked(&self.runtime.loses)(to) {
            return;
        }
        match locked(&self.runtime.actors).get(&to) {
            Some(deliver) => deliver(message),
            None => panic!("there is no actor {to}"),
        }
    }

    fn set_timer(&mut self, timer: &'static str, after: u64, message: Box<dyn Any>) {
        let message = message.downcast::<A::Message>().expect("a timer is of its actor");
        *self.set += 1;
        let nth = *self.set;
        self.timers.insert(timer, (nth, *message));
        let units = u32::try_from(after).unwrap_or(u32::MAX);
        // An earlier one of the same name still fires, and is then not the latest.
        drop(self.myself.send_after(self.runtime.unit * units, move || Told::Timer(timer, nth)));
    }

    fn cancel_timer(&mut self, timer: &'static str) {
        self.timers.remove(timer);
    }

    /// A check tries every number; in production one is as good as another.
    fn choose(&mut self, n: u32) -> u32 {
        (*self.set % u64::from(n)) as u32
    }
}
