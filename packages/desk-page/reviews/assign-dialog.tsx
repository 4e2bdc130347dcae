import { useState } from "react";
import type { z } from "zod";
import type { reviewerAnswer } from "../../../services/desk/operators/answers.ts";
import { SelectField } from "../../ui/field.tsx";
import { useList } from "../../ui/http/read.ts";
import { FormModal } from "../../ui/modal.tsx";
import { DataView } from "../../ui/states.tsx";

type Reviewer = z.output<typeof reviewerAnswer>;

interface AssignProps {
  readonly title: string;
  readonly description: string;
  /** Who need not be assigned what they have. */
  readonly without: string | null;
  readonly isBusy: boolean;
  readonly onAssign: (operatorId: string) => void;
  readonly onClose: () => void;
}

/** Asks for the colleague who gets a case, or several. */
export function AssignDialog(props: AssignProps) {
  const { title, description, without, isBusy, onAssign, onClose } = props;
  const [operatorId, setOperatorId] = useState("");
  const reviewers = useList<Reviewer>("operators", "/desk/v1/reviewers");
  return (
    <FormModal
      title={title}
      description={description}
      verb="Assign"
      isBusy={isBusy}
      isReady={operatorId !== ""}
      onSubmit={() => onAssign(operatorId)}
      onClose={onClose}
    >
      <DataView query={reviewers}>
        {({ data }) => (
          <SelectField
            label="Colleague"
            required
            autoFocus
            prompt="Choose a colleague"
            options={data
              .filter(({ id }) => id !== without)
              .map(({ id, name, role }) => [id, `${name} (${role})`])}
            value={operatorId}
            onChange={setOperatorId}
          />
        )}
      </DataView>
    </FormModal>
  );
}
