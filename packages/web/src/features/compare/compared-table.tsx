import { DataTable } from "../../ui/data-table.tsx";
import { MARKS, resultText, type ComparedThing } from "./compare-runs.ts";
import { Side } from "./result-differences.tsx";
import { numberText } from "../../format/count-text.ts";

/** Maximum number of drawn rows per section. */
const SHOWN = 300;
/** Number of rows shown without folding. */
const SHORT = 6;

export interface ComparedTableProps {
  readonly title: string;
  readonly things: readonly ComparedThing[];
}

/** Items of one kind, with a column for each run. */
export function ComparedTable({ title, things }: ComparedTableProps) {
  const count = things[0]?.sides.length ?? 0;
  const columns = [{ label: "Item" }, ...MARKS.slice(0, count).map((label) => ({ label })), { label: "Result" }];
  return (
    <>
      <DataTable caption={title} columns={columns} isLong={things.length > SHORT}>
        {things.slice(0, SHOWN).map((thing) => (
          <ThingRow key={`${thing.section} ${thing.name}`} thing={thing} />
        ))}
      </DataTable>
      {things.length > SHOWN && (
        <p className="mt-2 text-soft">
          {SHOWN} of {numberText(things.length)} are shown.
        </p>
      )}
    </>
  );
}

function ThingRow({ thing }: { readonly thing: ComparedThing }) {
  const { name, sides, differs, changes } = thing;
  return (
    <tr>
      <td data-label="Item" className="font-medium wrap-anywhere md:min-w-36">
        {name}
      </td>
      {sides.map((text, place) => (
        <td
          key={MARKS[place]}
          data-label={MARKS[place]}
          className={`code wrap-anywhere ${differs[place] === true ? "bg-canceled-soft" : ""}`}
        >
          <Side text={text} change={changes[place]} />
        </td>
      ))}
      <td data-label="Result" className="md:whitespace-nowrap">
        {resultText(thing)}
      </td>
    </tr>
  );
}
