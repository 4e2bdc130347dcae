import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { DataView } from "../../ui/data-view.tsx";
import { useCommand } from "../../ui/http/use-command.ts";
import { useRead } from "../../ui/http/use-read.ts";
import { JsonView } from "../../ui/json-view.tsx";
import { Modal, ModalActions } from "../../ui/modal.tsx";
import { Facts } from "../../ui/page.tsx";
import { Failure } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { useToasts } from "../../ui/toasts.tsx";
import { useMay } from "../session/session.ts";
import { LetterState, type DeadLetter } from "./dead-letters-page.tsx";

interface LetterDialogProps {
  readonly id: string;
  readonly onClose: () => void;
}

/** One dead letter, with its value decoded. */
export function LetterDialog({ id, onClose }: LetterDialogProps) {
  const path = `/desk/v1/dead_letters/${id}`;
  const letter = useRead<DeadLetter>("dead-letters", path);
  return (
    <Modal title="Dead letter" placement="drawer" onClose={onClose}>
      <DataView query={letter}>{(found) => <Letter letter={found} path={path} />}</DataView>
    </Modal>
  );
}

function Letter({ letter, path }: { readonly letter: DeadLetter; readonly path: string }) {
  const mayAct = useMay("lead");
  const command = useCommand({ refreshes: ["dead-letters"] });
  const toasts = useToasts();
  const [isAsking, setIsAsking] = useState(false);
  const run = (act: "replay" | "discard", done: string): void => {
    command.run({ path: `${path}/${act}` }, { onDone: () => toasts.done(done) });
  };
  return (
    <>
      <Facts
        facts={[
          ["State", <LetterState key="state" state={letter.state} />],
          ["When", <Time key="when" at={letter.created_at} />],
          ["Topic", `${letter.topic}, partition ${letter.partition}, offset ${letter.offset}`],
          ["Consumer", letter.consumer],
          ["Key", letter.key ?? "–"],
          ["Error", letter.error_code],
        ]}
      />
      <p>{letter.error_detail}</p>
      <JsonView label="The message's value" value={letter.value} />
      {command.error !== null && <Failure error={command.error} />}
      {mayAct && letter.state === "parked" && (
        <ModalActions>
          <Button isBusy={command.isPending} onClick={() => setIsAsking(true)}>
            Discard
          </Button>
          <Button
            kind="primary"
            isBusy={command.isPending}
            onClick={() => run("replay", "The message is replayed")}
          >
            Replay
          </Button>
        </ModalActions>
      )}
      {isAsking && (
        <Confirm
          title="Discard this message?"
          verb="Discard it"
          isDangerous
          isBusy={false}
          error={null}
          onClose={() => setIsAsking(false)}
          onConfirm={() => {
            setIsAsking(false);
            run("discard", "The message is discarded");
          }}
        >
          <p>It will never be handled.</p>
        </Confirm>
      )}
    </>
  );
}
