import { useState } from "react";
import { Link } from "wouter";
import { isEnded } from "../../../services/domain/order/rules/status-facts.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { counted } from "../../ui/list-rules.ts";
import { Card, Facts } from "../../ui/page.tsx";
import { Time } from "../../ui/time.tsx";
import styles from "./order-facts.module.css";
import {
  nextStepOf,
  NUMBER_WORDS,
  numberPath,
  REQUIREMENT_WORDS,
  typeName,
  type Order,
} from "./orders.ts";

/** The provider of carriers without an integration: nothing moves its orders but the desk's carrier updates. */
const BY_HAND = "manual";

/** Who must do what by when, before anything else about the order. */
export function NextStepCard({ order }: { readonly order: Order }) {
  const { attention, exceptions, closed_reason: closed } = order;
  const { actor, due_at: due } = order.next_action;
  const pending = order.changes.find(({ status }) => status === "pending");
  const { who, what, by } = nextStepOf(order);
  return (
    <section aria-label="Next step" className={`${styles["card"]} ${styles[actor]}`}>
      <p className={styles["step"]}>
        {actor === "none" ? (
          "The order has ended."
        ) : (
          <>
            <strong>{who}</strong> {what}
          </>
        )}
        {by !== null && (
          <span className={styles["due"]}>
            {by} <Time at={due} /> (<Time at={due} form="relative" />)
          </span>
        )}
      </p>
      {order.provider === BY_HAND && actor === "carrier" && (
        <p className="small">
          No program talks to this carrier: call or write, and record what it said.
        </p>
      )}
      {pending !== undefined && (
        <p>
          The customer asks for a change
          {pending.requested.foc_requested !== null && (
            <>
              : the date <Time at={pending.requested.foc_requested} form="zoned" />
            </>
          )}
          {pending.requested.remove_phone_numbers.length > 0 &&
            `; without ${pending.requested.remove_phone_numbers.join(", ")}`}
          . A date that answers version {order.request_version} accepts it.
          {pending.requested.reason !== null && ` Reason: ${pending.requested.reason}`}
        </p>
      )}
      {attention !== null && (
        <p className={styles["attention"]}>
          <span aria-hidden="true">! </span>
          {attention.reason} <Time at={attention.raised_at} form="past" />
        </p>
      )}
      {closed !== null && <p>{closed.detail}</p>}
      {exceptions.length > 0 && (
        <ul className={styles["exceptions"]}>
          {exceptions.map(({ code, detail, slug, raised_by: side }) => (
            <li key={`${slug} ${code} ${detail}`}>
              <strong>{nameOf(order, slug) ?? code ?? "Rejected"}</strong>: {detail}{" "}
              <span className="small">found by the {side}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function nameOf({ requirements }: Order, slug: string | null): string | null {
  return requirements.find((one) => one.slug === slug)?.name ?? null;
}

const FEW = 10;

/** The numbers with how far each is; many are folded. */
export function NumbersCard({ numbers }: Pick<Order, "numbers">) {
  const [isWhole, setIsWhole] = useState(false);
  const shown = isWhole ? numbers : numbers.slice(0, FEW);
  return (
    <Card title={`Numbers (${summaryOf(numbers)})`}>
      <ul className={styles["rows"]}>
        {shown.map(({ phone_number: number, status, failure_code: code, activated_at: at }) => (
          <li key={number}>
            <Link className={styles["main"] ?? ""} href={numberPath(number)}>
              {number}
            </Link>
            <span className={styles["note"]}>
              {code !== null && code}
              {at !== null && (
                <>
                  live since <Time at={at} />
                </>
              )}
            </span>
            <Badge tone={NUMBER_WORDS[status].tone}>{NUMBER_WORDS[status].name}</Badge>
          </li>
        ))}
      </ul>
      {shown.length < numbers.length && (
        <Button kind="quiet" onClick={() => setIsWhole(true)}>
          Show all {numbers.length}
        </Button>
      )}
    </Card>
  );
}

/** `4` while all stand alike, else `3 active, 1 failed`. */
function summaryOf(numbers: Order["numbers"]): string {
  const counts = Object.entries(NUMBER_WORDS).flatMap(([status, { name }]) => {
    const count = numbers.filter((one) => one.status === status).length;
    return count === 0 ? [] : [{ count, name: name.toLowerCase() }];
  });
  return counts.length === 1
    ? (counted(numbers.length, "number").split(" ")[0] ?? "")
    : counts.map(({ count, name }) => `${count} ${name}`).join(", ");
}

/** What the order asks for, its values as this role may see them, and where each stands. */
export function RequirementsCard({ order }: { readonly order: Order }) {
  const { id, requirements, review_attempt: attempt } = order;
  const isGiven = ({ field_value, values = [] }: OrderRequirement): boolean =>
    field_value !== null || values.some((value) => value.field_value !== null);
  const given = requirements.filter((one) => one.mandatory || isGiven(one));
  const absent = requirements.filter((one) => !given.includes(one));
  return (
    <Card title="Requirements">
      <ul className={styles["rows"]}>
        {given.map((one) => (
          <li key={one.slug}>
            <span className={styles["main"]}>{one.name}</span>
            <span className={styles["note"]}>
              <Value requirement={one} absent={isEnded(order) ? "Not given" : "Missing"} />
            </span>
            {(isGiven(one) || !isEnded(order)) && (
              <Badge tone={REQUIREMENT_WORDS[one.status].tone}>
                {REQUIREMENT_WORDS[one.status].name}
              </Badge>
            )}
            {one.exception_reason != null && (
              <p className={styles["bad"]}>{one.exception_reason}</p>
            )}
          </li>
        ))}
      </ul>
      {absent.length > 0 && (
        <p className={styles["below"]}>
          Optional and not given: {absent.map(({ name }) => name).join(", ")}.
        </p>
      )}
      {attempt > 0 && <Link href={`/reviews/${id}`}>Open the review case (attempt {attempt})</Link>}
    </Card>
  );
}

type OrderRequirement = Order["requirements"][number];

interface ValueProps {
  readonly requirement: OrderRequirement;
  /** What stands in the place of a value that was not given. */
  readonly absent: string;
}

function Value({ requirement, absent }: ValueProps) {
  const { field_type: type, field_value: value, name, values = [] } = requirement;
  if (values.length > 1) return <Values values={values} />;
  if (value === null) return <>{absent}</>;
  if (type !== "document") return <>{value.replaceAll("\n", ", ")}</>;
  return (
    <a href={`/desk/v1/documents/${value}`} target="_blank" rel="noreferrer">
      Open<span className="visually-hidden"> {name} in a new tab</span>
    </a>
  );
}

/** Each number's own. */
function Values({ values }: { readonly values: NonNullable<OrderRequirement["values"]> }) {
  const given = values.filter((value) => value.field_value !== null);
  return (
    <details>
      <summary>
        {given.length} of {values.length} numbers
      </summary>
      <ul>
        {given.map(({ phone_number: number, field_value: value, exception_reason: reason }) => (
          <li key={number}>
            {number}: {value}
            {reason !== null && <span className={styles["bad"]}> {reason}</span>}
          </li>
        ))}
      </ul>
    </details>
  );
}

export function FactsCard({ order }: { readonly order: Order }) {
  const { account, closed_by: closedBy, foc_requested, foc_actual, webhook_url } = order;
  return (
    <Card title="Order">
      <Facts
        facts={[
          ["Account", <Link href={`/accounts/${account.id}`}>{account.name}</Link>],
          ["Reference", order.customer_reference === "" ? "–" : order.customer_reference],
          ["Kind", `${order.country_code} ${typeName(order.number_type)}`],
          ["From carrier", order.losing_carrier ?? "Not known"],
          ["Requested date", <Time at={foc_requested} form="zoned" />],
          ["FOC date", <Time at={foc_actual} form="zoned" />],
          ["Created", <Time at={order.created_at} />],
          ["Submitted", <Time at={order.submitted_at} />],
          ...(closedBy === null ? [] : [["Closed by", CLOSERS[closedBy]] as const]),
          ...(webhook_url === null ? [] : [["Webhooks go to", webhook_url] as const]),
          ["Order id", <code>{order.id}</code>],
          [
            "Same request",
            <Link href={`/orders?batch=${order.batch_id}`}>Orders of its batch</Link>,
          ],
        ]}
      />
    </Card>
  );
}

const CLOSERS = { customer: "Customer", provider: "Carrier", ops: "Desk" } as const;
