import { Link } from "wouter";
import { Badge } from "../../../ui/badge.tsx";
import { Card } from "../../../ui/page.tsx";
import { REQUIREMENT_WORDS } from "../order-words.ts";
import type { Order } from "../queries.ts";
import styles from "./rows.module.css";

/** What the order asks for, its values as this role may see them, and where each stands. */
export function RequirementsCard({ order }: { readonly order: Order }) {
  const { id, requirements, review_attempt: attempt } = order;
  const given = requirements.filter((one) => one.mandatory || one.field_value !== null);
  const absent = requirements.filter((one) => !given.includes(one));
  return (
    <Card title="Requirements">
      <ul className={styles["rows"]}>
        {given.map((one) => (
          <li key={one.slug}>
            <span className={styles["main"]}>{one.name}</span>
            <span className={styles["note"]}>
              <Value requirement={one} />
            </span>
            <Badge tone={REQUIREMENT_WORDS[one.status].tone}>
              {REQUIREMENT_WORDS[one.status].name}
            </Badge>
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

function Value({ requirement }: { readonly requirement: Order["requirements"][number] }) {
  const { field_type: type, field_value: value, name } = requirement;
  if (value === null) return <>Missing</>;
  if (type !== "document") return <>{value.replaceAll("\n", ", ")}</>;
  return (
    <a href={`/desk/v1/documents/${value}`} target="_blank" rel="noreferrer">
      Open<span className="visually-hidden"> {name} in a new tab</span>
    </a>
  );
}
