import { useState, type SubmitEvent } from "react";
import type { z } from "zod";
import type { reviewerAnswer } from "../../../../desk/operators/answers.ts";
import { Button } from "../../../ui/button.tsx";
import { DataView } from "../../../ui/data-view.tsx";
import { Field } from "../../../ui/field.tsx";
import { useList } from "../../../ui/http/use-read.ts";
import { Modal, ModalActions } from "../../../ui/modal.tsx";
import styles from "./case.module.css";
import type { Claim } from "./use-claim.ts";

type Reviewer = z.output<typeof reviewerAnswer>;

interface AssignProps {
  /** Who has claimed the case now; null where nobody has. */
  readonly holder: { readonly id: string; readonly name: string } | null;
  readonly claim: Claim;
  readonly onClose: () => void;
}

/** Gives the case to a colleague, whose claim it becomes. */
export function Assign({ holder, claim, onClose }: AssignProps) {
  const reviewers = useList<Reviewer>("operators", "/desk/v1/reviewers");
  const whose = claim.isMine ? "you have" : `${holder?.name ?? ""} has`;
  const lost = holder === null ? "" : ` What ${whose} not sent is lost.`;
  return (
    <Modal
      title="Assign the case"
      description={`The colleague holds the case then, and sees that you assigned it.${lost}`}
      onClose={onClose}
    >
      <DataView query={reviewers}>
        {({ data }) => (
          <AssignForm
            reviewers={data.filter(({ id }) => id !== holder?.id)}
            claim={claim}
            onClose={onClose}
          />
        )}
      </DataView>
    </Modal>
  );
}

interface AssignFormProps extends Omit<AssignProps, "holder"> {
  readonly reviewers: readonly Reviewer[];
}

function AssignForm({ reviewers, claim, onClose }: AssignFormProps) {
  const [operatorId, setOperatorId] = useState("");
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    claim.assign(operatorId, onClose);
  };
  return (
    <form onSubmit={onSubmit} className={styles["form"]}>
      <Field label="Colleague">
        {(control) => (
          <select
            {...control}
            required
            autoFocus
            value={operatorId}
            onChange={(event) => setOperatorId(event.target.value)}
          >
            <option value="" disabled>
              Choose a colleague
            </option>
            {reviewers.map(({ id, name, role }) => (
              <option key={id} value={id}>
                {name} ({role})
              </option>
            ))}
          </select>
        )}
      </Field>
      <ModalActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" kind="primary" isBusy={claim.isBusy} disabled={operatorId === ""}>
          Assign
        </Button>
      </ModalActions>
    </form>
  );
}
