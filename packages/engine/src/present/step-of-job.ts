/** The parts of a job's id. */
export interface JobPlace {
  /** Path of its step. */
  readonly step: string;
  /** The job's position on the outermost scattered axis; undefined if it is not scattered. */
  readonly position: number | undefined;
}

interface IdShape {
  readonly step: string;
  readonly pattern: RegExp;
}

/**
 * Parses the step and position of jobs from their ids (`outer-2.inner-0`, see jobIdOf). An index contains the ids,
 * while reading the jobs would take a hundred times as long. Undefined for an id that could belong to several steps, or
 * to none.
 */
export function jobPlaces(steps: readonly string[]): (jobId: string) => JobPlace | undefined {
  const shapes = Map.groupBy(steps.map(shapeOf), ({ step }) => withoutNumbers(idOf(step)));
  return (jobId) => {
    const own = shapes.get(withoutNumbers(jobId)) ?? shapes.get(withoutNumbers(jobId.replace(/\.\d+$/, ""))) ?? [];
    const found = own.flatMap(({ step, pattern }) => {
      const match = pattern.exec(jobId);
      return match === null ? [] : [{ step, position: firstNumber(match.slice(1)) }];
    });
    return found.length === 1 ? found[0] : undefined;
  };
}

function shapeOf(step: string): IdShape {
  const segments = idOf(step)
    .split(".")
    .map((segment) => RegExp.escape(segment));
  return {
    step,
    pattern: new RegExp(`^${segments.map((segment) => `${segment}((?:-\\d+)*)`).join("\\.")}(?:\\.\\d+)?$`),
  };
}

/** A step as it appears in the ids of its jobs. */
function idOf(step: string): string {
  return step.replaceAll("/", ".").replace(/[^A-Za-z0-9._-]/g, "_");
}

function withoutNumbers(id: string): string {
  return id.replace(/(?:-\d+)+(?=\.|$)/g, "");
}

/** The first of the scattered levels is the outermost. */
function firstNumber(levels: readonly (string | undefined)[]): number | undefined {
  const numbers = levels.find((level) => level !== undefined && level !== "");
  return numbers === undefined ? undefined : Number(numbers.split("-")[1]);
}
