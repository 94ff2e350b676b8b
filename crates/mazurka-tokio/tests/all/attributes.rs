//! `#[tokio::test]` and `#[tokio::main]`.

use tokio::sync::mpsc;

#[tokio::test]
async fn a_test_is_a_check() {
    let (sender, mut receiver) = mpsc::channel(1);
    tokio::spawn(async move { sender.send(1).await });
    assert_eq!(receiver.recv().await, Some(1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2, executions = 10)]
async fn a_test_may_return_a_result() -> Result<(), mpsc::error::SendError<u32>> {
    let (sender, mut receiver) = mpsc::unbounded_channel();
    sender.send(1)?;
    assert_eq!(receiver.recv().await, Some(1));
    Ok(())
}

#[tokio::test]
#[should_panic(expected = "the other was first")]
async fn a_test_fails_if_one_execution_does() {
    let (sender, mut receiver) = mpsc::unbounded_channel();
    for n in 0..2 {
        let sender = sender.clone();
        tokio::spawn(async move { sender.send(n).is_ok() });
    }
    assert_eq!(receiver.recv().await, Some(0), "the other was first");
}

#[test]
fn a_main_function_runs_to_its_end() {
    #[tokio::main(flavor = "current_thread")]
    async fn main() -> u32 {
        tokio::spawn(async { 7 }).await.unwrap()
    }
    assert_eq!(main(), 7);
}
