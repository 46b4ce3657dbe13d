/** For whoever sends a bundle without data, and whoever gets it. */
export const SAFE_README = `Debug bundle of one job, made to be shown to people who must not see the data.

In this bundle
  job.json         state, reason, exit code, attempts, durations, resources; of inputs and outputs only their shape:
                   kinds, numbers of elements, sizes of files
  tool.cwl         the tool's document (without default values that are texts or files, literal values of environment
                   variables, addresses and paths of the site, and names of private registries)
  command.txt      the command line: words that stand in the tool's document, <input:NAME> for a value of that input,
                   file-1.nii.gz for a file, <value> for everything else
  environment.txt  versions, kind of machine, names of the job's variables

Left out
  all input and output files, what the job wrote to standard output and standard error, values of inputs, names of
  files, samples, runs, people and machines, paths, times of day, checksums. In the reason of a failure, what is known
  to be private, paths, and quotations that do not stand in the tool's document are replaced.

Nothing here was read by a person. What an author wrote into the tool itself (descriptions, scripts, names of
parameters) is in tool.cwl: if that is private, read it before you send this on.
`;
