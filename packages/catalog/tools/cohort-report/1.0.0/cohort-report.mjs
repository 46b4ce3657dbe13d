import { readFile, writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { readMeasures } from "./measures.mjs";
import { cohortPage } from "./page.mjs";
import { isPng } from "./png.mjs";
import { optionalNumber, required, runTool, say, ToolError } from "./tool.mjs";

const options = {
  measures: { type: "string", multiple: true, default: [] },
  picture: { type: "string", multiple: true, default: [] },
  title: { type: "string" },
  "fwhm-mm": { type: "string" },
  method: { type: "string" },
};

await runTool(options, async (values) => {
  const subjects = await readMeasures(values.measures);
  const pictures = await Promise.all(values.picture.map(readPicture));
  if (pictures.length > 0 && pictures.length !== subjects.length) {
    throw new ToolError(`${pictures.length} pictures for ${subjects.length} subjects`);
  }
  const page = cohortPage({
    subjects,
    pictures,
    title: required(values, "title"),
    fwhmMm: optionalNumber(values, "fwhm-mm"),
    method: values.method,
    // Next to the program's path as it was started, even if that is a symbolic link.
    style: await readFile(new URL("./style.css", import.meta.url), "utf8"),
  });
  await writeFile("report.html", page);
  say(`report.html: ${subjects.length} subjects, ${pictures.length} pictures, ${Buffer.byteLength(page)} bytes`);
});

/** A picture as a data address: the page may not ask for files. */
async function readPicture(path) {
  const bytes = await readFile(path);
  if (!isPng(bytes)) throw new ToolError(`${basename(path)}: not a PNG file`);
  return `data:image/png;base64,${bytes.toString("base64")}`;
}
