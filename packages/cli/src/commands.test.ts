import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { CommanderError, type Command } from "commander";
import { weftCommand } from "./commands.ts";
import { Flag } from "./settings/flag.ts";
import { openIo } from "./testing/run-in-process.ts";
import { settingsIn, settingsOf } from "./testing/settings-of.ts";

const commandLine = () => weftCommand(openIo().io, () => {});
const weft = commandLine();
const named = (command: Command): readonly Command[] => command.commands.flatMap((child) => [child, ...named(child)]);

const ROOT = new URL("../../../", import.meta.url);

/** The whole page, including the text after the options. */
function helpOf(command: Command): string {
  let help = "";
  command.configureOutput({ writeOut: (text) => (help += text) });
  command.outputHelp();
  return help;
}

function pathOf(command: Command): string[] {
  return command.parent === null ? [] : [...pathOf(command.parent), command.name()];
}

/** The lines of code blocks that start with `weft` or `npx weft`, without comments. */
function commandLines(page: string): { readonly page: string; readonly line: string }[] {
  const text = readFileSync(new URL(page, ROOT), "utf8").replace(/\\\n\s*/g, "");
  const blocks = [...text.matchAll(/^```(?!output)\w*[^\n]*\n([\s\S]*?)^```/gm)].flatMap(([, block = ""]) =>
    block.split("\n"),
  );
  return blocks.flatMap((line) => {
    const [, command] = /^(?:npx )?(weft [^>|&]+?)(?: {2,}.*| #.*| [>|&].*)?$/.exec(line) ?? [];
    return command === undefined ? [] : [{ page, line: command }];
  });
}

/** The command that a command line names; nothing is executed. */
async function parsed(line: string): Promise<string[]> {
  const words = line.replace(/ > \S+$/, "").match(/'[^']*'|[^\s']+/g) ?? [];
  const [, ...args] = words.map((word) => word.replaceAll("'", ""));
  const fresh = commandLine().configureOutput({ writeOut: () => {} });
  let found: string[] = [];
  for (const command of named(fresh))
    command.action(() => {
      found = pathOf(command);
    });
  await fresh.parseAsync(args, { from: "user" }).catch((error: unknown) => {
    if (!(error instanceof CommanderError && error.code === "commander.version")) throw error;
  });
  return found;
}

describe("help", () => {
  it("lists every command", () => {
    for (const name of weft.commands.map((command) => command.name()))
      assert.match(weft.helpInformation(), new RegExp(`^  ${name}\\b`, "m"));
  });

  for (const command of named(weft))
    it(`names the arguments and flags of ${command.name()}, and says what each means`, () => {
      const help = helpOf(command);
      for (const { long, description } of command.options) {
        assert.ok(help.includes(` ${long}`), String(long));
        assert.notEqual(description, "");
      }
      for (const argument of command.registeredArguments) assert.ok(help.includes(`  ${argument.name()} `));
    });

  for (const command of [weft, ...named(weft)])
    it(`fits one screen for ${command.name()}`, () => {
      const lines = helpOf(command).trimEnd().split("\n");
      assert.ok(lines.length <= 50, `${lines.length} lines`);
      for (const line of lines) assert.ok(line.length <= 100, line);
    });

  for (const command of named(weft))
    it(`has two examples of ${command.name()} that parse, and links to pages that exist`, async () => {
      const [, examples = "", pages = ""] =
        /\nExamples:\n((?: {2}.+\n)+)\nDocumentation: (.+)/.exec(helpOf(command)) ?? [];
      const lines = examples.trimEnd().split("\n");
      assert.equal(lines.length, 2);
      for (const line of lines) {
        const found = await parsed(line.trim());
        assert.deepEqual(
          found,
          line.includes("--version") ? [] : [...pathOf(command), ...found.slice(pathOf(command).length)],
        );
      }
      for (const page of pages.split(", ")) assert.ok(existsSync(new URL(page, ROOT)), page);
    });

  it("examples with an unknown flag or a missing argument would not parse", async () => {
    await assert.rejects(parsed("weft run --nothing network.cwl"), /unknown option/);
    await assert.rejects(parsed("weft validate"), /missing required argument/);
  });

  for (const command of named(weft).filter(({ commands }) => commands.length === 0))
    it(`agrees with docs/reference/command-line.md about ${pathOf(command).join(" ")}`, () => {
      const page = readFileSync(new URL("docs/reference/command-line.md", ROOT), "utf8");
      const [, section = ""] = page.split(`### weft ${pathOf(command).join(" ")}\n`);
      const [own = ""] = section.split("\n#");
      const [, common = ""] = page.split("## Common options\n");
      assert.ok(own.includes(command.description().replace("\n", " ")));
      for (const { flags, long, description } of command.options) {
        const row = `| \`${flags.replaceAll("|", "\\|")}\` | ${description} |`;
        const isCommon = common.split("\n#")[0]?.includes(row) === true;
        assert.ok(own.includes(isCommon ? `\`${String(long)}\`` : row), row);
      }
    });

  it("agrees with every weft command line in the documentation", async () => {
    const docs = readdirSync(new URL("docs", ROOT), { recursive: true, encoding: "utf8" });
    const pages = ["README.md", "CONTRIBUTING.md", ...docs.map((name) => `docs/${name}`)];
    const lines = pages.filter((page) => page.endsWith(".md")).flatMap((page) => commandLines(page));
    assert.ok(lines.length >= 40, `${lines.length} examples`);
    for (const { page, line } of lines)
      await assert.doesNotReject(parsed(line), (error) => assert.fail(`${page}: ${line}: ${String(error)}`));
  });

  it("has the flags of the group for a command in it", () => {
    assert.match(
      weft.commands.find((command) => command.name() === "token")?.commands[0]?.helpInformation() ?? "",
      /--state/,
    );
  });
});

describe("flags", () => {
  const flags = [
    new Flag("--port <PORT>", "x"),
    new Flag("--data <NAME=DIR>", "x", "list"),
    new Flag("--no-container", "x"),
  ];

  it("may be repeated if they are lists; otherwise the last one wins", () => {
    const settings = settingsOf(flags, "--data", "a=1", "--port", "1", "--data=b=2", "word", "--port=2");
    assert.deepEqual([settings.list("data"), settings.text("port")], [["a=1", "b=2"], "2"]);
    assert.deepEqual(settings.positionals, ["word"]);
  });

  it("are switches even if their names begin with no-", () => {
    assert.equal(settingsOf(flags).isOn("no-container"), false);
    assert.equal(settingsOf(flags, "--no-container").isOn("no-container"), true);
  });

  it("do not take another flag for their value", () => {
    assert.throws(
      () => settingsOf(flags, "--port", "--no-container"),
      /--port requires a value; "--no-container" is an option/,
    );
  });

  it("come from the environment if they are not given, lists with commas", () => {
    const given = (...args: string[]) => settingsIn({ WEFT_PORT: "7", WEFT_DATA: "a=1,b=2" }, flags, args);
    assert.deepEqual([given().text("port"), given().list("data")], ["7", ["a=1", "b=2"]]);
    assert.equal(given("--port", "8").text("port"), "8");
  });

  it("are refused if they are not known", () => {
    assert.throws(() => settingsOf(flags, "--ports", "1"), /unknown option '--ports'/);
  });
});
