import { DataTable } from "../../ui/data-table.tsx";
import { TitledSection } from "../../ui/titled-section.tsx";
import { MARKS, resultText, type ComparedThing } from "./compare-runs.ts";

/** More rows of a section are not drawn. */
const SHOWN = 500;
/** So many rows stand on the page as they are. */
const SHORT = 8;

export interface ComparedSectionProps {
  readonly title: string;
  readonly things: readonly ComparedThing[];
}

/** Things of one kind, with a column for each run. */
export function ComparedSection({ title, things }: ComparedSectionProps) {
  const count = things[0]?.sides.length ?? 0;
  const columns = [{ label: "What" }, ...MARKS.slice(0, count).map((label) => ({ label })), { label: "Result" }];
  return (
    <TitledSection title={title}>
      <DataTable caption={title} columns={columns} isLong={things.length > SHORT}>
        {things.slice(0, SHOWN).map((thing) => (
          <ThingRow key={thing.name} thing={thing} />
        ))}
      </DataTable>
      {things.length > SHOWN && (
        <p className="mt-2 text-soft">
          {SHOWN} of {things.length} are shown.
        </p>
      )}
    </TitledSection>
  );
}

function ThingRow({ thing }: { readonly thing: ComparedThing }) {
  const { name, sides, differs } = thing;
  return (
    <tr>
      <td data-label="What" className="font-medium wrap-anywhere md:min-w-36">
        {name}
      </td>
      {sides.map((text, place) => (
        <td
          key={MARKS[place]}
          data-label={MARKS[place]}
          className={`code wrap-anywhere ${differs[place] === true ? "bg-canceled-soft" : ""}`}
        >
          {text ?? <span className="text-soft">none</span>}
        </td>
      ))}
      <td data-label="Result" className="md:whitespace-nowrap">
        {resultText(thing)}
      </td>
    </tr>
  );
}
