import { SubscriptionList } from "../features/notifications/subscription-list.tsx";
import { PageHeading } from "../ui/page-heading.tsx";

/** `/notifications?subscription=&new=&network=`: webhooks, mails and feeds. */
export default function NotificationsRoute() {
  return (
    <>
      <PageHeading title="Notifications" documentTitle="Notifications" />
      <SubscriptionList />
    </>
  );
}
