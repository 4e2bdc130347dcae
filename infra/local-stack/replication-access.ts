import { chownSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ProcessOwner } from "./process-owner.ts";

interface Cluster {
  readonly data: string;
  readonly owner: ProcessOwner | null;
}

/** `initdb` lets every login with REPLICATION copy the whole server: the relay's has it to read the log of one database. */
export function copiesForSuperuserAlone(hba: string, superuser: string): string {
  return hba.replaceAll(/^((?:local|host\w*)\s+replication\s+)all(\s)/gm, `$1${superuser}$2`);
}

/** Before the server of a data folder starts. */
export function restrictCopies({ data, owner }: Cluster, superuser: string): void {
  const path = join(data, "pg_hba.conf");
  const found = readFileSync(path, "utf8");
  const wanted = copiesForSuperuserAlone(found, superuser);
  if (wanted === found) return;
  const draft = `${path}.draft`;
  writeFileSync(draft, wanted, { mode: 0o600 });
  if (owner !== null) chownSync(draft, owner.uid, owner.gid);
  renameSync(draft, path);
}
