//! Several copies of a process, and constants that are set from outside.

use mazurka_litmus::{Machine, Model, text};

fn parse(text: &str) -> Model {
    text::parse("test.litmus", text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn set(name: &str, value: i64) -> (String, i64) {
    (name.to_owned(), value)
}

#[test]
fn copies_are_processes_that_differ_in_their_number() {
    let copies = parse("const N=3; init a[N]; worker[id<N](i=7):[a[id]=i] p:[x=1]");
    let one_by_one = parse("init a[3]; worker 0(id=0, i=7):[a[id]=i] worker 1(id=1, i=7):[a[id]=i] worker 2(id=2, i=7):[a[id]=i] p:[x=1]");
    assert_eq!(copies, one_by_one);
    assert_eq!(
        parse("w[2]:[x=1]"),
        parse("w 0:[x=1] w 1:[x=1]"),
        "a number that nobody needs is no local"
    );
}

#[test]
fn printing_copies_is_the_inverse_of_reading() {
    for source in [
        "const N=2, M=-1; init a[N]=M; w[id<N](i=M): #top[l=a[(id+1)%N]; if (l<N) { i=i-M; goto top }][x=-N]",
        "w[3]:[lock m][unlock m] k(n):[x += n] p:[spawn k(7)]",
        "p:[spawn k 1(2)] k 1(n):[y=n] k 2:[y=3]",
    ] {
        let model = parse(source);
        let printed = model.to_string();
        assert_eq!(parse(&printed), model, "{printed}");
    }
}

#[test]
fn processes_behind_copies_are_spawned_by_their_names() {
    let copies = parse("w[2]:[spawn k] k:[x=1] p:[spawn j] v[i<3]:[y=i] j:[z=1]");
    let one_by_one = parse("w 0:[spawn k] w 1:[spawn k] k:[x=1] p:[spawn j] v 0(i=0):[y=i] v 1(i=1):[y=i] v 2(i=2):[y=i] j:[z=1]");
    assert_eq!(copies, one_by_one);
}

#[test]
fn processes_behind_one_with_a_number_are_spawned_by_their_names() {
    let model = parse("w 1:[spawn k] w 2:[spawn j] k:[x=1] j:[y=1]");
    assert_eq!(model.to_string(), parse(&model.to_string()).to_string());
    assert!(model.to_string().contains("spawn k]"), "{model}");
}

#[test]
fn a_constant_has_the_value_it_is_set_to() {
    let text = "const N=2, LIMIT=10; init a[N]; w[id<N]:[a[id]=LIMIT]";
    let settings = [set("N", 4), set("LIMIT", -5)];
    let model = text::parse_with("test.litmus", text, &settings).unwrap();
    assert_eq!(model, parse("const N=4, LIMIT=-5; init a[N]; w[id<N]:[a[id]=LIMIT]"));
    let machine = Machine::parse_file_with("test.litmus", text, &settings).unwrap();
    assert_eq!(machine.model().bodies().len(), 4);
}

#[test]
fn mistakes_about_copies_and_constants_are_shown() {
    let texts = [
        "const N;\np:[]\n",
        "const N=1, N=2;\np:[]\n",
        "const N=1; init N=2;\np:[]\n",
        "const N=1;\np(N):[]\n",
        "const N=1;\np:[N=2]\n",
        "const SIZE=1;\np:[x=SIEZ]\n",
        "const SIZE=1; init a[SIEZ];\np:[]\n",
        "w[0]:[]\n",
        "w[-1]:[]\n",
        "w[4001]:[]\n",
        "w[3000]:[]\nv[3000]:[]\n",
        "w[N]:[]\n",
        "w[]:[]\n",
        "w[id<2:[]\n",
        "init id;\nw[id<2]:[]\n",
        "w[id<2](id):[]\n",
        "w[2]:[]\np:[spawn w]\n",
        "w[2]:[]\nw[3]:[]\n",
        "w[2]:[]\nw:[]\n",
        "w 1:[]\nw[2]:[]\n",
        "w[2]:[]\nw 1:[]\n",
        "p:[]\nw 1[2]:[]\n",
        "w 1[x=1]\n",
        "w 3000000000:[]\n",
        "w 1x:[]\n",
        "w:[]\np:[spawn w 1]\n",
    ];
    let mut messages: Vec<String> = texts
        .iter()
        .map(|source| text::parse("test.litmus", source).expect_err(source).render(source, false))
        .collect();
    let text = "const N=2, LIMIT=10;\ninit a[N];\nw[id<N]:[a[id]=LIMIT]\n";
    for settings in [
        vec![set("M", 3)],
        vec![set("limit", 3)],
        vec![set("N", 3), set("N", 4)],
        vec![set("N", -1)],
        vec![set("N", 5000)],
        vec![set("LIMIT", 3_000_000_000)],
    ] {
        messages.push(text::parse_with("test.litmus", text, &settings).unwrap_err().render(text, false));
    }
    let none = text::parse_with("test.litmus", "p:[x=1]", &[set("N", 1)]).unwrap_err();
    messages.push(none.render("p:[x=1]", false));
    insta::assert_snapshot!(messages.join("\n"));
}

#[test]
fn copies_that_would_fill_the_memory_are_refused() {
    let text = format!("w[4000]:{}", "[x=1]".repeat(10_000));
    assert!(
        text::parse("t", &text)
            .unwrap_err()
            .message
            .contains("4000 copies of w have more than")
    );
}
