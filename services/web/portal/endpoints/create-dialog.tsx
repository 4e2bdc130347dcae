import { useState, type SubmitEvent } from "react";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Modal, ModalActions } from "../../ui/modal.tsx";
import { SecretDialog } from "../../ui/secret-dialog.tsx";
import { useEventTypes } from "../deliveries/queries.ts";
import { faultText } from "../orders/requirements/use-field.ts";
import type { NewEndpoint } from "./endpoint-types.ts";
import styles from "./endpoints.module.css";
import { ENDPOINTS_PATH, useEndpointCommand } from "./queries.ts";

export function CreateDialog({ onClose }: { readonly onClose: () => void }) {
  const [url, setUrl] = useState("https://");
  const [description, setDescription] = useState("");
  const [types, setTypes] = useState<readonly string[]>([]);
  const create = useEndpointCommand<NewEndpoint>();
  if (create.data !== undefined) {
    const secrets = [["Signing secret", create.data.signing_secret]] as const;
    return <SecretDialog title="The endpoint is created" {...{ secrets, onClose }} />;
  }
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    const named = description.trim() === "" ? {} : { description: description.trim() };
    create.run({
      path: ENDPOINTS_PATH,
      body: { url: url.trim(), enabled_events: types, ...named },
    });
  };
  const error = create.error === null ? null : faultText(create.error);
  return (
    <Modal title="New endpoint" isHeld={create.isPending} onClose={onClose}>
      <form className={styles["form"]} onSubmit={onSubmit}>
        <Field label="Address" hint="HTTPS, at a public address" error={error}>
          {(control) => (
            <input
              {...control}
              type="url"
              required
              value={url}
              onChange={(event) => setUrl(event.target.value)}
            />
          )}
        </Field>
        <Field label="Description" hint="Optional, to tell endpoints apart">
          {(control) => (
            <input
              {...control}
              value={description}
              onChange={(event) => setDescription(event.target.value)}
            />
          )}
        </Field>
        <EventChoice types={types} onChange={setTypes} />
        <ModalActions>
          <Button onClick={onClose} disabled={create.isPending}>
            Not now
          </Button>
          <Button type="submit" kind="primary" isBusy={create.isPending}>
            Create
          </Button>
        </ModalActions>
      </form>
    </Modal>
  );
}

interface EventChoiceProps {
  readonly types: readonly string[];
  readonly onChange: (types: readonly string[]) => void;
}

function EventChoice({ types, onChange }: EventChoiceProps) {
  const known = useEventTypes().data?.data ?? [];
  return (
    <details>
      <summary>{types.length === 0 ? "All events" : `${types.length} kinds of events`}</summary>
      <fieldset className={styles["types"]}>
        <legend className="visually-hidden">Events; none chosen means all</legend>
        {known.map((type) => (
          <label key={type}>
            <input
              type="checkbox"
              checked={types.includes(type)}
              onChange={({ target: { checked } }) =>
                onChange(checked ? [...types, type] : types.filter((one) => one !== type))
              }
            />
            <span>{type}</span>
          </label>
        ))}
      </fieldset>
    </details>
  );
}
