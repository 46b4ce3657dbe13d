/** A tool that runs the given shell script; its output `said` is what the script prints. v1.0 has no NetworkAccess. */
export function scriptTool(network: boolean | undefined, cwlVersion = "v1.2"): string {
  const access = network === undefined ? "" : `, NetworkAccess: { networkAccess: ${network} }`;
  return `cwlVersion: ${cwlVersion}
class: CommandLineTool
requirements: { InlineJavascriptRequirement: {}${access} }
baseCommand: [bash, -c]
inputs:
  script: { type: string, inputBinding: { position: 1 } }
stdout: said.txt
outputs:
  said: { type: string, outputBinding: { glob: said.txt, loadContents: true, outputEval: "$(self[0].contents)" } }
`;
}
