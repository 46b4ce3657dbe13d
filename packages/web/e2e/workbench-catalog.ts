import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

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
export async function writeWorkbenchCatalog(folder: string): Promise<string> {
  const write = async (path: string, text: string) => {
    await mkdir(join(folder, path, ".."), { recursive: true });
    await writeFile(join(folder, path), text);
  };
  await write("tools/greet/1.0.0/greet.cwl", GREET);
  await write("tools/greet/1.0.0/examples/ann.yml", "name: Ann\n");
  await write("tools/count/1.0.0/count.cwl", COUNT);
  await write("networks/greetings/greetings.cwl", GREETINGS);
  return folder;
}
