import { Card } from "../../../ui/page.tsx";
import { isUnderReview, liveVerdictOn, mayBeRejected } from "../rules/field-order.ts";
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
            verdict={liveVerdictOn(work.draft, field)}
            isChanged={review.changed_slugs.includes(field.slug)}
            isCurrent={mayDecide && field.slug === work.current?.slug}
            mayApprove={mayDecide && isUnderReview(field)}
            mayReject={mayDecide && mayBeRejected(field)}
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
