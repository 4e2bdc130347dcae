import { Card } from "../../../ui/page.tsx";
import { verdictOn } from "../drafts/draft.ts";
import { isUnderReview } from "../rules/field-order.ts";
import type { CaseRequirement, ReviewCase } from "../types.ts";
import type { Viewer } from "../viewer/use-viewer.ts";
import styles from "./case.module.css";
import { FieldRow } from "./field-row.tsx";
import type { Work } from "./use-work.ts";

interface FieldListProps {
  readonly review: ReviewCase;
  readonly work: Work;
  readonly mayDecide: boolean;
  readonly viewer: Viewer;
  readonly onSelect: (field: CaseRequirement) => void;
  readonly onReject: (field: CaseRequirement) => void;
}

/** What the order asked for and got, with the verdict on each. */
export function FieldList(props: FieldListProps) {
  const { review, work, mayDecide, viewer, onSelect, onReject } = props;
  return (
    <Card title="Requirements">
      <ul className={styles["fields"]}>
        {work.fields.map((field) => (
          <FieldRow
            key={field.slug}
            field={field}
            // Until it is decided: a draft that was sent may still be there.
            verdict={isUnderReview(field) ? verdictOn(work.draft, field.slug) : null}
            isChanged={review.changed_slugs.includes(field.slug)}
            isCurrent={mayDecide && field.slug === work.current?.slug}
            isOpen={mayDecide && isUnderReview(field)}
            viewer={viewer}
            onSelect={() => onSelect(field)}
            onApprove={() => work.approve(field.slug)}
            onReject={() => {
              work.select(field.slug);
              onReject(field);
            }}
          />
        ))}
      </ul>
    </Card>
  );
}
