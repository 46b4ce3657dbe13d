// A synthetic BIDS dataset of 40 subjects for practice: node make-dataset.mjs FOLDER
//
// Like real studies it has gaps: subjects without a second session, one without images, a wrong suffix, a name that
// does not fit its folder, a missing age, and a file that .bidsignore names. The volumes are small heads with a bright
// lesion whose size grows with the age. All folders get equal files.

import { mkdir, readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { argv, exit, stderr, stdout } from "node:process";
import { fileURLToPath } from "node:url";
import { geometryFor, toMm, writeImage } from "../../imaging/1.0.0/nifti.mjs";

const SUBJECTS = 40;
const VOXEL_MM = 8;
const DIMS = [20, 24, 19];
const TASKS = { rest: 2, nback: 2.5 };

/** Numbers of the subjects that lack or break something. */
const WITHOUT_SESSION_2 = new Set([3, 11, 18, 27, 36]);
const WITHOUT_IMAGES = new Set([22]);
const WITHOUT_AGE = new Set([13]);
const WRONG_SUFFIX = new Set([7]);
const WRONG_NAME = new Set([31]);
const SCRATCH = new Set([5, 25]);
const SECOND_RUN = new Set([9, 14, 33]);

/** Writes the dataset and returns the number of its files. Rejects if the folder has entries. */
export async function makeDataset(folder) {
  await mkdir(folder, { recursive: true });
  if ((await readdir(folder)).length > 0) throw new Error(`${folder} is not empty`);
  const files = new Files(folder);
  await describe(files);
  for (let number = 1; number <= SUBJECTS; number += 1) await addSubject(files, number);
  return files.count;
}

class Files {
  count = 0;
  #folder;

  constructor(folder) {
    this.#folder = folder;
  }

  async text(path, content) {
    await writeFile(
      await this.#place(path),
      typeof content === "string" ? content : `${JSON.stringify(content, null, 2)}\n`,
    );
  }

  async image(path, { age, seed }) {
    const affine = [
      [-VOXEL_MM, 0, 0, ((DIMS[0] - 1) / 2) * VOXEL_MM],
      [0, VOXEL_MM, 0, (-(DIMS[1] - 1) / 2) * VOXEL_MM],
      [0, 0, VOXEL_MM, (-(DIMS[2] - 1) / 2) * VOXEL_MM],
    ];
    const grid = { dims: DIMS, affine, geometry: geometryFor([VOXEL_MM, VOXEL_MM, VOXEL_MM], affine) };
    await writeImage(await this.#place(path), grid, { type: "uint8", data: drawHead(affine, { age, seed }) });
  }

  async #place(path) {
    const target = join(this.#folder, path);
    await mkdir(dirname(target), { recursive: true });
    this.count += 1;
    return target;
  }
}

async function describe(files) {
  await files.text("dataset_description.json", {
    Name: "Synthetic heads",
    BIDSVersion: "1.10.0",
    DatasetType: "raw",
    License: "CC0",
    Authors: ["Weft"],
  });
  await files.text("README", "Forty synthetic subjects with gaps, made by Weft for practice. No data of people.\n");
  await files.text("CHANGES", "1.0.0 2026-11-23\n  - First version.\n");
  await files.text(".bidsignore", "*_scratch.nii\n");
  const rows = Array.from({ length: SUBJECTS }, (_, index) => participant(index + 1));
  await files.text("participants.tsv", `participant_id\tage\tsex\tgroup\n${rows.join("")}`);
  await files.text("participants.json", {
    age: { Description: "Age at the first session", Units: "year" },
    sex: { Description: "Sex", Levels: { F: "female", M: "male" } },
    group: { Description: "Group", Levels: { control: "control", patient: "patient" } },
  });
  await files.text("T1w.json", { MagneticFieldStrength: 3, RepetitionTime: 2.3 });
  for (const [task, seconds] of Object.entries(TASKS))
    await files.text(`task-${task}_bold.json`, { TaskName: task, RepetitionTime: seconds });
}

function participant(number) {
  const age = WITHOUT_AGE.has(number) ? "n/a" : ageOf(number);
  return `${nameOf(number)}\t${age}\t${number % 2 === 0 ? "F" : "M"}\t${number % 3 === 0 ? "patient" : "control"}\n`;
}

function nameOf(number) {
  return `sub-${String(number).padStart(2, "0")}`;
}

/** From 21 to 80 years, without order. */
function ageOf(number) {
  return 21 + ((number * 37) % 60);
}

async function addSubject(files, number) {
  if (WITHOUT_IMAGES.has(number)) return;
  const subject = nameOf(number);
  const sessions = WITHOUT_SESSION_2.has(number) ? [1] : [1, 2];
  const scores = sessions.map((session) => `ses-${session}\t${20 + ((number * 7 + session) % 11)}\n`);
  await files.text(`${subject}/${subject}_sessions.tsv`, `session_id\tscore\n${scores.join("")}`);
  for (const session of sessions) await addSession(files, { number, subject, session });
}

async function addSession(files, { number, subject, session }) {
  const folder = `${subject}/ses-${session}`;
  const prefix = `${subject}_ses-${session}`;
  const look = { age: ageOf(number), seed: number * 10 + session };
  const suffix = WRONG_SUFFIX.has(number) ? "T1" : "T1w";
  const label = WRONG_NAME.has(number) && session === 2 ? `sub-30_ses-2` : prefix;
  await files.image(`${folder}/anat/${label}_${suffix}.nii`, look);
  if (SCRATCH.has(number)) await files.image(`${folder}/anat/${prefix}_scratch.nii`, look);
  const runs = SECOND_RUN.has(number) ? [1, 2] : [1];
  for (const run of runs) await files.image(`${folder}/func/${prefix}_task-rest_run-${run}_bold.nii`, look);
  if (session === 2) await files.image(`${folder}/func/${prefix}_task-nback_bold.nii`, look);
}

function drawHead(affine, { age, seed }) {
  const random = randomNumbers(seed);
  const centre = [0, 1, 2].map(() => 24 * random() - 12);
  const radius = 12 + age / 5;
  const data = new Uint8Array(DIMS[0] * DIMS[1] * DIMS[2]);
  let index = 0;
  for (let k = 0; k < DIMS[2]; k += 1)
    for (let j = 0; j < DIMS[1]; j += 1)
      for (let i = 0; i < DIMS[0]; i += 1) {
        const point = toMm(affine, [i, j, k]);
        const isLesion = isWithin(point, centre, [radius, radius, radius]);
        const isHead = isWithin(point, [0, 0, 0], [66, 82, 62]);
        data[index] = Math.floor((isLesion ? 190 : isHead ? 40 : 4) + 6 * random());
        index += 1;
      }
  return data;
}

function isWithin(point, centre, axes) {
  return point.reduce((sum, at, axis) => sum + ((at - centre[axis]) / axes[axis]) ** 2, 0) <= 1;
}

/** Uniform numbers in [0, 1) from a 32-bit xorshift generator (Marsaglia 2003, shifts 13, 17, 5). */
function randomNumbers(seed) {
  let state = Math.imul(seed ^ 0x5bd1e995, 0x27d4eb2f) | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const [, , folder] = argv;
  if (folder === undefined) {
    stderr.write("usage: node make-dataset.mjs FOLDER\n");
    exit(2);
  }
  const count = await makeDataset(folder);
  stdout.write(`${folder}: ${count} files\n`);
}
