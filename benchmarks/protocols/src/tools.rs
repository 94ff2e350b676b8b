//! What each tool needs to run a protocol: a few lines each.

use crate::systems::{Message, Node, Protocol};
use std::borrow::Cow;
use std::rc::Rc;

/// What a search covered: executions or states.
pub struct Covered {
    pub count: u64,
    pub what: &'static str,
}

/// Mazurka, with an algorithm of its own, or several that take turns.
pub fn mazurka(protocol: Protocol, algorithm: &str) -> Covered {
    use mazurka::actors::{Actor, Address, Context, System};

    #[derive(Clone, Hash, Debug)]
    struct Peer {
        me: usize,
        node: Node,
        peers: Rc<[Address<Peer>]>,
    }

    impl Actor for Peer {
        type Message = Message;

        fn handle(&mut self, message: Message, context: &mut Context<Self>) {
            for (to, message) in self.node.handle(self.me, message) {
                context.send(self.peers[to], message);
            }
        }
    }

    let mut system = System::new();
    let peers = system.create_many("node", protocol.nodes.len(), |peers, me| Peer {
        me,
        node: protocol.nodes[me].clone(),
        peers: peers.into(),
    });
    for (to, message) in protocol.start {
        system.send(peers[to], message);
    }
    let right = protocol.right;
    let check = system
        .at_end(move |end| assert!(right(&end.states::<Peer>().map(|peer| &peer.node).collect::<Vec<_>>())))
        .check();
    let checked = if algorithm.is_empty() { check } else { check.algorithm(algorithm) }.run();
    assert!(checked.outcome().failures.is_empty(), "{}", checked.report());
    let counts = &checked.outcome().counts;
    match checked.algorithm() {
        "stateful" => Covered {
            count: counts.states,
            what: "states",
        },
        _ => Covered {
            count: counts.executions,
            what: "executions",
        },
    }
}

/// stateright, breadth-first.
pub fn stateright(protocol: Protocol) -> Covered {
    use stateright::actor::{Actor, ActorModel, Id, Network, Out};
    use stateright::{Checker, Expectation, Model};

    struct Peer {
        node: Node,
        start: Vec<(usize, Message)>,
    }

    impl Actor for Peer {
        type Msg = Message;
        type State = Node;
        type Timer = ();
        type Random = ();
        type Storage = ();

        fn on_start(&self, _: Id, _: &Option<()>, out: &mut Out<Self>) -> Node {
            self.start.iter().for_each(|(to, message)| out.send(Id::from(*to), message.clone()));
            self.node.clone()
        }

        fn on_msg(&self, me: Id, state: &mut Cow<'_, Node>, _: Id, message: Message, out: &mut Out<Self>) {
            for (to, message) in state.to_mut().handle(usize::from(me), message) {
                out.send(Id::from(to), message);
            }
        }
    }

    let (right, start) = (protocol.right, protocol.start);
    let peers = protocol.nodes.into_iter().enumerate().map(|(me, node)| Peer {
        start: start.iter().filter(|(to, _)| *to == me).cloned().collect(),
        node,
    });
    let checker = ActorModel::<Peer, fn(&[&Node]) -> bool, ()>::new(right, ())
        .actors(peers)
        .init_network(Network::new_unordered_nonduplicating([]))
        .property(Expectation::Always, "right at the end", |model, state| {
            let nodes: Vec<&Node> = state.actor_states.iter().map(|state| &**state).collect();
            state.network.iter_deliverable().next().is_some() || (model.cfg)(&nodes)
        })
        .checker()
        .spawn_bfs()
        .join();
    checker.assert_properties();
    Covered {
        count: checker.unique_state_count() as u64,
        what: "states",
    }
}

/// TraceForge: a node is a thread that receives messages without end. Nobody looks at the end there.
pub fn traceforge(protocol: Protocol) -> Covered {
    use traceforge::thread::{ThreadId, spawn_daemon};
    use traceforge::{Config, ConsType, recv_tagged_msg_block, send_tagged_msg, verify};

    /// The first message to a node says who the others are.
    const PEERS: u32 = 1;
    const MESSAGE: u32 = 2;

    let Protocol { nodes, start, .. } = protocol;
    let run = move || {
        let mut peers: Vec<ThreadId> = Vec::new();
        for (me, node) in nodes.iter().cloned().enumerate() {
            let thread = spawn_daemon(move || {
                let peers: Vec<ThreadId> = recv_tagged_msg_block(|_, tag| tag == Some(PEERS));
                let mut node = node;
                loop {
                    let message: Message = recv_tagged_msg_block(|_, tag| tag == Some(MESSAGE));
                    for (to, message) in node.handle(me, message) {
                        send_tagged_msg(peers[to], MESSAGE, message);
                    }
                }
            });
            peers.push(thread.thread().id());
        }
        peers.iter().for_each(|peer| send_tagged_msg(*peer, PEERS, peers.clone()));
        for (to, message) in start.iter().cloned() {
            send_tagged_msg(peers[to], MESSAGE, message);
        }
    };
    let config = Config::builder()
        .with_progress_report(u32::MAX as usize)
        .with_cons_type(ConsType::Bag)
        .build();
    let stats = verify(config, run);
    Covered {
        count: (stats.execs + stats.block) as u64,
        what: "executions",
    }
}
