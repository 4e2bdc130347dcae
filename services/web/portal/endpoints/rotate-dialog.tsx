import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Modal, ModalActions } from "../../ui/modal.tsx";
import { SecretDialog } from "../../ui/secret-dialog.tsx";
import { Failure } from "../../ui/states.tsx";
import type { RotatedSecret } from "./endpoint-types.ts";
import { endpointPath, useEndpointCommand } from "./queries.ts";

const OVERLAPS = [
  [0, "Not at all: it may be known to others"],
  [3_600, "1 hour"],
  [86_400, "1 day"],
  [604_800, "7 days"],
] as const;
const USUAL_OVERLAP = "86400";

interface RotateDialogProps {
  readonly id: string;
  readonly onClose: () => void;
}

export function RotateDialog({ id, onClose }: RotateDialogProps) {
  const [overlap, setOverlap] = useState(USUAL_OVERLAP);
  const rotate = useEndpointCommand<RotatedSecret>();
  if (rotate.data !== undefined) {
    const secrets = [["New signing secret", rotate.data.signing_secret]] as const;
    return <SecretDialog title="The secret is rotated" {...{ secrets, onClose }} />;
  }
  const onRotate = (): void =>
    rotate.run({
      path: endpointPath(id, "/rotate_secret"),
      body: { overlap_seconds: Number(overlap) },
    });
  return (
    <Modal
      title="Rotate the signing secret"
      description="A new secret signs from now on. While they overlap, webhooks carry both signatures."
      isHeld={rotate.isPending}
      onClose={onClose}
    >
      {rotate.error !== null && <Failure error={rotate.error} />}
      <Field label="The previous secret signs too for">
        {(control) => (
          <select {...control} value={overlap} onChange={(event) => setOverlap(event.target.value)}>
            {OVERLAPS.map(([seconds, text]) => (
              <option key={seconds} value={seconds}>
                {text}
              </option>
            ))}
          </select>
        )}
      </Field>
      <ModalActions>
        <Button onClick={onClose} disabled={rotate.isPending}>
          Not now
        </Button>
        <Button kind="primary" isBusy={rotate.isPending} onClick={onRotate}>
          Rotate
        </Button>
      </ModalActions>
    </Modal>
  );
}
