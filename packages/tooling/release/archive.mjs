import { spawnSync } from "node:child_process";

/** A compressed archive that depends only on the contents of a folder: sorted, owned by root, all with the same time. */
export function archiveOf(folder, epochS) {
  const made = spawnSync(
    "tar",
    [
      ...["--sort=name", `--mtime=@${epochS}`, "--owner=0", "--group=0", "--numeric-owner", "--mode=u+rwX,go=rX"],
      ...["--format=gnu", "--use-compress-program=gzip -9n", "-cf", "-", "-C", folder, "."],
    ],
    { maxBuffer: 1024 ** 3 },
  );
  if (made.status !== 0) throw new Error(`tar failed: ${made.stderr}`);
  return made.stdout;
}
