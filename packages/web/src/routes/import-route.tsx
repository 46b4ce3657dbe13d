import { AuthorGate } from "../components/author-gate.tsx";
import { ImportForm } from "../features/workbench/import/import-form.tsx";
import { PageHeading } from "../ui/page-heading.tsx";

/** `/import` */
export default function ImportRoute() {
  return (
    <>
      <PageHeading
        title="Import tools and networks"
        documentTitle="Import"
        crumbs={[{ label: "Networks", to: "/networks" }]}
      />
      <AuthorGate>
        <ImportForm />
      </AuthorGate>
    </>
  );
}
