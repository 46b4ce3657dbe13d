/** The README of a new dataset, from its description. */
export function derivativeReadme(description: Readonly<Record<string, unknown>>): string {
  const name = typeof description["Name"] === "string" ? description["Name"] : "Derivatives";
  return `# ${name}

This is a BIDS derivative dataset, written by Weft, a workflow service that runs networks of tools and records what they did.

- \`dataset_description.json\` names the networks, their versions and containers (\`GeneratedBy\`), and the datasets that the
  files were made from (\`SourceDatasets\`).
- The JSON file next to each image or table describes it (\`Description\`) and names the files that it was made from (\`Sources\`).
- \`participants.tsv\` repeats the rows of the source dataset for the subjects that have derivatives.

Later runs add files and never replace any.
`;
}
