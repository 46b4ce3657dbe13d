import { existsSync } from "node:fs";

/** Package managers by their programs, and how each installs a package. */
const MANAGERS = [
  ["/usr/bin/apt-get", "sudo apt-get install"],
  ["/usr/bin/dnf", "sudo dnf install"],
  ["/usr/bin/zypper", "sudo zypper install"],
  ["/usr/bin/pacman", "sudo pacman -S"],
  ["/sbin/apk", "sudo apk add"],
  ["/opt/homebrew/bin/brew", "brew install"],
] as const;

/** The command that installs a package on this machine. */
export function installCommand(name: string): string {
  const [, install = "sudo apt-get install"] = MANAGERS.find(([path]) => existsSync(path)) ?? [];
  return `${install} ${name}`;
}
