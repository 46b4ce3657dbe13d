import { useNavigate } from "react-router-dom";
import { RoleGate } from "../components/role-gate.tsx";
import { NewAutomation } from "../features/automations/new-automation.tsx";
import { PageHeading } from "../ui/page-heading.tsx";

/** `/automations/new` */
export default function NewAutomationRoute() {
  const navigate = useNavigate();
  return (
    <>
      <PageHeading title="New automation" crumbs={[{ label: "Automations", to: "/automations" }]} />
      <RoleGate needs="runner" what="Creating an automation">
        <NewAutomation onCreated={() => void navigate("/automations")} />
      </RoleGate>
    </>
  );
}
