import { DeliveryPage } from "../../ui/webhooks/delivery-page.tsx";
import { PORTAL } from "./deliveries.ts";

export default function OwnDeliveryPage({ id }: { readonly id: string }) {
  return <DeliveryPage side={PORTAL} id={id} mayRetry />;
}
