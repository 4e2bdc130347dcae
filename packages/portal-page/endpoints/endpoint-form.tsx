import { useState } from "react";
import { TextField } from "../../ui/field.tsx";
import { faultAt, otherFaults } from "../../ui/http/request.ts";
import { counted } from "../../ui/list-rules.ts";
import { FormModal, SecretDialog } from "../../ui/modal.tsx";
import { useToasts } from "../../ui/toasts.tsx";
import { EventName } from "../../ui/webhooks/event-name.tsx";
import { SENT_EVENT_TYPES } from "../../ui/webhooks/event-types.ts";
import styles from "./endpoints.module.css";
import {
  ENDPOINTS_PATH,
  endpointPath,
  useEndpointCommand,
  type Endpoint,
  type NewEndpoint,
} from "./endpoints.ts";

interface EndpointFormProps {
  /** Undefined for a new one. */
  readonly endpoint?: Endpoint;
  readonly onClose: () => void;
}

/** Creates an endpoint, whose secret is shown then, or changes one. */
export function EndpointForm({ endpoint, onClose }: EndpointFormProps) {
  const [url, setUrl] = useState(endpoint?.url ?? "https://");
  const [description, setDescription] = useState(endpoint?.description ?? "");
  const [pace, setPace] = useState(String(endpoint?.max_per_second ?? ""));
  const [types, setTypes] = useState<readonly string[]>(endpoint?.enabled_events ?? []);
  const save = useEndpointCommand<Partial<NewEndpoint>>();
  const toasts = useToasts();
  const secret = save.data?.signing_secret;
  if (secret !== undefined) {
    const secrets = [["Signing secret", secret]] as const;
    return <SecretDialog title="The endpoint is created" {...{ secrets, onClose }} />;
  }
  const body = {
    url: url.trim(),
    description: description.trim() || null,
    max_per_second: pace === "" ? null : Number(pace),
    enabled_events: types,
  };
  const onDone = () => toasts.done("The endpoint is changed");
  const onSubmit = (): void => {
    if (endpoint === undefined) save.run({ path: ENDPOINTS_PATH, body });
    else {
      const path = endpointPath(endpoint.id);
      save.run({ method: "PATCH", path, body }, { onDone, whileShown: onClose });
    }
  };
  return (
    <FormModal
      title={endpoint === undefined ? "New endpoint" : "Edit the endpoint"}
      verb={endpoint === undefined ? "Create" : "Save"}
      leave="Not now"
      isHeld={save.isPending}
      isBusy={save.isPending}
      fault={otherFaults(save.error, ["#/url", "#/description"])}
      onSubmit={onSubmit}
      onClose={onClose}
    >
      <TextField
        label="Address"
        hint="HTTPS, at a public address"
        error={faultAt(save.error, "#/url")}
        type="url"
        required
        value={url}
        onChange={setUrl}
      />
      <TextField
        label="Description"
        hint="Optional, to tell endpoints apart"
        error={faultAt(save.error, "#/description")}
        maxLength={500}
        value={description}
        onChange={setDescription}
      />
      <TextField
        label="Webhooks a second"
        hint="The most that it takes; empty for no limit"
        type="number"
        min={1}
        max={1_000}
        value={pace}
        onChange={setPace}
      />
      <EventChoice types={types} onChange={setTypes} />
    </FormModal>
  );
}

interface EventChoiceProps {
  readonly types: readonly string[];
  readonly onChange: (types: readonly string[]) => void;
}

function EventChoice({ types, onChange }: EventChoiceProps) {
  return (
    <details>
      <summary>
        {types.length === 0
          ? "All events"
          : counted(types.length, "kind of event", "kinds of events")}
      </summary>
      <fieldset className={styles["types"]}>
        <legend className="visually-hidden">Events; none chosen means all</legend>
        {SENT_EVENT_TYPES.map((type) => (
          <label key={type}>
            <input
              type="checkbox"
              checked={types.includes(type)}
              onChange={({ target: { checked } }) =>
                onChange(checked ? [...types, type] : types.filter((one) => one !== type))
              }
            />
            <span>
              <EventName type={type} />
            </span>
          </label>
        ))}
      </fieldset>
    </details>
  );
}
