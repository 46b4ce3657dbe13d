import type { Page } from "@playwright/test";
import { newFolder, type Files } from "./own-server.ts";

export const GREET = `cwlVersion: v1.2
class: CommandLineTool
label: Greet # shown in lists
baseCommand: echo
inputs:
  name:
    type: string
    default: world
    inputBinding: {}
outputs:
  greeting:
    type: stdout
stdout: greeting.txt
`;

export const COUNT = `cwlVersion: v1.2
class: CommandLineTool
label: Count lines
baseCommand: [wc, -l]
inputs:
  text:
    type: File
    inputBinding: {}
outputs:
  count:
    type: stdout
stdout: count.txt
`;

export const GREETINGS = `cwlVersion: v1.2
class: Workflow
label: Greetings
inputs:
  name: string
outputs:
  greeting:
    type: File
    outputSource: greet/greeting
steps:
  greet: # the only step
    run: ../../tools/greet/1.0.0/greet.cwl
    in:
      name: name
    out: [greeting]
`;

/** A catalog with the tools `greet` and `count`, and the network `greetings`. */
export function workbenchCatalog(more: Files = {}): Promise<string> {
  return newFolder({
    "tools/greet/1.0.0/greet.cwl": GREET,
    "tools/greet/1.0.0/examples/ann.yml": "name: Ann\n",
    "tools/count/1.0.0/count.cwl": COUNT,
    "networks/greetings/greetings.cwl": GREETINGS,
    ...more,
  });
}

const DRAFTS = {
  greet: { kind: "tool", id: "greet", based_on: "1.0.0" },
  greetings: { kind: "network", id: "greetings", based_on: "unversioned" },
};

/** Begins a draft of a process of the catalog; returns its address. */
export async function beginDraft(page: Page, url: string, of: keyof typeof DRAFTS): Promise<string> {
  const made = await page.request.post(`${url}/api/drafts`, { data: DRAFTS[of] });
  return `${url}/drafts/${(await made.json()).draft_id}`;
}
