import { Link } from "wouter";
import { Badge } from "../badge.tsx";
import { CopiedId } from "../copy.tsx";
import type { Fact } from "../page.tsx";
import { Time } from "../time.tsx";
import { endpointWords, type Customer, type ShownEndpoint } from "./webhook-words.ts";
import styles from "./webhooks.module.css";

interface StateProps {
  readonly endpoint: Parameters<typeof endpointWords>[0];
  readonly customer: Customer;
}

export function EndpointState({ endpoint, customer }: StateProps) {
  const [text, tone] = endpointWords(endpoint, customer);
  return <Badge tone={tone}>{text}</Badge>;
}

/** Why the service paused an endpoint, and what to do. */
export function PausedNote({ endpoint }: { readonly endpoint: ShownEndpoint }) {
  if (endpoint.paused_reason === null) return null;
  return (
    <p className={styles["paused"]}>
      <strong>Paused by the service: </strong>
      {endpoint.paused_reason} What happens meanwhile is skipped. Mend the receiver, resume the
      endpoint, and recover what it missed.
    </p>
  );
}

/** An endpoint as both sides see it. */
export function endpointFacts(endpoint: ShownEndpoint, customer: Customer): Fact[] {
  const { id, enabled_events: types, max_per_second: pace } = endpoint;
  return [
    ["Status", <EndpointState key="status" {...{ endpoint, customer }} />],
    ["Description", endpoint.description ?? "–"],
    ["Events", types.length === 0 ? "All" : types.join(", ")],
    ["At most", pace === null ? "No limit" : `${pace} a second`],
    ["Last success", <Time key="success" at={endpoint.last_success_at} form="past" />],
    ["Last failure", <Time key="failure" at={endpoint.last_failure_at} form="past" />],
    ["Failures since the last success", endpoint.consecutive_failures],
    [
      "Deliveries",
      <Link key="deliveries" href={`/deliveries?webhook_endpoint_id=${id}`}>
        Deliveries to this endpoint
      </Link>,
    ],
    ["Id", <CopiedId key="id" value={id} what="the endpoint’s id" />],
  ];
}
