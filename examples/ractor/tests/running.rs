//! The same handlers on tasks and timers, with a network that loses every second message to each of them.

use mazurka::actors::host;
use ractor_deposits::adapter::{Runtime, Told};
use ractor_deposits::deposits::{Bank, Teller, ToTeller};
use std::time::Duration;

#[tokio::test]
async fn what_gets_lost_is_sent_again() {
    let mut sent = [0, 0];
    let runtime = Runtime::new(Duration::from_millis(1)).losing(move |to| {
        sent[to as usize] += 1;
        sent[to as usize] % 2 == 1
    });
    let bank = Bank {
        balance: 0,
        known: Default::default(),
        looks: true,
    };
    let bank = runtime.start(0, bank).await.expect("a bank");
    let teller = Teller {
        bank: host::address(0),
        to_do: vec![(3, 100), (2, 30), (1, 12)],
        tries: 0,
        most_tries: u32::MAX,
    };
    let teller = runtime.start(1, teller).await.expect("a teller");
    teller.send_message(Told::Message(ToTeller::GoOn)).expect("it runs");
    loop {
        let (show, shown) = tokio::sync::oneshot::channel();
        let look = move |teller: &Teller| _ = show.send(teller.to_do.len());
        teller.send_message(Told::Show(Box::new(look))).expect("it runs");
        if shown.await.expect("a state") == 0 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    let (show, shown) = tokio::sync::oneshot::channel();
    let look = move |bank: &Bank| _ = show.send((bank.balance, bank.known.len()));
    bank.send_message(Told::Show(Box::new(look))).expect("it runs");
    assert_eq!(shown.await, Ok((142, 3)));
}
