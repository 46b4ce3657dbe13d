import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import type { Command, Example } from "./read-examples.ts";

/** Entries of a checkout's folder; the commands write next to them. */
const CHECKOUT = ["node_modules", "packages", "clients", "docs", "package.json", "package-lock.json"];
/** The last thing that a server does before it answers. */
const LISTENING = /^Weft listening on /m;
const END = "end of the commands:";

export interface Outcome {
  readonly printed: string;
  readonly exit: number;
}

/** A shell in a folder that looks like a checkout, for the examples of one page: they see each other's files and variables. */
export async function openPageShell(folder: string, checkout: string) {
  for (const name of CHECKOUT) await symlink(join(checkout, name), join(folder, name));
  const port = await freePort();
  const ownPort = (text: string): string => text.replaceAll("8080", port);
  const shell = spawn("bash", ["--noprofile", "--norc"], {
    cwd: folder,
    env: {
      PATH: process.env["PATH"],
      HOME: folder,
      LANG: "C.UTF-8",
      WEFT_PORT: port,
      npm_config_update_notifier: "false",
      // Otherwise each page compiles Weft again, as its home folder is empty.
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
    },
    stdio: ["pipe", "pipe", "ignore"],
  });
  // A server has a process group of its own, as in a terminal, where Ctrl+C reaches all of it.
  shell.stdin.write("set -m\n");
  const lines = createInterface({ input: shell.stdout })[Symbol.asyncIterator]();
  let blocks = 0;
  let server = "";
  let isBusy = false;

  /** Runs lines of the shell, and returns the text that they print to its standard output. */
  const execute = async (text: string): Promise<Outcome> => {
    shell.stdin.write(`${text}\nprintf '\\n%s%s\\n' '${END}' $?\n`);
    const printed: string[] = [];
    for (;;) {
      const { value, done } = await lines.next();
      if (done === true) throw new Error(`the shell ended after: ${printed.join("\n")}`);
      if (value.startsWith(END)) return { printed: printed.join("\n"), exit: Number(value.slice(END.length)) };
      printed.push(value);
    }
  };

  const stopServer = async (): Promise<void> => {
    if (server !== "") await execute(`kill -INT -- -${server} && wait ${server}`);
    server = "";
  };

  /** Returns the output of the server once it answers requests; a server prints all of it in the turn before. */
  const start = async (file: string, url: string): Promise<Outcome> => {
    await stopServer();
    const { printed } = await execute(`: >${file}.log; source ${file} </dev/null >${file}.log 2>&1 & echo $!`);
    server = printed.trim();
    const log = () => readFile(`${file}.log`, "utf8");
    while (!(LISTENING.test(await log()) && (await answers(url))))
      if ((await execute(`sleep 0.1; kill -0 ${server} 2>&1`)).exit !== 0) return { printed: await log(), exit: 1 };
    return { printed: await log(), exit: 0 };
  };

  return {
    async run({ text, background }: Command): Promise<Outcome> {
      blocks += 1;
      const file = join(folder, `.commands-${blocks}`);
      await writeFile(file, `${background === undefined ? "" : "exec "}${ownPort(text)}\n`);
      isBusy = true;
      const { printed, exit } = await (background === undefined
        ? execute(`source ${file} </dev/null 2>&1`)
        : start(file, ownPort(background)));
      isBusy = false;
      return { printed: printed.replaceAll(port, "8080"), exit };
    },
    async write({ path, text }: Extract<Example, { kind: "file" }>): Promise<void> {
      const { printed: cwd } = await execute("pwd");
      const file = resolve(cwd.trim(), path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
    },
    async close(): Promise<void> {
      const ended = shell.exitCode === null ? once(shell, "exit") : undefined;
      // A page that failed may wait for something that never happens; its shell hears no further commands.
      if (isBusy) {
        if (server !== "") spawnSync("kill", ["-KILL", "--", `-${server}`]);
        shell.kill("SIGKILL");
      } else {
        await stopServer();
        shell.stdin.end("exit\n");
      }
      await ended;
    },
  };
}

async function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    () => true,
    () => false,
  );
}

async function freePort(): Promise<string> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  // A server that listens on TCP has an address with a port.
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return String(port);
}
