import { readImage, writeImage } from "./nifti.mjs";
import { optionalNumber, required, requiredSubject, runTool, say } from "./tool.mjs";

const options = {
  image: { type: "string" },
  subject: { type: "string" },
  threshold: { type: "string" },
};

await runTool(options, async (values) => {
  const subject = requiredSubject(values);
  const given = optionalNumber(values, "threshold");
  const image = await readImage(required(values, "image"));
  const threshold = given ?? meanOf(image.data);
  say(`${image.name}: threshold ${threshold} (${given === undefined ? "mean of the image" : "given"})`);
  const data = Uint8Array.from(image.data, (value) => (value >= threshold ? 1 : 0));
  await writeImage(`${subject}_mask.nii`, image, { type: "uint8", data });
});

function meanOf(data) {
  return data.reduce((sum, value) => sum + value, 0) / data.length;
}
