import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { Table, type Column } from "../../ui/list.tsx";
import { Confirm } from "../../ui/modal.tsx";
import { Page } from "../../ui/page.tsx";
import { DataView, Empty } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { useToasts } from "../../ui/toasts.tsx";
import { HOLDERS_PATH, useHolderCommand, useHolders, type Holder } from "./holders.ts";

/** The holders whose values the account keeps for its next orders. */
export default function HoldersPage() {
  const [deleted, setDeleted] = useState<Holder | null>(null);
  const columns: readonly Column<Holder>[] = [
    { title: "Name", cell: ({ name }) => <span className="as-written">{name}</span> },
    { title: "Who it is", cell: whoIs },
    { title: "Saved", cell: ({ created_at: at }) => <Time at={at} />, isMinor: true },
    {
      title: "Id",
      cell: ({ id }) => <code>{id}</code>,
      copies: ["the holder’s id", ({ id }) => id],
      isMinor: true,
    },
    {
      title: "Delete",
      cell: (holder) => <Button onClick={() => setDeleted(holder)}>Delete {holder.name}</Button>,
    },
  ];
  return (
    <Page title="Saved holders">
      <DataView query={useHolders()}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title="No saved holders yet">
              Open an order that is filled in, and save its holder: the next orders get the same
              values.
            </Empty>
          ) : (
            <Table caption="Saved holders" columns={columns} rows={data} keyOf={({ id }) => id} />
          )
        }
      </DataView>
      {deleted !== null && <DeleteDialog holder={deleted} onClose={() => setDeleted(null)} />}
    </Page>
  );
}

function whoIs({ requirements: { entity_name: entity, auth_person_name: person } }: Holder) {
  const named = [entity, person].filter((name) => name !== undefined);
  return <span className="as-written">{named.join(", ") || "–"}</span>;
}

interface DeleteProps {
  readonly holder: Holder;
  readonly onClose: () => void;
}

function DeleteDialog({ holder: { id, name }, onClose }: DeleteProps) {
  const remove = useHolderCommand();
  const toasts = useToasts();
  const onConfirm = (): void =>
    remove.run(
      { method: "DELETE", path: `${HOLDERS_PATH}/${id}` },
      { onDone: () => toasts.done(`${name} is deleted`), whileShown: onClose },
    );
  return (
    <Confirm
      title={`Delete ${name}?`}
      verb="Delete"
      isDangerous
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>Orders keep what they have been given.</p>
    </Confirm>
  );
}
