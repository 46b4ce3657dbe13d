import { AutomationList } from "../features/automations/automation-list.tsx";
import { PageHeading } from "../ui/page-heading.tsx";

/** `/automations?automation=&new=`: runs that start by themselves. */
export default function AutomationsRoute() {
  return (
    <>
      <PageHeading title="Automations" documentTitle="Automations" />
      <AutomationList />
    </>
  );
}
