import type { Dataset } from "@weft/shared/records/dataset-record.ts";
import { Link } from "react-router-dom";
import { datasetPath } from "../../components/dataset-paths.ts";
import { DataTable, type Column } from "../../ui/data-table.tsx";

const COLUMNS: readonly Column[] = [{ label: "Dataset" }, { label: "Kind" }, { label: "Location" }];

/** Data folders, and the BIDS datasets in them. */
export function DatasetTable({
  datasets,
  network,
}: {
  readonly datasets: readonly Dataset[];
  readonly network: string;
}) {
  return (
    <DataTable caption="Datasets" columns={COLUMNS} isLong={datasets.length > 50}>
      {datasets.map(({ location, name, kind }) => (
        <tr key={location}>
          <td>
            <Link className="link font-medium" to={datasetPath({ location }, network)}>
              {name}
            </Link>
          </td>
          <td data-label="Kind">{kind === "bids" ? "BIDS" : "Folder"}</td>
          <td data-label="Location" className="code wrap-anywhere">
            {location}
          </td>
        </tr>
      ))}
    </DataTable>
  );
}
