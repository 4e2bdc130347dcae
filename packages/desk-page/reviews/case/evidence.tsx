import { Link } from "wouter";
import { Badge } from "../../../ui/badge.tsx";
import { Card } from "../../../ui/page.tsx";
import type { CaseRequirement, ReviewCase } from "../reviews.ts";
import styles from "./case.module.css";
import { duplicateText, evidenceIn } from "./verdicts.ts";

interface EvidenceProps {
  readonly review: ReviewCase;
  readonly fields: readonly CaseRequirement[];
  readonly onSelect: (field: CaseRequirement) => void;
}

/** What speaks against the order, before anything else of the case; then what speaks for it. */
export function EvidenceCard({ review, fields, onSelect }: EvidenceProps) {
  const evidence = evidenceIn(fields);
  const { duplicates } = review;
  if (evidence.length + duplicates.length === 0) return null;
  return (
    <Card title="Checked">
      <ul className={styles["evidence"]}>
        {duplicates.map((one) => (
          <li key={one.order_id}>
            <Badge tone="bad">Duplicate</Badge>
            <Link href={`/orders/${one.order_id}`}>{duplicateText(one)}</Link>
          </li>
        ))}
        {evidence.map(({ field, tone, text }) => (
          <li key={field.slug}>
            <button type="button" className={styles["value"]} onClick={() => onSelect(field)}>
              {field.name}
            </button>
            <Badge tone={tone}>{text}</Badge>
          </li>
        ))}
      </ul>
    </Card>
  );
}
