/* Three friends who each tell one neighbour or write a diary.
 * Shows: choices between channels, where source sets beat persistent sets.
 * verdict: complete
 */
chan ear[3] = [2] of { byte };
byte diary[3];

active [3] proctype friend() {
    byte heard;
    if
    :: ear[(_pid + 1) % 3]!_pid
    :: ear[(_pid + 2) % 3]!_pid
    :: diary[_pid] = 1
    fi;
    if
    :: ear[_pid]?heard -> assert(heard != _pid)
    :: diary[_pid] = 2
    fi
}
