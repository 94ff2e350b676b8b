//! The protocols, for all tools: a node is a state and what it does with a message. Nodes know each other by number.

/// A message.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Message {
    Begin,
    /// To a registry, and its answer.
    Register(usize),
    Number(usize),
    /// Two-phase commit.
    Prepare,
    Vote(bool),
    Decide(bool),
    /// Paxos: ballots, and what was accepted in one.
    Promise(u8, usize),
    Promised(Option<(u8, u8)>),
    Accept(u8, u8),
    /// A replicated register: timestamps with values, for the operation of a client of that number.
    Store(u8, usize, u8),
    Stored(u8),
    Load(usize, u8),
    Loaded(u8, u8),
}

use Message::*;

/// The state of a node.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Node {
    Registry {
        next: usize,
    },
    Client {
        registry: usize,
        number: Option<usize>,
    },
    Coordinator {
        participants: usize,
        votes: usize,
    },
    Participant {
        decided: Option<bool>,
    },
    Acceptor {
        promised: u8,
        accepted: Option<(u8, u8)>,
    },
    Proposer {
        acceptors: usize,
        ballot: u8,
        promises: usize,
        newest: Option<(u8, u8)>,
    },
    Replica {
        timestamp: u8,
    },
    Writer {
        replicas: usize,
    },
    Reader {
        replicas: usize,
        operation: u8,
        answers: usize,
        newest: u8,
        read: Vec<u8>,
        writes_back: bool,
    },
}

/// Nodes, and what is under way at the start.
pub struct Protocol {
    pub nodes: Vec<Node>,
    pub start: Vec<(usize, Message)>,
    /// What holds at the end.
    pub right: fn(&[&Node]) -> bool,
}

/// Those that there are.
pub const NAMES: [&str; 4] = ["registry", "2pc", "paxos", "abd"];

/// The protocol of a name, with so many clients, participants, acceptors or replicas.
pub fn named(name: &str, n: usize) -> Option<Protocol> {
    let begin = |nodes: &[Node], begins: fn(&Node) -> bool| {
        let beginners = nodes.iter().enumerate().filter(|(_, node)| begins(node));
        beginners.map(|(at, _)| (at, Begin)).collect::<Vec<_>>()
    };
    let (nodes, begins, right): (Vec<Node>, fn(&Node) -> bool, fn(&[&Node]) -> bool) = match name {
        "registry" => {
            let mut nodes = vec![Node::Registry { next: 0 }];
            nodes.extend((0..n).map(|_| Node::Client { registry: 0, number: None }));
            (
                nodes,
                |node| matches!(node, Node::Client { .. }),
                |nodes| {
                    let mut numbers: Vec<usize> = nodes
                        .iter()
                        .filter_map(|node| if let Node::Client { number, .. } = node { *number } else { None })
                        .collect();
                    numbers.sort_unstable();
                    numbers.iter().copied().eq(0..nodes.len() - 1)
                },
            )
        }
        "2pc" => {
            let mut nodes = vec![Node::Coordinator { participants: n, votes: 0 }];
            nodes.extend((0..n).map(|_| Node::Participant { decided: None }));
            (
                nodes,
                |node| matches!(node, Node::Coordinator { .. }),
                |nodes| {
                    nodes.iter().all(|node| {
                        !matches!(
                            node,
                            Node::Participant {
                                decided: None | Some(false)
                            }
                        )
                    })
                },
            )
        }
        "paxos" => {
            let mut nodes: Vec<Node> = (0..n)
                .map(|_| Node::Acceptor {
                    promised: 0,
                    accepted: None,
                })
                .collect();
            nodes.extend([1, 2].map(|ballot| Node::Proposer {
                acceptors: n,
                ballot,
                promises: 0,
                newest: None,
            }));
            (
                nodes,
                |node| matches!(node, Node::Proposer { .. }),
                |nodes| {
                    let accepted = || {
                        nodes.iter().filter_map(|node| {
                            if let Node::Acceptor { accepted, .. } = node {
                                *accepted
                            } else {
                                None
                            }
                        })
                    };
                    let majority = (nodes.len() - 2) / 2 + 1;
                    let chosen = |value: u8| {
                        [1, 2]
                            .iter()
                            .any(|ballot| accepted().filter(|a| *a == (*ballot, value)).count() >= majority)
                    };
                    !(chosen(1) && chosen(2))
                },
            )
        }
        "abd" => {
            let mut nodes: Vec<Node> = (0..n).map(|_| Node::Replica { timestamp: 0 }).collect();
            nodes.push(Node::Writer { replicas: n });
            nodes.push(Node::Reader {
                replicas: n,
                operation: 0,
                answers: 0,
                newest: 0,
                read: Vec::new(),
                writes_back: false,
            });
            (
                nodes,
                |node| matches!(node, Node::Writer { .. } | Node::Reader { .. }),
                |nodes| {
                    // Nobody reads what is older than what it has read before.
                    nodes
                        .iter()
                        .all(|node| !matches!(node, Node::Reader { read, .. } if read.len() != 2 || read[0] > read[1]))
                },
            )
        }
        _ => return None,
    };
    let start = begin(&nodes, begins);
    Some(Protocol { nodes, start, right })
}

