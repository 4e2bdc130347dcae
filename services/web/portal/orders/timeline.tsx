import { INITIAL_STATUS, ORDER_STATUSES } from "../../../domain/order/rules/order.ts";
import { DataView } from "../../ui/data-view.tsx";
import { Card } from "../../ui/page.tsx";
import { Time } from "../../ui/time.tsx";
import type { Order, TimelineEntry } from "./order-types.ts";
import { statusWords } from "./order-words.ts";
import styles from "./orders.module.css";
import { useTimeline } from "./queries.ts";

export function Timeline({ order }: { readonly order: Order }) {
  const names = new Map(order.requirements.map(({ slug, name }) => [slug, name]));
  return (
    <Card title="Timeline">
      <DataView query={useTimeline(order.id)}>
        {({ data }) => (
          <ol className={styles["entries"]}>
            {data.map((entry) => (
              <li key={entry.id}>
                <span>{textOf(entry, names)}</span>
                <small>
                  {actorOf(entry)}, <Time at={entry.at} />
                </small>
              </li>
            ))}
          </ol>
        )}
      </DataView>
    </Card>
  );
}

const ACTORS: Readonly<Record<string, string>> = {
  customer: "You",
  desk: "Porting desk",
  carrier: "Losing carrier",
  system: "Service",
};

function actorOf({ actor: { type, name } }: TimelineEntry): string {
  if (type === "customer" && name === "portal") return "You, in the portal";
  return ACTORS[type] ?? type;
}

/** One sentence of an entry; details that this page does not know are left out. */
function textOf({ kind, data }: TimelineEntry, names: ReadonlyMap<string, string>): string {
  const field = (name: string): string => {
    const value = data[name];
    return typeof value === "string" ? value : "";
  };
  const name = names.get(field("slug")) ?? field("slug");
  switch (kind) {
    case "status":
      return statusText(field("new_status"));
    case "requirement":
      return `${name}: ${REQUIREMENT_TEXTS[field("status")] ?? "given"}`;
    case "comment":
      return "A comment was written";
    case "number":
      return Array.isArray(data["removed"]) ? "Numbers were removed" : "A number changed";
    case "order":
      return `${Object.keys(data)
        .map((changed) => CHANGED[changed] ?? changed)
        .join(", ")} changed`;
    case "carrier":
      return `The carrier reported: ${field("raw_status") || field("kind") || "a change"}`;
    case "document":
      return documentText(name, { signer: field("signer_name"), check: field("check") });
    case "ignored":
      return "A report came too late to change anything";
  }
}

const CHANGED: Readonly<Record<string, string>> = {
  customer_reference: "Reference",
  foc_requested: "Requested date",
  webhook_url: "Webhook URL",
};

function statusText(status: string): string {
  if (status === "") return "A cancellation was asked for";
  if (status === INITIAL_STATUS) return "The order was created";
  const known = ORDER_STATUSES.find((one) => one === status);
  return known === undefined ? status : statusWords(known)[0];
}

const REQUIREMENT_TEXTS: Readonly<Record<string, string>> = {
  "requirement-info-under-review": "in review",
  "requirement-info-exception": "rejected",
  approved: "approved",
};

interface DocumentFacts {
  readonly signer: string;
  readonly check: string;
}

function documentText(name: string, { signer, check }: DocumentFacts): string {
  if (signer !== "") return `The letter was signed by ${signer}`;
  return check === "failed" ? `${name}: not accepted` : `${name}: checked`;
}
