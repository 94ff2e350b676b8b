//! A mail server with an address book (FORTE'14 Mail). As in [`super::dht`], the rest of a task that awaits a future is a message sent
//! by whoever resolves the future.

use crate::{Actor, Address, Context, Fields, Sends, System};
use std::collections::BTreeMap;

#[derive(Clone, Hash, Debug, Default)]
struct User {
    received: Vec<u32>,
}

#[derive(Clone, Hash, Debug)]
struct Receive(u32);

impl Actor for User {
    type Message = Receive;

    fn handle(&mut self, Receive(mail): Receive, _: &mut Context<Self>) {
        self.received.push(mail);
    }

    fn sends(sends: &mut Sends<Self>) {
        sends.on("Receive");
    }
}

#[derive(Clone, Hash, Debug, Default)]
struct Book {
    users: BTreeMap<&'static str, Address<User>>,
}

#[derive(Clone, Hash, Debug)]
enum ToBook {
    AddUser(&'static str, Address<User>),
    GetUserAddress(&'static str, Address<Server>, u32, Vec<&'static str>),
}

impl Actor for Book {
    type Message = ToBook;

    fn handle(&mut self, message: ToBook, context: &mut Context<Self>) {
        match message {
            ToBook::AddUser(name, user) => {
                self.users.insert(name, user);
            }
            ToBook::GetUserAddress(name, server, mail, rest) => {
                let user = self.users.get(name).copied();
                context.send(server, ToServer::Resumed(mail, user, rest));
            }
        }
    }

    fn touches(message: &ToBook, fields: &mut Fields) {
        match message {
            ToBook::AddUser(..) => fields.write("users"),
            ToBook::GetUserAddress(..) => fields.read("users"),
        };
    }

    fn sends(sends: &mut Sends<Self>) {
        sends.on("AddUser");
        sends.on("GetUserAddress").send::<Server>("Resumed");
    }
}

#[derive(Clone, Hash, Debug)]
struct Server {
    book: Address<Book>,
    names: Vec<&'static str>,
}

#[derive(Clone, Hash, Debug)]
enum ToServer {
    AddUser(&'static str, Address<User>),
    Notify(u32),
    /// The rest of `notify`: the mail, whom the book named, and the names still to do.
    Resumed(u32, Option<Address<User>>, Vec<&'static str>),
}

impl Server {
    fn look_up(&self, mail: u32, names: &[&'static str], context: &mut Context<Self>) {
        if let Some((name, rest)) = names.split_first() {
            context.send(self.book, ToBook::GetUserAddress(name, context.me(), mail, rest.to_vec()));
        }
    }
}

impl Actor for Server {
    type Message = ToServer;

    fn handle(&mut self, message: ToServer, context: &mut Context<Self>) {
        match message {
            ToServer::AddUser(name, user) => {
                self.names.insert(0, name);
                context.send(self.book, ToBook::AddUser(name, user));
            }
            ToServer::Notify(mail) => self.look_up(mail, &self.names, context),
            ToServer::Resumed(mail, user, rest) => {
                if let Some(user) = user {
                    context.send(user, Receive(mail));
                }
                self.look_up(mail, &rest, context);
            }
        }
    }

    fn touches(message: &ToServer, fields: &mut Fields) {
        match message {
            ToServer::AddUser(..) => fields.write("names").read("book"),
            ToServer::Notify(_) => fields.read("names").read("book"),
            ToServer::Resumed(..) => fields.read("book"),
        };
    }

    fn sends(sends: &mut Sends<Self>) {
        sends.on("AddUser").send::<Book>("AddUser");
        sends.on("Notify").send::<Book>("GetUserAddress");
        sends.on("Resumed").send::<Book>("GetUserAddress").send::<User>("Receive");
    }
}

/// Two users and `mails` notifications.
pub(super) fn system(mails: u32) -> System {
    let mut system = System::new();
    let users = ["John", "Mary"].map(|name| (name, system.create_named(name, User::default())));
    let book = system.create_named("book", Book::default());
    let names = Vec::new();
    let server = system.create_named("server", Server { book, names });
    for (name, user) in users {
        system.send(server, ToServer::AddUser(name, user));
    }
    for mail in 0..mails {
        system.send(server, ToServer::Notify(mail));
    }
    system
}
