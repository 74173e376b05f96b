#!/bin/busybox sh
# First process of the guest: shows the CPU, then runs every line of /jobs and prints its exit code.
# A test that skipped a path fails here.
/bin/busybox --install -s /bin
mount -t proc proc /proc
# Bochs executes REP MOVSB byte by byte; without it, copies take the vector instructions.
export GLIBC_TUNABLES=glibc.cpu.hwcaps=-ERMS,-FSRM
echo "== CPU:$(grep -m1 'model name' /proc/cpuinfo | cut -d: -f2)"
echo "== AVX-512:$(grep -m1 flags /proc/cpuinfo | grep -o ' avx512[a-z0-9_]*' | tr -d '\n')"
cd "$(cat /repository)"
while read -r job; do
    echo "== RUN $job"
    start=$(cut -d' ' -f1 /proc/uptime)
    sh -c "$job" > /tmp/out 2>&1
    code=$?
    ! grep -q '^skipped: ' /tmp/out || code=1
    if [ $code = 0 ]; then tail -n 7 /tmp/out; else cat /tmp/out; fi
    echo "== EXIT $code (uptime $start to $(cut -d' ' -f1 /proc/uptime))"
done < /jobs
echo "== DONE"
while :; do sleep 1000; done
