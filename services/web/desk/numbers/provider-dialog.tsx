import { useState, type SubmitEvent } from "react";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { faultAt, otherFaults } from "../../ui/http/fault-at.ts";
import { useCommand } from "../../ui/http/use-command.ts";
import { Modal, ModalActions } from "../../ui/modal.tsx";
import { useToasts } from "../../ui/toasts.tsx";
import { useProviders } from "../carriers/queries.ts";
import styles from "./numbers-page.module.css";
import type { PlatformNumber } from "./queries.ts";

/** It reaches other accounts of the platform, and hosts no numbers. */
const HOSTS_NONE = "platform";

interface ProviderDialogProps {
  readonly number: PlatformNumber;
  readonly onClose: () => void;
}

/** Which provider hosts a number, chosen from those that there are. */
export function ProviderDialog({ number, onClose }: ProviderDialogProps) {
  const toasts = useToasts();
  const { data: providers } = useProviders();
  const [provider, setProvider] = useState("");
  const send = useCommand<PlatformNumber>({ refreshes: ["numbers"] });
  const { phone_number, provider: before, forwarding } = number;
  const others = (providers?.data ?? []).filter(
    ({ name }) => name !== before && name !== HOSTS_NONE,
  );
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    send.run(
      {
        path: `/desk/v1/numbers/${encodeURIComponent(phone_number)}/provider`,
        body: { provider },
      },
      {
        onDone: () => toasts.done(`${phone_number} is now hosted by ${provider}`),
        whileShown: onClose,
      },
    );
  };
  const rest = otherFaults(send.error, ["#/provider"]);
  return (
    <Modal
      title={`Provider of ${phone_number}`}
      description={`It is hosted by ${before} now. The customer is told of the change${forwarding === null ? "" : ", and its forwarding is applied again at the new provider"}.`}
      onClose={onClose}
    >
      <form className={styles["form"]} onSubmit={submit}>
        <Field label="New provider" error={faultAt(send.error, "#/provider")}>
          {(control) => (
            <select
              {...control}
              required
              value={provider}
              onChange={(event) => setProvider(event.target.value)}
            >
              <option value="" disabled>
                Choose
              </option>
              {others.map(({ name, title }) => (
                <option key={name} value={name}>
                  {name}: {title}
                </option>
              ))}
            </select>
          )}
        </Field>
        {rest !== null && <p role="alert">{rest}</p>}
        <ModalActions>
          <Button onClick={onClose}>Keep {before}</Button>
          <Button type="submit" kind="primary" isBusy={send.isPending} disabled={provider === ""}>
            Change provider
          </Button>
        </ModalActions>
      </form>
    </Modal>
  );
}
