//! Stack overflows of the code under test: a failure with a counterexample, where the system lets us, instead of the end of the test program.
//!
//! Below the stack of every thread is a page that nobody may touch. Who runs into it gets a signal from the system. If it was code under test, the signal
//! handler lets its coroutine return at once, as [`corosensei::trap`] describes; what is on its stack is leaked. Within the library itself, or within
//! libc, which may hold a lock of its own then, that cannot be done: the process ends, with a message.

use super::current;
use super::thread::STACK;
use libc::{SA_ONSTACK, SA_SIGINFO, SIGSEGV, c_int, c_void, sigaction, siginfo_t, ucontext_t};
use std::cell::UnsafeCell;
use std::mem::MaybeUninit;
use std::sync::Once;

/// What was to be done before.
struct Before(UnsafeCell<MaybeUninit<sigaction>>);

// SAFETY: it is written once, before the handler is installed that reads it.
unsafe impl Sync for Before {}

static BEFORE: Before = Before(UnsafeCell::new(MaybeUninit::zeroed()));

/// Handles stack overflows of code under test from now on.
pub(super) fn handle() {
    static HANDLED: Once = Once::new();
    HANDLED.call_once(|| {
        // SAFETY: an action of zeros is a valid one, and the fields that count are set.
        let mut action: sigaction = unsafe { std::mem::zeroed() };
        action.sa_sigaction = handler as *const () as usize;
        action.sa_flags = SA_SIGINFO | SA_ONSTACK;
        // SAFETY: both actions are there; `handler` has the signature that `SA_SIGINFO` asks for. Threads of the standard library, in which checks run, have a
        // stack for signals.
        unsafe { sigaction(SIGSEGV, &raw const action, BEFORE.0.get().cast()) };
    });
}

extern "C" fn handler(_: c_int, info: *mut siginfo_t, context: *mut c_void) {
    // SAFETY: the system passes both, valid until the handler returns.
    let (address, context) = unsafe { ((*info).si_addr() as usize, &mut *context.cast::<ucontext_t>()) };
    let Some(trap) = current::overflowed(address) else {
        // SAFETY: `handle` has put it there. Whatever was at fault is done once more, and handled as it would have been.
        unsafe { sigaction(SIGSEGV, BEFORE.0.get().cast(), std::ptr::null_mut()) };
        return;
    };
    if !current::runs_user_code() || is_in_libc(registers::instruction(context)) {
        end_the_process();
    }
    // SAFETY: the stack pointer is within the coroutine, whose guard page was touched. Nothing on its stack is used again: it is as when an execution is
    // abandoned, which leaks what its threads own. Neither the library nor libc is in the middle of something. The registers are set below.
    let registers = unsafe { trap.setup_trap_handler(current::note_overflow) };
    registers::set(context, registers);
}

/// Whether an instruction is one of libc.
fn is_in_libc(instruction: usize) -> bool {
    let base = |address: *const c_void| {
        let mut found = MaybeUninit::<libc::Dl_info>::zeroed();
        // SAFETY: `found` is there to be written; zeros are valid, too.
        let found = unsafe {
            libc::dladdr(address, found.as_mut_ptr());
            found.assume_init()
        };
        found.dli_fbase as usize
    };
    let libc = base(libc::malloc as *const c_void);
    libc != 0 && libc != base(handler as *const c_void) && base(instruction as *const c_void) == libc
}

fn end_the_process() -> ! {
    let text = b"a thread of the code under test has overflowed its stack, at a place from which a check cannot go on\n";
    // SAFETY: the text is there; both functions may be called by signal handlers.
    unsafe {
        libc::write(2, text.as_ptr().cast(), text.len());
        libc::abort()
    }
}

/// What is said about it.
pub(super) fn message() -> String {
    format!(
        "the stack overflowed: {} KiB are not enough (`RUST_MIN_STACK` sets more), or the recursion does not end",
        *STACK / 1024
    )
}

#[cfg(target_arch = "x86_64")]
mod registers {
    use corosensei::trap::TrapHandlerRegs;
    use libc::{REG_RBP, REG_RDI, REG_RIP, REG_RSI, REG_RSP, ucontext_t};

    pub fn instruction(context: &ucontext_t) -> usize {
        context.uc_mcontext.gregs[REG_RIP as usize] as usize
    }

    pub fn set(context: &mut ucontext_t, registers: TrapHandlerRegs) {
        let TrapHandlerRegs { rip, rsp, rbp, rdi, rsi } = registers;
        let all = &mut context.uc_mcontext.gregs;
        for (which, value) in [(REG_RIP, rip), (REG_RSP, rsp), (REG_RBP, rbp), (REG_RDI, rdi), (REG_RSI, rsi)] {
            all[which as usize] = value as i64;
        }
    }
}

#[cfg(target_arch = "aarch64")]
mod registers {
    use corosensei::trap::TrapHandlerRegs;
    use libc::ucontext_t;

    pub fn instruction(context: &ucontext_t) -> usize {
        context.uc_mcontext.pc as usize
    }

    pub fn set(context: &mut ucontext_t, registers: TrapHandlerRegs) {
        let TrapHandlerRegs { pc, sp, x0, x1, x29, lr } = registers;
        let all = &mut context.uc_mcontext;
        (all.pc, all.sp) = (pc, sp);
        (all.regs[0], all.regs[1], all.regs[29], all.regs[30]) = (x0, x1, x29, lr);
    }
}
