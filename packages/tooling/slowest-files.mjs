// A reporter of node --test: how long the slowest files took. A file takes longer while others run at the same time.
const SHOWN = 25;

export default async function* slowestFiles(source) {
  const files = [];
  for await (const { type, data } of source)
    if (type === "test:summary" && data.file !== undefined) files.push([data.duration_ms, data.file]);
  const sum = files.reduce((total, [ms]) => total + ms, 0);
  yield `${files.length} test files took ${seconds(sum)} in all, the slowest of them:\n`;
  for (const [ms, file] of files.toSorted(([a], [b]) => b - a).slice(0, SHOWN))
    yield `${seconds(ms).padStart(8)}  ${file.replace(/^.*\/packages\//u, "packages/")}\n`;
}

function seconds(ms) {
  return `${(ms / 1000).toFixed(1)} s`;
}
