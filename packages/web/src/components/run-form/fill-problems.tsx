import type { FilledInputs } from "@weft/shared/dataset/fill-inputs.ts";

/** The reasons why some columns of a query cannot fill inputs. */
export function FillProblems({ problems }: Pick<FilledInputs, "problems">) {
  if (problems.length === 0) return null;
  return (
    <ul className="mt-1 list-disc pl-5 text-failed">
      {problems.map(({ column, detail }) => (
        <li key={column}>{detail}</li>
      ))}
    </ul>
  );
}
