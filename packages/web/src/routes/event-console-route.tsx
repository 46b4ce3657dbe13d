import { EventConsole } from "../features/event-console/event-console.tsx";
import { PageHeading } from "../ui/page-heading.tsx";

/** `/websocketclient?filter=` */
export default function EventConsoleRoute() {
  return (
    <>
      <PageHeading title="Event console" documentTitle="Event console" />
      <EventConsole />
    </>
  );
}
