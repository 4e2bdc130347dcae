import { LocalStack, type LocalStackOptions } from "../../../infra/local-stack/local-stack.ts";
import { endAfterTests } from "../lifetime/end-after-tests.ts";
import { temporaryFolder } from "../lifetime/temporary-folder.ts";

/** `dataDir` is a temporary folder unless given. */
type OwnStackOptions = Omit<LocalStackOptions, "dataDir" | "log"> & { readonly dataDir?: string };

/** For a test that kills parts of it: a stack of its own, beside `existing` parts that it shares; stopped after the tests. */
export async function startOwnStack({
  dataDir = temporaryFolder("stack"),
  ...options
}: OwnStackOptions): Promise<LocalStack> {
  const stack = new LocalStack({ ...options, dataDir, log: () => undefined });
  endAfterTests(() => stack.stop());
  await stack.start();
  return stack;
}
