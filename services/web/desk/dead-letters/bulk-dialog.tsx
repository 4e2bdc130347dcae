import { useQuery } from "@tanstack/react-query";
import { Confirm } from "../../ui/confirm.tsx";
import { DataView } from "../../ui/data-view.tsx";
import { request } from "../../ui/http/request.ts";
import { useCommand } from "../../ui/http/use-command.ts";
import { useToasts } from "../../ui/toasts.tsx";

export type Act = "replay" | "discard";

interface Settled {
  readonly matched: number;
  readonly done: number;
}

interface BulkDialogProps {
  readonly act: Act;
  readonly filter: Readonly<Record<string, string>>;
  readonly onClose: () => void;
}

const WORDS = {
  replay: { verb: "Replay", done: "replayed", effect: "Each is published to its topic again." },
  discard: { verb: "Discard", done: "discarded", effect: "They will never be handled." },
} as const;

/** Counts what matches by a dry run before it asks. */
export function BulkDialog({ act, filter: filters, onClose }: BulkDialogProps) {
  // Only parked ones can be settled, whatever states the list shows.
  const given = Object.entries(filters).filter(([name, value]) => name !== "state" && value !== "");
  const filter = Object.fromEntries(given);
  const path = `/desk/v1/dead_letters/${act}`;
  const { verb, done, effect } = WORDS[act];
  const dryRun = useQuery({
    queryKey: ["dead-letters", path, filter],
    queryFn: () => request<Settled>("POST", path, { body: { filter, dry_run: true } }),
    gcTime: 0,
  });
  const command = useCommand<Settled>({ refreshes: ["dead-letters"] });
  const toasts = useToasts();
  const matched = dryRun.data?.matched ?? 0;
  const onDone = (settled: Settled): void => {
    const left = settled.matched - settled.done;
    toasts.done(`${settled.done} ${done}`, left > 0 ? `${left} are left; repeat it.` : "");
  };
  return (
    <Confirm
      title={`${verb} all that match?`}
      verb={`${verb} ${matched.toLocaleString()}`}
      isDangerous={act === "discard"}
      isReady={matched > 0}
      isBusy={command.isPending}
      error={command.error}
      onConfirm={() => command.run({ path, body: { filter } }, { onDone, whileShown: onClose })}
      onClose={onClose}
    >
      <p>
        {given.length === 0
          ? "No filter is set: this means every parked message."
          : `Parked messages with ${given.map(([name, value]) => `${name} ${value}`).join(", ")}.`}
      </p>
      <DataView query={dryRun}>
        {() => (
          <p>
            <strong>{matched.toLocaleString()}</strong> match. {effect}
          </p>
        )}
      </DataView>
    </Confirm>
  );
}
