import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endAfterTests } from "./end-after-tests.ts";

/** An empty folder that every user may enter, as a database's folder must allow; removed after the tests. */
export function temporaryFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `porting-${name}-`));
  chmodSync(folder, 0o755);
  endAfterTests(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}
