//! Reading the notation that [`Script`] prints.

use super::script::{
    CLASSES, Comparison, Declares, Initial, MODULUS, Method, NUMBER_NAMES, Operand, Operation, Script, Send, Start, Test, Whom,
};

impl Script {
    /// Reads a program.
    ///
    /// # Errors
    /// The line and what is wrong with it.
    ///
    /// ```
    /// let text = "actors 2\nwork: p!register(me)\nregister when x<2: x+=1\nstart a1!work(a0), a0!register()\n";
    /// let script = mazurka_laboratory::actors::Script::parse(text).unwrap();
    /// assert_eq!(script.to_string(), text);
    /// ```
    pub fn parse(text: &str) -> Result<Script, String> {
        let mut script = Script::default();
        // Methods may be sent before they are written down: names first.
        for line in text.lines().map(str::trim) {
            if let Some((head, _)) = method_line(line) {
                let name = head.split_whitespace().next().unwrap_or_default().to_owned();
                script.methods.push(Method { name, ..Method::default() });
            }
        }
        for (nth, line) in text.lines().enumerate() {
            script.line(line.trim()).map_err(|e| format!("line {}: {e}", nth + 1))?;
        }
        Ok(script)
    }

    fn line(&mut self, line: &str) -> Result<(), String> {
        if let Some((head, body)) = method_line(line) {
            let (words, guard) = match head.split_once(" when ") {
                None => (head, ""),
                Some((words, guard)) => (words, guard),
            };
            let mut words = words.split_whitespace();
            let at = self.method(words.next().unwrap_or_default())?;
            for word in words {
                match Declares::ALL.into_iter().find(|d| d.name() == word) {
                    Some(declares) => self.methods[at].declares = declares,
                    None if word == "open" => self.methods[at].sends_anything = true,
                    None => return Err(format!("expected `open`, `fields`, `all`, `all+guard` or `when`, not `{word}`")),
                }
            }
            for condition in guard.split("&&").map(str::trim).filter(|c| !c.is_empty()) {
                self.methods[at].guard.push(test(condition)?);
            }
            for operation in body.split(';').map(str::trim).filter(|o| !o.is_empty()) {
                let operation = self.operation_of(operation)?;
                self.methods[at].operations.push(operation);
            }
            return Ok(());
        }
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        // Commas also stand between the parts of a message.
        let items = || {
            let mut depth = 0;
            let outside = move |c: char| {
                depth += i32::from(c == '(') - i32::from(c == ')');
                c == ',' && depth == 0
            };
            rest.split(outside).map(str::trim).filter(|i| !i.is_empty())
        };
        match word {
            "" => Ok(()),
            "actors" => {
                let n: usize = rest
                    .trim()
                    .parse()
                    .map_err(|_| format!("expected a number of actors, not `{rest}`"))?;
                self.actors = vec![Initial::default(); n];
                Ok(())
            }
            "init" => items().try_for_each(|item| self.initial(item)),
            "start" => items().try_for_each(|item| {
                let (to, method, argument, value) = send_parts(item)?;
                let start = Start {
                    to: self.actor(to)?,
                    method: self.method(method)?,
                    argument: (!argument.is_empty()).then(|| self.actor(argument)).transpose()?,
                    value: if value.is_empty() { 0 } else { constant(value)? },
                };
                self.start.push(start);
                Ok(())
            }),
            _ => Err(format!("expected `actors`, `init`, `start` or a method, not `{line}`")),
        }
    }

    fn initial(&mut self, item: &str) -> Result<(), String> {
        let wrong = || format!("expected `a0.x=1` or `a0.g=a1`, not `{item}`");
        let (place, value) = item.split_once('=').ok_or_else(wrong)?;
        let (actor, field) = place.split_once('.').ok_or_else(wrong)?;
        let actor = self.actor(actor)?;
        match field {
            "g" => self.actors[actor].reference = Some(self.actor(value)?),
            "class" => self.actors[actor].class = class(value)?,
            _ => self.actors[actor].numbers[number(field)?] = constant(value)?,
        }
        Ok(())
    }

    fn actor(&self, name: &str) -> Result<usize, String> {
        let at = name.strip_prefix('a').and_then(|n| n.parse().ok());
        at.filter(|at| *at < self.actors.len())
            .ok_or_else(|| format!("there is no actor `{name}`"))
    }

