#!/usr/bin/env bash
# Runs the candidate's AVX-512 path on an emulated CPU; see README.md.
# usage: emulate.sh [CASES [SEED...]]        default: 50,000 cases, seeds 1 and 2
set -euo pipefail

cases=${1:-50000}
seeds=("${@:2}")
[ ${#seeds[@]} -gt 0 ] || seeds=(1 2)
here=$(cd "$(dirname "$0")" && pwd)
repository=$(cd "$here/../.." && pwd)

missing=()
need() { [ -e "$1" ] || missing+=("$2"); }
need /usr/bin/bochs bochs
need /usr/share/bochs/BIOS-bochs-latest bochsbios
need /usr/share/bochs/VGABIOS-lgpl-latest vgabios
need /bin/busybox busybox-static
need /usr/lib/ISOLINUX/isolinux.bin isolinux
need /usr/lib/syslinux/modules/bios/ldlinux.c32 syslinux-common
need /usr/bin/xorriso xorriso
need /usr/bin/cpio cpio
need /usr/bin/bc bc
need /usr/bin/bison bison
need /usr/bin/flex flex
need /usr/include/libelf.h libelf-dev
source=$(find /usr/src -maxdepth 1 -name 'linux-source-*.tar.xz' | sort -V | tail -n 1)
[ -n "$source" ] || missing+=(linux-source)
if [ ${#missing[@]} -gt 0 ]; then
    echo "missing Debian packages: apt-get install ${missing[*]}" >&2
    exit 2
fi

# EMULATE_DIR names a folder that stays, so that the kernel is built once.
if [ -n "${EMULATE_DIR:-}" ]; then
    mkdir -p "$EMULATE_DIR"
    work=$(cd "$EMULATE_DIR" && pwd)
else
    work=$(mktemp -d)
fi
bochs=
finish() {
    [ -z "$bochs" ] || kill "$bochs" 2>/dev/null || true
    [ -n "${EMULATE_DIR:-}" ] || rm -rf "$work"
}
trap finish EXIT

say() { printf '%6ds  %s\n' "$SECONDS" "$*"; }

if [ ! -e "$work/vmlinuz" ]; then
    say "building the kernel from $(basename "$source")"
    mkdir -p "$work/linux"
    tar -xf "$source" -C "$work/linux" --strip-components=1
    (
        cd "$work/linux"
        make tinyconfig
        scripts/kconfig/merge_config.sh -m .config "$here/kernel.config"
        make olddefconfig
        make -j"$(nproc)" bzImage
    ) > "$work/kernel.log" 2>&1 || { tail -n 20 "$work/kernel.log" >&2; exit 1; }
    cp "$work/linux/arch/x86/boot/bzImage" "$work/vmlinuz"
fi

say "building q7diff and the candidate's tests"
cd "$repository"
target=$(cargo metadata --format-version 1 --no-deps | sed 's/.*"target_directory":"\([^"]*\)".*/\1/')
cargo build --release --quiet -p harness --bin q7diff
tests=$(cargo test --release --no-run -p candidate --lib --test vector_values --test tensor_golden 2>&1 |
    sed -n 's/.*Executable.*(\(.*\))$/\1/p')

say "building the disk"
root=$work/root
rm -rf "$root"
mkdir -p "$root"/{bin,dev,proc,tmp} "$root$repository/candidate" "$work/iso"
cp /bin/busybox "$root/bin/busybox"
cp "$here/guest.sh" "$root/init"
cp -r "$repository/corpus" "$root$repository/corpus"
echo "$repository" > "$root/repository"

install_program() { # FILE NAME: strips it, and takes the shared libraries it names along
    strip -o "$root/bin/$2" "$1"
    ldd "$1" | grep -o '/[^ ]*' | while read -r library; do
        mkdir -p "$root$(dirname "$library")"
        cp -L "$library" "$root$library"
    done
}
install_program "$target/release/q7diff" q7diff
for test in $tests; do
    name=$(basename "$test" | sed 's/-[0-9a-f]*$//')
    install_program "$test" "test-$name"
done
{
    echo "test-candidate --nocapture simd lanes tile transpose row"
    echo "test-vector_values --nocapture"
    # Bochs 2.7 converts UINT32 to FP32 wrongly, see README.md: no tensor programs either.
    echo "test-tensor_golden --nocapture --skip every_dtype_vector_holds_on_every_path"
    for seed in "${seeds[@]}"; do
        echo "Q7DIFF_SIMD=avx512 q7diff run --family vector --seed $seed --cases $cases --report /tmp/report"
    done
} > "$root/jobs"
(cd "$root" && find . | cpio --quiet -o -H newc | gzip -1) > "$work/iso/initrd.gz"

cp "$work/vmlinuz" "$work/iso/vmlinuz"
cp /usr/lib/ISOLINUX/isolinux.bin /usr/lib/syslinux/modules/bios/ldlinux.c32 "$work/iso/"
# What the guest kernel may not use of this CPU. Bochs does not state where PKRU lies in the XSAVE area,
# and the kernel then switches all of AVX off; FSRM without ERMS breaks the kernel's memmove.
hidden=pku,xsaves,xsavec,fsrm
cat > "$work/iso/isolinux.cfg" <<CONFIG
DEFAULT guest
LABEL guest
 KERNEL /vmlinuz
 APPEND initrd=/initrd.gz console=ttyS0 loglevel=3 lpj=1000000 tsc=reliable no_timer_check clearcpuid=$hidden
CONFIG
xorriso -as mkisofs -quiet -o "$work/boot.iso" -b isolinux.bin -c boot.cat -no-emul-boot \
    -boot-load-size 4 -boot-info-table "$work/iso" 2> "$work/iso.log"

cat > "$work/bochsrc" <<CONFIG
cpu: model=corei7_icelake_u, count=1, ips=20000000, reset_on_triple_fault=0
megs: 512
romimage: file=/usr/share/bochs/BIOS-bochs-latest
vgaromimage: file=/usr/share/bochs/VGABIOS-lgpl-latest
ata0-master: type=cdrom, path=$work/boot.iso, status=inserted
boot: cdrom
com1: enabled=1, mode=file, dev=$work/serial
log: $work/bochs.log
panic: action=fatal
error: action=report
info: action=ignore
display_library: rfb, options="timeout=0"
clock: sync=none
CONFIG
# Debian's bochs carries the debugger and waits for a command; other builds know no -rc.
debugger=()
if [[ $(bochs --help 2>&1) == *"-rc filename"* ]]; then
    echo c > "$work/rc"
    debugger=(-rc "$work/rc")
fi

say "starting the guest"
: > "$work/serial"
bochs -q -f "$work/bochsrc" -unlock "${debugger[@]}" < /dev/null > "$work/bochs.out" 2>&1 &
bochs=$!
ended=
failed=
while read -r line; do
    line=${line%$'\r'}
    say "$line"
    case $line in
        "== EXIT 0 "*) ;;
        "== EXIT "*) failed=1 ;;
        "== DONE") ended=1; break ;;
        *"Kernel panic"*) break ;;
    esac
done < <(tail -n +1 -f --pid="$bochs" "$work/serial")

if [ -z "$ended" ]; then
    echo "the guest did not finish; the last of Bochs:" >&2
    tail -n 3 "$work/bochs.out" >&2
    exit 1
elif [ -n "$failed" ]; then
    echo "a job failed" >&2
    exit 1
fi
say "every job succeeded"
