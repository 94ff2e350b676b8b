//! `select!` and `select_biased!`.

/// Waits until one of the operations can be carried out, and carries it out. If several can, it may be any of them.
#[macro_export]
macro_rules! select {
    ($($cases:tt)*) => {
        $crate::__select!(@read (new) [] $($cases)*)
    };
}

/// The same, but the first of those that can be carried out is.
#[macro_export]
macro_rules! select_biased {
    ($($cases:tt)*) => {
        $crate::__select!(@read (new_biased) [] $($cases)*)
    };
}

/// Reads the cases one by one, makes a selection of them, and runs the body of the one that was selected.
#[doc(hidden)]
#[macro_export]
macro_rules! __select {
    // Cases as they are written, with a block or an expression.
    (@read $new:tt [$($read:tt)*] $kind:ident($($on:tt)*) $(-> $result:pat)? => $body:block, $($rest:tt)*) => {
        $crate::__select!(@read $new [$($read)* ($kind($($on)*) ($($result)?) $body)] $($rest)*)
    };
    (@read $new:tt [$($read:tt)*] $kind:ident($($on:tt)*) $(-> $result:pat)? => $body:block $($rest:tt)*) => {
        $crate::__select!(@read $new [$($read)* ($kind($($on)*) ($($result)?) $body)] $($rest)*)
    };
    (@read $new:tt [$($read:tt)*] $kind:ident($($on:tt)*) $(-> $result:pat)? => $body:expr, $($rest:tt)*) => {
        $crate::__select!(@read $new [$($read)* ($kind($($on)*) ($($result)?) $body)] $($rest)*)
    };
    (@read $new:tt [$($read:tt)*] $kind:ident($($on:tt)*) $(-> $result:pat)? => $body:expr) => {
        $crate::__select!(@read $new [$($read)* ($kind($($on)*) ($($result)?) $body)])
    };
    (@read $new:tt [$($read:tt)*] default => $($rest:tt)*) => {
        $crate::__select!(@read $new [$($read)*] default() => $($rest)*)
    };
    (@read ($new:ident) [$($read:tt)*]) => {{
        let mut selection = $crate::Select::$new();
        $crate::__select!(@add selection [] [] $($read)*)
    }};

    // Each case gets a place in the selection.
    (@add $selection:ident [$($added:tt)*] [$($default:tt)*] (recv($receiver:expr $(,)?) ($($result:tt)*) $body:expr) $($rest:tt)*) => {
        // What is made for the expression lives as long as the selection.
        match &$receiver {
            receiver => {
                let index = $selection.recv(receiver);
                $crate::__select!(@add $selection [$($added)* (index recv(receiver) ($($result)*) $body)] [$($default)*] $($rest)*)
            }
        }
    };
    (@add $selection:ident [$($added:tt)*] [$($default:tt)*] (send($sender:expr, $message:expr $(,)?) ($($result:tt)*) $body:expr) $($rest:tt)*) => {
        match &$sender {
            sender => {
                let index = $selection.send(sender);
                $crate::__select!(@add $selection [$($added)* (index send(sender, $message) ($($result)*) $body)] [$($default)*] $($rest)*)
            }
        }
    };
    (@add $selection:ident $added:tt [] (default($($timeout:expr $(,)?)?) () $body:expr) $($rest:tt)*) => {
        $crate::__select!(@add $selection $added [(($($timeout)?) $body)] $($rest)*)
    };

    (@add $selection:ident [$($added:tt)*] []) => {{
        let selected = $selection.select();
        ::std::mem::drop($selection);
        $crate::__select!(@run selected $($added)*)
    }};
    (@add $selection:ident [$($added:tt)*] [(() $body:expr)]) => {{
        let selected = $selection.try_select();
        ::std::mem::drop($selection);
        match selected {
            ::std::result::Result::Ok(selected) => $crate::__select!(@run selected $($added)*),
            ::std::result::Result::Err(_) => $body,
        }
    }};
    (@add $selection:ident [$($added:tt)*] [(($timeout:expr) $body:expr)]) => {{
        let selected = $selection.select_timeout($timeout);
        ::std::mem::drop($selection);
        match selected {
            ::std::result::Result::Ok(selected) => $crate::__select!(@run selected $($added)*),
            ::std::result::Result::Err(_) => $body,
        }
    }};

    // The one that was selected is completed before its body runs.
    (@run $selected:ident ($index:ident $how:ident($($on:tt)*) ($($result:pat)?) $body:expr) $($rest:tt)*) => {
        if $selected.index() == $index {
            let result = $selected.$how($($on)*);
            $(let $result = result;)?
            $body
        } else {
            $crate::__select!(@run $selected $($rest)*)
        }
    };
    (@run $selected:ident) => {{
        let _ = $selected;
        ::std::unreachable!("one of the cases was selected")
    }};
}
