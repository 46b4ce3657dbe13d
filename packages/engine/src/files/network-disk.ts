/** Magic numbers of statfs(2) and linux/magic.h: file systems that several machines share, or that a program makes up. */
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

/** The name of a file system that is not simply a disk of this machine; undefined for one that is, and where it is not known. */
export function networkDisk(type: number): string | undefined {
  return process.platform === "linux" ? NETWORK_DISKS.get(type >>> 0) : undefined;
}
