import { LocalStack, type LocalStackOptions } from "../../../infra/local-stack/local-stack.ts";
import { endAfterTests } from "../lifetime/end-after-tests.ts";
import { TEST_LOGINS } from "./database-access.ts";
import { temporaryFolder } from "../lifetime/temporary-folder.ts";

/** `dataDir` is a temporary folder unless given. */
type OwnStackOptions = Omit<
  LocalStackOptions,
  "dataDir" | "log" | "kafkaUsers" | "rolePasswords"
> & {
  readonly dataDir?: string;
};

/** A separate stack for a test that kills parts of it; it shares the `existing` parts. Stopped after the tests. */
export async function startOwnStack({
  dataDir = temporaryFolder("stack"),
  ...options
}: OwnStackOptions): Promise<LocalStack> {
  const stack = new LocalStack({
    ...options,
    dataDir,
    ...TEST_LOGINS,
    log: () => undefined,
  });
  endAfterTests(() => stack.stop());
  await stack.start();
  return stack;
}
