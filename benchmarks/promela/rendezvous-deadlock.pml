/* Two peers that decide for themselves who speaks first over rendezvous channels.
 * Shows: when both want to speak, or both to listen, neither ever does.
 * verdict: deadlock
 */
chan ab = [0] of { byte };
chan ba = [0] of { byte };

active proctype alice() {
    byte v;
    if
    :: true -> ab!1; ba?v
    :: true -> ba?v; ab!1
    fi
}

active proctype bob() {
    byte v;
    if
    :: true -> ba!2; ab?v
    :: true -> ab?v; ba!2
    fi
}
