/** The README of a new dataset, from its description. */
export function derivativeReadme(description: Readonly<Record<string, unknown>>): string {
  const name = typeof description["Name"] === "string" ? description["Name"] : "Derivatives";
  return `# ${name}

This is a BIDS derivative dataset. Weft wrote it: a workflow service that runs networks of tools and records what they did.

- \`dataset_description.json\` names the networks, their versions and containers (\`GeneratedBy\`), and the datasets that the
  files were made of (\`SourceDatasets\`).
- The JSON file next to each image or table describes it (\`Description\`) and names the files that it was made of (\`Sources\`).
- \`participants.tsv\` repeats what the source says about the subjects that have derivatives.

Further runs add files, and replace none.
`;
}
