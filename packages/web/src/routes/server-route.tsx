import { AuditTab } from "../features/server/audit-tab.tsx";
import { DocumentsTab } from "../features/server/documents-tab.tsx";
import { DiskTab } from "../features/server/disk-tab.tsx";
import { LoadTab } from "../features/server/load-tab.tsx";
import { MachineTab } from "../features/server/machine-tab.tsx";
import { QueueTab } from "../features/server/queue-tab.tsx";
import { WorkersTab } from "../features/server/workers-tab.tsx";
import { RoleGate } from "../components/role-gate.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { TabBar } from "../ui/tab-bar.tsx";

/** `/server?tab=&page=&hours=&process=&document=&principal=&action=&refused=&since=`: for administrators. */
export default function ServerRoute() {
  return (
    <>
      <PageHeading title="Server" documentTitle="Server" />
      <TabBar
        label="About this server"
        tabs={[
          { id: "queue", label: "Queue", content: <QueueTab /> },
          { id: "load", label: "Load", content: <LoadTab /> },
          { id: "disk", label: "Disk", content: <DiskTab /> },
          { id: "workers", label: "Workers", content: <WorkersTab /> },
          { id: "documents", label: "WES documents", content: <DocumentsTab /> },
          {
            id: "machine",
            label: "This machine",
            content: (
              <RoleGate needs="admin" what="Checking this machine">
                <MachineTab />
              </RoleGate>
            ),
          },
          {
            id: "audit",
            label: "Audit log",
            content: (
              <RoleGate needs="admin" what="Reading the audit log">
                <AuditTab />
              </RoleGate>
            ),
          },
        ]}
      />
    </>
  );
}
