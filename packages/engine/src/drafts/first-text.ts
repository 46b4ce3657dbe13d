/** The initial text of a new draft: a valid document that does nothing when it runs. */
export function firstText(kind: "tool" | "network", id: string): string {
  const label = id.replaceAll(/[._-]+/g, " ");
  const title = JSON.stringify(label.charAt(0).toUpperCase() + label.slice(1));
  return kind === "tool" ? toolText(title) : networkText(title);
}

const toolText = (title: string) => `cwlVersion: v1.2
class: CommandLineTool
label: ${title}
baseCommand: echo
inputs:
  message:
    type: string
    default: Hello
    inputBinding:
      position: 1
outputs:
  printed:
    type: stdout
stdout: printed.txt
`;

const networkText = (title: string) => `cwlVersion: v1.2
class: Workflow
label: ${title}
inputs: {}
outputs: {}
steps: {}
`;
