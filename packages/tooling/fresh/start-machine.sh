# The first process of a fresh machine: start-machine.sh ROOT ACCOUNT COMMAND. It runs in namespaces of its own, whose mounts
# and processes disappear when it ends. The root is changed by pivot_root: below chroot, no sandbox could make namespaces.
set -eu
root=$1 account=$2 command=$3
mount --bind "$root" "$root"
cd "$root"
mount -t proc proc proc
mount --rbind /sys sys
mount --rbind /dev dev
mount -t tmpfs -o mode=1777 tmpfs dev/shm
mkdir -p old-root
/usr/sbin/pivot_root . old-root
cd /
umount -l /old-root
rmdir /old-root
# No exec: this shell collects processes that lose their parent, as init does.
setpriv --reuid="$account" --regid="$account" --init-groups sh -c "cd && cd weft && $command"
