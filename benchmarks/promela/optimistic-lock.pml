/* Writers that take a lock or write to a log of their own, and a reader who looks at both.
 * Shows: guarded and unguarded alternatives side by side, where source sets beat persistent sets.
 * verdict: complete
 */
bool locked;
byte shared_value;
byte own_log[2];
byte reads;

active [2] proctype writer() {
    if
    :: atomic { !locked -> locked = true };
       shared_value = _pid + 1;
       locked = false
    :: own_log[_pid] = 1
    fi;
    if
    :: atomic { !locked -> locked = true };
       shared_value = 0;
       locked = false
    :: own_log[_pid] = 2
    fi
}

active proctype reader() {
    if
    :: atomic { !locked -> locked = true };
       assert(shared_value <= 2);
       locked = false
    :: reads = 1
    fi
}
