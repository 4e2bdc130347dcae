import { useMemo } from "react";
import { isEditable } from "../../../../domain/order/rules/status-facts.ts";
import { Card } from "../../../ui/page.tsx";
import { LetterItem } from "../letter/letter-item.tsx";
import type { Order, Requirement } from "../order-types.ts";
import { LETTER } from "../order-words.ts";
import { useReadiness } from "../queries.ts";
import { RequirementItem } from "./requirement-item.tsx";
import styles from "./requirements.module.css";

/** Says of a requirement what it is in other words than the catalogue's. */
export type InWords = (requirement: Requirement) => Requirement;

interface RequirementListProps {
  readonly order: Order;
  readonly inWords?: InWords;
}

/** What the order asks for: mandatory first with the letter last, because it states the others; the rest is folded. */
export function RequirementList({ order, inWords = (asked) => asked }: RequirementListProps) {
  const { data: readiness } = useReadiness(order.id);
  const blocking = useMemo(
    () => new Map(readiness?.blocking.map(({ slug, ...block }) => [slug, block])),
    [readiness],
  );
  const requirements = order.requirements.map(inWords);
  const mandatory = requirements.filter((one) => one.mandatory && one.slug !== LETTER);
  const optional = requirements.filter((one) => !one.mandatory && one.slug !== LETTER);
  const letter = requirements.find(({ slug }) => slug === LETTER);
  const item = (requirement: Requirement) => (
    <RequirementItem
      key={requirement.slug}
      {...{ order, requirement }}
      block={blocking.get(requirement.slug)}
    />
  );
  return (
    <Card title="What is needed">
      {!isEditable(order) && (
        <p className={styles["note"]}>
          Nothing can be changed while others work on the order. If something is rejected, it can be
          corrected here.
        </p>
      )}
      <ul className={styles["list"]}>
        {mandatory.map(item)}
        {letter !== undefined && (
          <LetterItem {...{ order, requirement: letter }} block={blocking.get(LETTER)} />
        )}
      </ul>
      {optional.length > 0 && (
        <details className={styles["optional"]}>
          <summary>Optional ({optional.length})</summary>
          <ul className={styles["list"]}>{optional.map(item)}</ul>
        </details>
      )}
    </Card>
  );
}
