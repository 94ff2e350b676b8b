//! The protocol in production.

use mazurka::actors::host;
use ractor_deposits::adapter::{Runtime, Told};
use ractor_deposits::deposits::{Bank, Teller, ToTeller};
use std::time::Duration;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let runtime = Runtime::new(Duration::from_millis(5));
    let bank = Bank {
        balance: 0,
        known: Default::default(),
        looks: true,
    };
    let bank = runtime.start(0, bank).await?;
    let teller = Teller {
        bank: host::address(0),
        to_do: vec![(2, 30), (1, 12)],
        tries: 0,
        most_tries: u32::MAX,
    };
    let teller = runtime.start(1, teller).await?;
    teller.send_message(Told::Message(ToTeller::GoOn))?;
    loop {
        let (show, shown) = tokio::sync::oneshot::channel();
        bank.send_message(Told::Show(Box::new(move |bank: &Bank| _ = show.send(bank.balance))))?;
        let balance = shown.await?;
        println!("the balance is {balance}");
        if balance == 42 {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}
