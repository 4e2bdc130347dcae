import { useState } from "react";
import { faultAt, otherFaults } from "../../../ui/http/fault-at.ts";
import { useCommand } from "../../../ui/http/use-command.ts";
import type { Order } from "../queries.ts";
import type { Effect } from "./effect-sentence.ts";
import { bodyOf, draftKey, missingIn, type Missing, type UpdateDraft } from "./update-draft.ts";

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
export function useCarrierUpdate(order: Order, draft: UpdateDraft) {
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