    fn method(&self, name: &str) -> Result<usize, String> {
        let at = self.methods.iter().position(|m| m.name == name);
        at.ok_or_else(|| format!("there is no method `{name}`"))
    }

    fn operation_of(&self, text: &str) -> Result<Operation, String> {
        if let Some(rest) = text.strip_prefix("if ") {
            let (condition, inner) = rest.trim().split_once(' ').ok_or("expected `if x==1 OPERATION`")?;
            return Ok(Operation::If(test(condition)?, Box::new(self.operation_of(inner.trim())?)));
        }
        if let Some(rest) = text.strip_prefix("assert ") {
            return Ok(Operation::Assert(test(rest)?));
        }
        match text {
            "new" => return Ok(Operation::Create(0)),
            "fail" => return Ok(Operation::Fail),
            "g=p" => return Ok(Operation::Remember),
            "g=null" => return Ok(Operation::Forget),
            _ => {}
        }
        if text.contains('(') {
            let (to, method, argument, value) = send_parts(text)?;
            return Ok(Operation::Send(Send {
                to: whom(to)?,
                method: self.method(method)?,
                argument: whom(argument)?,
                value: (!value.is_empty()).then(|| number(value)).transpose()?,
            }));
        }
        if let Some(name) = text.strip_prefix("new") {
            return Ok(Operation::Create(class(name)?));
        }
        if let Some((field, value)) = text.split_once("+=") {
            return Ok(Operation::Add(number(field)?, constant(value)?));
        }
        if let Some((field, _)) = text.split_once("*=2") {
            return Ok(Operation::Double(number(field)?));
        }
        let (field, value) = text.split_once('=').ok_or_else(|| format!("`{text}` is not an operation"))?;
        match number(value.trim()) {
            _ if value.trim() == "n" => Ok(Operation::Take(number(field)?)),
            Ok(from) => Ok(Operation::Copy(number(field)?, from)),
            Err(_) => Ok(Operation::Set(number(field)?, constant(value)?)),
        }
    }
}

/// Head and body of a method; neither `start` nor `init` lines contain a colon.
fn method_line(line: &str) -> Option<(&str, &str)> {
    line.split_once(':')
}

/// Receiver, method, reference and number.
fn send_parts(text: &str) -> Result<(&str, &str, &str, &str), String> {
    let wrong = || format!("expected RECEIVER!METHOD(REFERENCE,NUMBER), not `{text}`");
    let (to, rest) = text.split_once('!').ok_or_else(wrong)?;
    let (method, inside) = rest.strip_suffix(')').and_then(|r| r.split_once('(')).ok_or_else(wrong)?;
    let (argument, value) = inside.split_once(',').unwrap_or((inside, ""));
    Ok((to.trim(), method.trim(), argument.trim(), value.trim()))
}

fn class(text: &str) -> Result<usize, String> {
    let class = text.trim().parse().ok().filter(|c| *c < CLASSES);
    class.ok_or_else(|| format!("expected a class below {CLASSES}, not `{text}`"))
}

fn whom(name: &str) -> Result<Whom, String> {
    Whom::ALL
        .into_iter()
        .find(|w| w.name() == name)
        .ok_or_else(|| format!("expected `me`, `p`, `g`, `c` or `every`, not `{name}`"))
}

fn number(name: &str) -> Result<usize, String> {
    let at = NUMBER_NAMES.iter().position(|n| *n == name.trim());
    at.ok_or_else(|| format!("there is no number `{name}`"))
}

fn constant(text: &str) -> Result<u8, String> {
    let value = text.trim().parse().ok().filter(|v| *v < MODULUS);
    value.ok_or_else(|| format!("expected a number below {MODULUS}, not `{text}`"))
}

fn test(text: &str) -> Result<Test, String> {
    for comparison in Comparison::ALL {
        if let Some((field, value)) = text.split_once(comparison.sign()) {
            return Ok(Test {
                number: number(field)?,
                comparison,
                with: if value.trim() == "n" {
                    Operand::Value
                } else {
                    Operand::Constant(constant(value)?)
                },
            });
        }
    }
    Err(format!("expected a test such as `x==1`, not `{text}`"))
}
