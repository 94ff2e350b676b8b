//! Minesweeper as actors (FORTE'12 `minesweeper`). The paper's source is not public; this is the natural program with the natural
//! deadlock: a cell that counts the mines around it asks its neighbours and answers nobody until it has all their answers.

use crate::{Accepts, Actor, Address, Context, Sends, System};

#[derive(Clone, Hash, Debug)]
struct Cell {
    neighbours: Vec<Address<Cell>>,
    mine: bool,
    revealed: bool,
    /// Answers still to come; a counting cell does not answer.
    asked: usize,
    count: u32,
}

#[derive(Clone, Hash, Debug)]
enum Message {
    Reveal,
    IsMine(Address<Cell>),
    Answer(bool),
}

impl Actor for Cell {
    type Message = Message;

    fn handle(&mut self, message: Message, context: &mut Context<Self>) {
        match message {
            Message::Reveal => {
                if !self.revealed && !self.mine {
                    self.revealed = true;
                    self.asked = self.neighbours.len();
                    for &neighbour in &self.neighbours {
                        context.send(neighbour, Message::IsMine(context.me()));
                    }
                }
            }
            Message::IsMine(asker) => context.send(asker, Message::Answer(self.mine)),
            Message::Answer(mine) => {
                self.asked -= 1;
                self.count += u32::from(mine);
                if self.asked == 0 && self.count == 0 {
                    for &neighbour in &self.neighbours {
                        context.send(neighbour, Message::Reveal);
                    }
                }
            }
        }
    }

    fn accepts(&self, message: &Message) -> Accepts {
        match message {
            Message::Reveal | Message::IsMine(_) => Accepts::When(self.asked == 0),
            Message::Answer(_) => Accepts::Always,
        }
    }

    fn sends(sends: &mut Sends<Self>) {
        sends.on("Reveal").send::<Cell>("IsMine");
        sends.on("IsMine").send::<Cell>("Answer");
        sends.on("Answer").send::<Cell>("Reveal");
    }
}

/// A row of `n` cells with a mine at the right end; the two leftmost cells are revealed at once.
pub(super) fn system(n: u32) -> System {
    let n = n as usize;
    let mut system = System::new();
    let cells = system.create_many("cell", n, |all, nth| Cell {
        neighbours: [nth.checked_sub(1), Some(nth + 1)]
            .into_iter()
            .flatten()
            .filter_map(|i| all.get(i).copied())
            .collect(),
        mine: nth + 1 == n,
        revealed: false,
        asked: 0,
        count: 0,
    });
    for &cell in &cells[..2] {
        system.send(cell, Message::Reveal);
    }
    system
}
