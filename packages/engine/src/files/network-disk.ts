/** Magic numbers from statfs(2) and linux/magic.h: file systems shared between machines, or provided by a program. */
const NETWORK_DISKS: ReadonlyMap<number, string> = new Map([
  [0x6969, "NFS"],
  [0x517b, "SMB"],
  [0xff534d42, "CIFS"],
  [0xfe534d42, "SMB2"],
  [0x0bd00bd0, "Lustre"],
  [0x47504653, "GPFS"],
  [0x19830326, "BeeGFS"],
  [0x00c36400, "Ceph"],
  [0x5346414f, "AFS"],
  [0x01021997, "9p"],
  [0x01161970, "GFS2"],
  [0x7461636f, "OCFS2"],
  [0xaad7aaea, "PanFS"],
  [0x65735546, "FUSE"],
]);

/** File systems on a disk or in the memory of this machine. */
const LOCAL_DISKS: ReadonlySet<number> = new Set([
  0xef53, // ext2, ext3, ext4
  0x58465342, // XFS
  0x9123683e, // Btrfs
  0x2fc12fc1, // ZFS
  0xf2f52010, // F2FS
  0x01021994, // tmpfs
]);

/** True if a file system is known to be local. False does not mean that it is remote. */
export function isLocalDisk(type: number): boolean {
  return process.platform === "linux" && LOCAL_DISKS.has(type >>> 0);
}

/** The name of a file system that is not simply a local disk; undefined for a local or unknown one. */
export function networkDisk(type: number): string | undefined {
  return process.platform === "linux" ? NETWORK_DISKS.get(type >>> 0) : undefined;
}
