/** Entities of BIDS 1.10 by their key in file names, in the order in which names have them. */
export const ENTITY_LABELS: Readonly<Record<string, string>> = {
  sub: "Subject",
  tpl: "Template",
  ses: "Session",
  cohort: "Cohort",
  sample: "Sample",
  task: "Task",
  tracksys: "Tracking system",
  acq: "Acquisition",
  nuc: "Nucleus",
  voi: "Volume of interest",
  ce: "Contrast agent",
  trc: "Tracer",
  stain: "Stain",
  rec: "Reconstruction",
  dir: "Phase-encoding direction",
  run: "Run",
  mod: "Modality",
  echo: "Echo",
  flip: "Flip angle",
  inv: "Inversion time",
  mt: "Magnetization transfer",
  part: "Part",
  proc: "Processed",
  hemi: "Hemisphere",
  space: "Space",
  split: "Split",
  recording: "Recording",
  chunk: "Chunk",
  seg: "Segmentation",
  atlas: "Atlas",
  res: "Resolution",
  den: "Density",
  label: "Label",
  desc: "Description",
};

const LABELS: Readonly<Record<string, string>> = {
  ...ENTITY_LABELS,
  suffix: "Suffix",
  extension: "Extension",
  datatype: "Data type",
  path: "Path",
};

/** Long names that people use for entities. */
const LONG_NAMES: Readonly<Record<string, string>> = {
  subject: "sub",
  session: "ses",
  acquisition: "acq",
  reconstruction: "rec",
  direction: "dir",
  description: "desc",
  ext: "extension",
};

/** The name under which a field is stored: `ses` for `session`. */
export function fieldName(name: string): string {
  return lookUp(LONG_NAMES, name);
}

export function fieldLabel(name: string): string {
  return lookUp(LABELS, name);
}

function lookUp(table: Readonly<Record<string, string>>, name: string): string {
  return Object.hasOwn(table, name) ? (table[name] ?? name) : name;
}

/** BIDS folders whose data is not part of the dataset itself. */
export const OTHER_FOLDERS: ReadonlySet<string> = new Set([
  "derivatives",
  "sourcedata",
  "code",
  "stimuli",
  "phenotype",
]);

/** Names of data folders within folders of subjects and sessions. */
export const DATA_TYPES: ReadonlySet<string> = new Set(
  "anat func dwi fmap perf meg eeg ieeg beh pet micr nirs motion mrs".split(" "),
);

/** Folders that BIDS treats as one recording. */
export const FOLDER_EXTENSIONS = [".ds", ".zarr", ".mefd"] as const;

/** Suffixes of BIDS 1.10, for hints about misspelled ones. */
export const SUFFIXES: ReadonlySet<string> = new Set(
  (
    "2PE BF Chimap CARS CONF DIC DF FLAIR FLASH FLUO IRT1 M0map MEGRE MESE MP2RAGE MPE MPM MTR MTRmap MTS MTVmap MTsat MWFmap " +
    "NLO OCT PC PD PDT2 PDT2map PDmap PDw PLI R1map R2map R2starmap RB1COR RB1map S0map SEM SPIM SR T1map T1rho T1w T2map T2star " +
    "T2starmap T2starw T2w TB1AFI TB1DAM TB1EPI TB1RFM TB1SRGE TB1TFL TB1map TEM UNIT1 VFA angio asl aslcontext asllabeling " +
    "beh blood bold bval bvec cbv channels coordsystem defacemask dwi eeg electrodes epi events fieldmap headshape ieeg " +
    "inplaneT1 inplaneT2 m0scan magnitude magnitude1 magnitude2 markers mask meg motion mrsi mrsref nirs noRF optodes pet " +
    "phase phase1 phase2 phasediff photo physio physioevents probseg dseg sbref scans sessions stim svs timeseries regressors uCT unloc " +
    "xfm descriptions participants samples surf morph inflated pial white sphere midthickness"
  ).split(" "),
);
