import { Flag } from "../settings/flag.ts";
import { JSON_OUTPUT, STATE } from "../settings/flags.ts";
import { memberWithId, type Declaration } from "./declaration.ts";

const load = () => import("../commands/automate-command.ts");

const ONE = {
  command: "automate",
  argument: { "<id>": "ID of the automation" },
  id: "7a1d4c0e-3f52-4b86-9c1e-5d2a8e6f4b10",
};

/** The commands send requests to the server that uses the state folder. */
export const AUTOMATE: Declaration = {
  name: "automate",
  summary: "start runs automatically",
  description: "Manages automations, which start runs for new samples or at given times. The server must be running.",
  flags: [STATE],
  examples: ["weft automate list", "weft automate add --dry-run nightly.json"],
  documentation: "docs/how-to/automate-runs.md",
  commands: [
    {
      name: "list",
      summary: "list automations",
      description: "Lists automations: ID, state, network, trigger, runs, name and reason.",
      flags: [JSON_OUTPUT],
      examples: ["weft automate list", "weft automate list --json"],
      load: async () => (await load()).listAutomations,
    },
    {
      name: "add",
      summary: "create an automation",
      description: "Creates an automation from a JSON file and prints its ID.",
      arguments: { "<file>": "settings, as for POST /api/automations" },
      flags: [new Flag("--dry-run", "print what it would start now, and create nothing"), JSON_OUTPUT],
      examples: ["weft automate add nightly.json", "weft automate add --dry-run nightly.json"],
      load: async () => (await load()).addAutomation,
    },
    ...[
      {
        name: "plan",
        summary: "show what an automation would do now",
        description: "Prints which samples an automation would start now, and why it skips the others.",
        flags: [JSON_OUTPUT],
        load: async () => (await load()).planAutomation,
      },
      {
        name: "history",
        summary: "list what an automation has done",
        description: "Lists the newest actions: time, kind, run, its state, samples and detail.",
        flags: [JSON_OUTPUT],
        load: async () => (await load()).automationHistory,
      },
      {
        name: "pause",
        summary: "pause an automation",
        description: "Pauses an automation; its runs continue.",
        load: async () => (await load()).pauseAutomation,
      },
      {
        name: "resume",
        summary: "resume an automation",
        description: "Resumes a paused or stopped automation.",
        load: async () => (await load()).resumeAutomation,
      },
      {
        name: "remove",
        summary: "delete an automation",
        description: "Deletes an automation and its history; its runs stay.",
        load: async () => (await load()).removeAutomation,
      },
    ].map((member) => memberWithId(member, ONE)),
  ],
};
