import { useId } from "react";
import { Field } from "../../../ui/field.tsx";
import { browserZone } from "../../../ui/zoned/zoned-time.ts";
import { ZonedTimeField } from "../../../ui/zoned/zoned-time-field.tsx";
import type { Provider } from "../../carriers/queries.ts";
import type { Order } from "../queries.ts";
import { NumberPicker } from "./number-picker.tsx";
import { RejectionFields } from "./rejection-fields.tsx";
import type { UpdateDraft } from "./update-draft.ts";
import { UPDATE_KINDS, type UpdateKind } from "./update-kinds.ts";

export interface UpdateFieldsProps {
  readonly draft: UpdateDraft;
  readonly order: Order;
  readonly provider: Provider | undefined;
  readonly change: (changes: Partial<UpdateDraft>) => void;
  /** What is wrong at the field with this JSON pointer. */
  readonly errorAt: (pointer: string) => string | null;
}

/** The fields that the chosen kind asks for. */
export function UpdateFields(props: UpdateFieldsProps) {
  const { draft, order, provider, change, errorAt } = props;
  if (draft.kind === null) return null;
  const facts: UpdateKind = UPDATE_KINDS[draft.kind];
  const own = provider?.business_hours.time_zone;
  const zones = [...(own === undefined ? [] : [own]), browserZone(), "UTC"];
  return (
    <>
      <StatusWord {...props} />
      {facts.needsDate === true && (
        <ZonedTimeField
          label="FOC date"
          hint="The date and time that the carrier named, in its own time zone."
          error={errorAt("#/foc_at")}
          value={draft.foc}
          zones={zones}
          onChange={(foc) => change({ foc })}
        />
      )}
      {facts.reason !== undefined && <RejectionFields {...props} need={facts.reason} />}
      {facts.picksNumbers === true && <NumberPicker {...props} />}
      <ZonedTimeField
        label="Happened at"
        hint="When the carrier says that it happened."
        error={errorAt("#/occurred_at")}
        value={draft.occurred}
        zones={zones}
        onChange={(occurred) => change({ occurred })}
      />
      {order.request_version > 1 && (
        <Field label="Which request it answers" error={errorAt("#/request_version")}>
          {(control) => (
            <select
              {...control}
              value={draft.version}
              onChange={(event) => change({ version: Number(event.target.value) })}
            >
              {Array.from({ length: order.request_version }, (_, n) => (
                <option key={n} value={n + 1}>
                  Version {n + 1}
                  {n + 1 === order.request_version && " (the current one)"}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      <Field
        label={facts.needsComment === true ? "Its comment" : "Its comment (optional)"}
        hint="The customer receives it as the carrier’s comment."
        error={errorAt("#/comment")}
      >
        {(control) => (
          <textarea
            {...control}
            rows={2}
            maxLength={4_000}
            value={draft.comment}
            onChange={(event) => change({ comment: event.target.value })}
          />
        )}
      </Field>
    </>
  );
}

function StatusWord({ draft, provider, change, errorAt }: UpdateFieldsProps) {
  const id = useId();
  const words = provider?.statuses.filter(({ kind }) => kind === draft.kind) ?? [];
  return (
    <Field
      label="The carrier’s own word"
      hint="As it said or wrote it; it becomes the order’s provider status."
      error={errorAt("#/raw_status")}
    >
      {(control) => (
        <>
          <input
            {...control}
            list={id}
            maxLength={200}
            autoComplete="off"
            value={draft.rawStatus}
            onChange={(event) => change({ rawStatus: event.target.value })}
          />
          <datalist id={id}>
            {words.map(({ raw_status: word }) => (
              <option key={word} value={word} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}
