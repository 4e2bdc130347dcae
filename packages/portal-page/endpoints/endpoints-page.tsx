import { useState } from "react";
import { Link } from "wouter";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Table, type Column } from "../../ui/list.tsx";
import { FormModal, SecretDialog } from "../../ui/modal.tsx";
import { Page } from "../../ui/page.tsx";
import { DataView, Empty } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { useEventTypes } from "../deliveries/deliveries.ts";
import { faultText } from "../orders/orders.ts";
import styles from "./endpoints.module.css";
import {
  ENDPOINTS_PATH,
  endpointWords,
  useEndpointCommand,
  useEndpoints,
  type Endpoint,
  type NewEndpoint,
} from "./endpoints.ts";

export default function EndpointsPage() {
  const [isCreating, setIsCreating] = useState(false);
  const query = useEndpoints();
  return (
    <Page
      title="Endpoints"
      actions={
        <Button kind="primary" onClick={() => setIsCreating(true)}>
          New endpoint
        </Button>
      }
    >
      <DataView query={query}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title="No endpoints yet">
              An endpoint is an HTTPS address of yours that is told of every event. Create one to
              receive webhooks.
            </Empty>
          ) : (
            <Table caption="Endpoints" columns={COLUMNS} rows={data} keyOf={({ id }) => id} />
          )
        }
      </DataView>
      {isCreating && <CreateDialog onClose={() => setIsCreating(false)} />}
    </Page>
  );
}

const COLUMNS: readonly Column<Endpoint>[] = [
  {
    title: "Address",
    cell: ({ id, url, description }) => (
      <>
        <Link href={`/endpoints/${id}`} className={styles["url"]}>
          {url}
        </Link>
        {description !== null && <span className="muted"> {description}</span>}
      </>
    ),
  },
  {
    title: "Status",
    cell: (endpoint) => {
      const [text, tone] = endpointWords(endpoint);
      return <Badge tone={tone}>{text}</Badge>;
    },
  },
  {
    title: "Events",
    cell: ({ enabled_events: types }) => (types.length === 0 ? "All" : types.length),
    isMinor: true,
  },
  {
    title: "Last success",
    cell: ({ last_success_at }) => <Time at={last_success_at} form="past" />,
  },
  {
    title: "Failures since",
    cell: ({ consecutive_failures: failures }) => failures,
    align: "right",
    isMinor: true,
  },
];

function CreateDialog({ onClose }: { readonly onClose: () => void }) {
  const [url, setUrl] = useState("https://");
  const [description, setDescription] = useState("");
  const [types, setTypes] = useState<readonly string[]>([]);
  const create = useEndpointCommand<NewEndpoint>();
  if (create.data !== undefined) {
    const secrets = [["Signing secret", create.data.signing_secret]] as const;
    return <SecretDialog title="The endpoint is created" {...{ secrets, onClose }} />;
  }
  const onSubmit = (): void => {
    const named = description.trim() === "" ? {} : { description: description.trim() };
    create.run({
      path: ENDPOINTS_PATH,
      body: { url: url.trim(), enabled_events: types, ...named },
    });
  };
  return (
    <FormModal
      title="New endpoint"
      verb="Create"
      leave="Not now"
      isHeld={create.isPending}
      isBusy={create.isPending}
      onSubmit={onSubmit}
      onClose={onClose}
    >
      <TextField
        label="Address"
        hint="HTTPS, at a public address"
        error={create.error === null ? null : faultText(create.error)}
        type="url"
        required
        value={url}
        onChange={setUrl}
      />
      <TextField
        label="Description"
        hint="Optional, to tell endpoints apart"
        value={description}
        onChange={setDescription}
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
