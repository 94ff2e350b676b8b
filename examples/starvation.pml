/* Two users of a room take turns as a lock decides, which knows nobody's turn: one of them may wait for ever. */

bool wants[2], inside[2];
bool locked;

active [2] proctype user() {
  do
  :: wants[_pid] = true;
     atomic { !locked -> locked = true };
     wants[_pid] = false;
     inside[_pid] = true;
     inside[_pid] = false;
     locked = false
  od
}

ltl alone  { [] !(inside[0] && inside[1]) }
ltl served { [] (wants[1] -> <> inside[1]) }