impl Node {
    /// Handles a message; what it sends, and to whom.
    pub fn handle(&mut self, me: usize, message: Message) -> Vec<(usize, Message)> {
        match (self, message) {
            (Node::Registry { next }, Register(client)) => {
                *next += 1;
                vec![(client, Number(*next - 1))]
            }
            (Node::Client { registry, .. }, Begin) => vec![(*registry, Register(me))],
            (Node::Client { number, .. }, Number(given)) => {
                *number = Some(given);
                Vec::new()
            }
            (Node::Coordinator { participants, .. }, Begin) => (1..=*participants).map(|to| (to, Prepare)).collect(),
            (Node::Coordinator { participants, votes }, Vote(true)) => {
                *votes += 1;
                let all = *votes == *participants;
                (1..=*participants).filter(|_| all).map(|to| (to, Decide(true))).collect()
            }
            (Node::Participant { .. }, Prepare) => vec![(0, Vote(true))],
            (Node::Participant { decided }, Decide(decision)) => {
                *decided = Some(decision);
                Vec::new()
            }
            (Node::Proposer { acceptors, ballot, .. }, Begin) => (0..*acceptors).map(|to| (to, Promise(*ballot, me))).collect(),
            (Node::Acceptor { promised, accepted }, Promise(ballot, proposer)) if ballot > *promised => {
                *promised = ballot;
                vec![(proposer, Promised(*accepted))]
            }
            (Node::Acceptor { promised, accepted }, Accept(ballot, value)) if ballot >= *promised => {
                *promised = ballot;
                *accepted = Some((ballot, value));
                Vec::new()
            }
            (
                Node::Proposer {
                    acceptors,
                    ballot,
                    promises,
                    newest,
                },
                Promised(accepted),
            ) => {
                *promises += 1;
                *newest = (*newest).max(accepted);
                let enough = *promises == *acceptors / 2 + 1;
                let value = newest.map_or(*ballot, |(_, value)| value);
                (0..*acceptors).filter(|_| enough).map(|to| (to, Accept(*ballot, value))).collect()
            }
            (Node::Writer { replicas }, Begin) => (0..*replicas).map(|to| (to, Store(1, me, 0))).collect(),
            (Node::Replica { timestamp }, Store(newer, client, operation)) => {
                *timestamp = (*timestamp).max(newer);
                vec![(client, Stored(operation))]
            }
            (Node::Replica { timestamp }, Load(client, operation)) => vec![(client, Loaded(operation, *timestamp))],
            (Node::Reader { replicas, .. }, Begin) => (0..*replicas).map(|to| (to, Load(me, 0))).collect(),
            (reader @ Node::Reader { .. }, message) => reader.read(me, message),
            _ => Vec::new(),
        }
    }

    /// A reader reads twice; each time it asks everybody, and writes back the newest that a majority knows.
    fn read(&mut self, me: usize, message: Message) -> Vec<(usize, Message)> {
        let Node::Reader {
            replicas,
            operation,
            answers,
            newest,
            read,
            writes_back,
        } = self
        else {
            return Vec::new();
        };
        match message {
            Loaded(of, timestamp) if of == *operation && !*writes_back => *newest = (*newest).max(timestamp),
            Stored(of) if of == *operation && *writes_back => {}
            _ => return Vec::new(),
        }
        *answers += 1;
        if *answers <= *replicas / 2 {
            return Vec::new();
        }
        *answers = 0;
        *writes_back = !*writes_back;
        let everybody = 0..*replicas;
        if *writes_back {
            return everybody.map(|to| (to, Store(*newest, me, *operation))).collect();
        }
        read.push(*newest);
        *operation += 1;
        *newest = 0;
        let goes_on = *operation < 2;
        everybody.filter(|_| goes_on).map(|to| (to, Load(me, *operation))).collect()
    }
}
