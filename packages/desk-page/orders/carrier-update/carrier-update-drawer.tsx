import { useState, type SubmitEvent } from "react";
import { Button } from "../../../ui/button.tsx";
import { SelectField } from "../../../ui/field.tsx";
import { useCommand } from "../../../ui/http/command.ts";
import { faultAt, otherFaults } from "../../../ui/http/request.ts";
import { Confirm, Modal, ModalActions } from "../../../ui/modal.tsx";
import { Skeleton } from "../../../ui/states.tsx";
import { useToasts } from "../../../ui/toasts.tsx";
import { useDraft } from "../../../ui/use-draft.ts";
import { browserZone } from "../../../ui/zoned-time.ts";
import { useProviders, type Provider } from "../../carriers/carriers.ts";
import type { Order } from "../orders.ts";
import styles from "./carrier-update.module.css";
import {
  bodyOf,
  draftKey,
  effectSentence,
  emptyDraft,
  focOf,
  missingIn,
  UPDATE_KINDS,
  type Effect,
  type Missing,
  type UpdateDraft,
} from "./update-draft.ts";
import { UpdateFields } from "./update-fields.tsx";

/** The fields that show their own faults. */
const FIELDS = [
  "#/raw_status",
  "#/occurred_at",
  "#/foc_at",
  "#/request_version",
  "#/rejection",
  "#/phone_numbers",
  "#/comment",
];

interface Done {
  readonly effect: Effect;
}

interface Recording {
  /** Wherever the person is by then. */
  readonly onDone: (effect: Effect) => void;
  readonly whileShown: () => void;
}

/** A carrier update: what it would do is asked first, and it is recorded as it was asked. */
function useCarrierUpdate(order: Order, draft: UpdateDraft) {
  const path = `/desk/v1/orders/${order.id}/carrier_updates`;
  const dryRun = useCommand<Done>();
  const recording = useCommand<Done>({ refreshes: ["orders"], draft: draftKey(order.id) });
  const [missing, setMissing] = useState<Missing>({});
  const error = recording.error ?? dryRun.error;
  return {
    // After a failure the order may be another: what the update does is to be read again.
    effect: recording.error === null ? (dryRun.data?.effect ?? null) : null,
    isRecording: recording.isPending,
    isBusy: dryRun.isPending || recording.isPending,
    errorAt: (pointer: string) => missing[pointer] ?? faultAt(error, pointer),
    otherError: otherFaults(error, FIELDS),
    preview: (): void => {
      const absent = missingIn(draft);
      setMissing(absent);
      if (Object.keys(absent).length > 0) return;
      recording.reset();
      dryRun.mutate({ path, body: { ...bodyOf(draft), dry_run: true } });
    },
    record: ({ onDone, whileShown }: Recording): void =>
      recording.run(
        { path, body: bodyOf(draft) },
        { onDone: ({ effect }) => onDone(effect), whileShown },
      ),
    /** After a change of the form, what was asked before no longer holds. */
    forget: (): void => {
      setMissing({});
      dryRun.reset();
      recording.reset();
    },
  };
}

interface CarrierUpdateDrawerProps {
  readonly order: Order;
  readonly onClose: () => void;
}

/** What a carrier said by mail or phone: what it means first, then what it does, and only then is it recorded. */
export function CarrierUpdateDrawer({ order, onClose }: CarrierUpdateDrawerProps) {
  const { data: providers, isPending } = useProviders();
  const provider = providers?.data.find(({ name }) => name === order.provider);
  return (
    <Modal
      title="Carrier update"
      description="What the carrier said by mail or phone. Nothing happens before you have seen what it does."
      placement="drawer"
      onClose={onClose}
    >
      {isPending ? (
        <Skeleton />
      ) : (
        <UpdateForm order={order} provider={provider} onClose={onClose} />
      )}
    </Modal>
  );
}

interface UpdateFormProps extends CarrierUpdateDrawerProps {
  readonly provider: Provider | undefined;
}

function UpdateForm({ order, provider, onClose }: UpdateFormProps) {
  const toasts = useToasts();
  const [isAsked, setIsAsked] = useState(false);
  const [empty] = useState(() =>
    emptyDraft({
      now: Date.now(),
      zone: provider?.business_hours.time_zone ?? browserZone(),
      version: order.request_version,
    }),
  );
  const { text: kept, write, takeOut } = useDraft(draftKey(order.id));
  const draft = kept === "" ? empty : { ...empty, ...(JSON.parse(kept) as Partial<UpdateDraft>) };
  const update = useCarrierUpdate(order, draft);
  const change = (changes: Partial<UpdateDraft>): void => {
    write(JSON.stringify({ ...draft, ...changes }));
    update.forget();
  };
  const sentenceOf = (effect: Effect): string => effectSentence(order.status, effect, focOf(draft));
  const discard = (): void => {
    write("");
    onClose();
  };
  const record = (): void =>
    update.record({
      onDone: (effect) => {
        toasts.done("The carrier update was recorded", sentenceOf(effect));
        takeOut(kept);
      },
      whileShown: onClose,
    });
  const isFinal = draft.kind !== null && UPDATE_KINDS[draft.kind].isFinal === true;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (update.effect === null) update.preview();
    else if (isFinal) setIsAsked(true);
    else record();
  };
  const { effect, otherError, isBusy } = update;
  const sentence = effect === null ? null : sentenceOf(effect);
  return (
    <form className={styles["form"]} onSubmit={submit} noValidate>
      <fieldset className={styles["fields"]} disabled={update.isRecording}>
        <KindChoice draft={draft} change={change} />
        <UpdateFields {...{ draft, order, provider, change }} errorAt={update.errorAt} />
      </fieldset>
      <div role="status">
        {sentence !== null && (
          <p className={`${styles["effect"]} ${effect?.ignored == null ? "" : styles["nothing"]}`}>
            {sentence}
          </p>
        )}
      </div>
      {otherError !== null && (
        <p role="alert" className={styles["error"]}>
          {otherError}
        </p>
      )}
      <ModalActions>
        {kept !== "" && (
          <Button kind="quiet" onClick={discard}>
            Discard
          </Button>
        )}
        <Button onClick={onClose}>{kept === "" ? "Cancel" : "Keep as a draft"}</Button>
        <Button type="submit" kind="primary" isBusy={isBusy} disabled={draft.kind === null}>
          {effect === null ? "Show what it does" : "Record update"}
        </Button>
      </ModalActions>
      {isAsked && sentence !== null && (
        <Confirm
          title="This cannot be taken back"
          verb="Yes, record it"
          isDangerous
          isBusy={isBusy}
          error={null}
          onClose={() => setIsAsked(false)}
          onConfirm={() => {
            setIsAsked(false);
            record();
          }}
        >
          <p>{sentence}</p>
        </Confirm>
      )}
    </form>
  );
}

type KindChoiceProps = Pick<Parameters<typeof UpdateFields>[0], "draft" | "change">;

function KindChoice({ draft, change }: KindChoiceProps) {
  const choose = (given: string): void => {
    const kind = Object.keys(UPDATE_KINDS).find((one) => one === given) as UpdateDraft["kind"];
    change({ kind: kind ?? null });
  };
  return (
    <SelectField
      label="What did the carrier say?"
      autoFocus
      prompt="Choose"
      options={Object.entries(UPDATE_KINDS).map(([kind, { name }]) => [kind, `${name} (${kind})`])}
      value={draft.kind ?? ""}
      onChange={choose}
    />
  );
}
