//! Who may ask: only the page that this server has sent.
//!
//! Other pages in the same browser can send requests to any address on this machine. They are kept out in three ways. They do not know the token,
//! which is part of every address. The host that they name is another one where a name of theirs was made to point here. And the origin that
//! the browser says a request comes from is theirs.

use axum::http::{HeaderMap, Method, header};

/// Why a request is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Intruder {
    /// It names another host.
    Host,
    /// It does not know the token.
    Token,
    /// It comes from another page.
    Origin,
}

impl Intruder {
    /// What it is told.
    pub fn message(self) -> &'static str {
        match self {
            Intruder::Host => "this server answers under its own address only\n",
            Intruder::Token => "the address is not complete: open the one that `mazurka serve` has printed\n",
            Intruder::Origin => "this server answers to its own page only\n",
        }
    }
}

/// What requests are held against.
pub(crate) struct Guard {
    token: String,
    port: u16,
    /// Whether only this machine can reach the server. Otherwise its names are not known here, and the token alone must do.
    local: bool,
}

impl Guard {
    pub fn new(token: String, port: u16, local: bool) -> Self {
        Guard { token, port, local }
    }

    /// The rest of the path behind the token, if the request may be answered.
    pub fn admit<'u>(&self, method: &Method, path: &'u str, headers: &HeaderMap) -> Result<&'u str, Intruder> {
        let text = |name: header::HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or_default());
        let host = text(header::HOST).unwrap_or_default();
        if self.local && !self.is_own(host) {
            return Err(Intruder::Host);
        }
        let (token, rest) = path
            .strip_prefix('/')
            .and_then(|path| path.split_once('/'))
            .ok_or(Intruder::Token)?;
        if !same(token.as_bytes(), self.token.as_bytes()) {
            return Err(Intruder::Token);
        }
        // Browsers name the origin of everything that is not a plain look; what does not is no page.
        let own_page = match text(header::ORIGIN) {
            Some(origin) => origin == format!("http://{host}"),
            None => method == Method::GET,
        };
        let from_elsewhere = headers
            .get("sec-fetch-site")
            .is_some_and(|site| method != Method::GET && site != "same-origin");
        if !own_page || from_elsewhere {
            return Err(Intruder::Origin);
        }
        Ok(rest)
    }

    fn is_own(&self, host: &str) -> bool {
        ["127.0.0.1", "localhost", "[::1]"]
            .iter()
            .any(|name| host == format!("{name}:{}", self.port))
    }
}

/// Compares all bytes, so that the time it takes tells nothing about where two words differ.
fn same(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && a.iter().zip(b).fold(0, |difference, (x, y)| difference | (x ^ y)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    fn asked(method: Method, path: &str, headers: &[(&'static str, &'static str)]) -> Result<String, Intruder> {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.insert(*name, HeaderValue::from_static(value));
        }
        Guard::new("secret".to_owned(), 4000, true)
            .admit(&method, path, &map)
            .map(str::to_owned)
    }

    #[test]
    fn the_page_and_its_questions_are_admitted() {
        let own = ("host", "127.0.0.1:4000");
        assert_eq!(asked(Method::GET, "/secret/", &[own]), Ok(String::new()));
        assert_eq!(
            asked(Method::GET, "/secret/app.js", &[("host", "localhost:4000")]),
            Ok("app.js".to_owned())
        );
        let question = [own, ("origin", "http://127.0.0.1:4000"), ("sec-fetch-site", "same-origin")];
        assert_eq!(asked(Method::POST, "/secret/api/check", &question), Ok("api/check".to_owned()));
    }

    #[test]
    fn everybody_else_is_not() {
        let own = ("host", "127.0.0.1:4000");
        for (path, headers, why) in [
            (
                "/secret/api/check",
                vec![("host", "evil.example:4000"), ("origin", "http://evil.example:4000")],
                Intruder::Host,
            ),
            ("/secret/api/check", vec![("host", "127.0.0.1:4001")], Intruder::Host),
            ("/secret/api/check", vec![], Intruder::Host),
            ("/secret", vec![own], Intruder::Token),
            ("/", vec![own], Intruder::Token),
            ("", vec![own], Intruder::Token),
            ("/secreT/api/check", vec![own], Intruder::Token),
            ("/secre/api/check", vec![own], Intruder::Token),
            ("//api/check", vec![own], Intruder::Token),
            ("/secret/api/check", vec![own], Intruder::Origin),
            ("/secret/api/check", vec![own, ("origin", "http://evil.example")], Intruder::Origin),
            ("/secret/api/check", vec![own, ("origin", "null")], Intruder::Origin),
            (
                "/secret/api/check",
                vec![own, ("origin", "http://localhost:4000")],
                Intruder::Origin,
            ),
            (
                "/secret/api/check",
                vec![own, ("origin", "http://127.0.0.1:4000"), ("sec-fetch-site", "cross-site")],
                Intruder::Origin,
            ),
        ] {
            assert_eq!(asked(Method::POST, path, &headers), Err(why), "{path} {headers:?}");
        }
        assert_eq!(
            asked(Method::GET, "/secret/", &[own, ("origin", "http://evil.example")]),
            Err(Intruder::Origin)
        );
    }
}
