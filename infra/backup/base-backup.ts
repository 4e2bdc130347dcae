import { existsSync } from "node:fs";
import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type pg from "pg";
import { z } from "zod";
import { AppError } from "../../services/platform/errors.ts";
import { withConnection } from "../local-stack/postgres.ts";
import { copyData, flush } from "./copy-data.ts";

/** Contents that a server recreates, and the log that is in the archive (the manual, "Making a Base Backup"). */
const EMPTY_FOLDERS =
  /^(pg_wal|pg_replslot|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)\/./;
const LEFT_OUT = /^(postmaster\.(pid|opts)|backup_label(\.old)?|(standby|recovery)\.signal)$/;
const TEMPORARY = /(^|\/)(pgsql_tmp[^/]*|pg_internal\.init[^/]*)$/;

const about = z.object({
  data: z.string(),
  archive_mode: z.string(),
  in_recovery: z.boolean(),
  tablespaces: z.number(),
});

const stopped = z.object({ lsn: z.string(), label: z.string(), map: z.string().nullable() });

export interface BaseBackup {
  readonly folder: string;
  readonly bytes: number;
  /** The position in the write-ahead log that a recovery must reach for the copy to be consistent. */
  readonly consistentFrom: string;
}

/**
 * Copies the data folder of a running server on this machine by the low-level backup API. Returns when the archive holds
 * all log that the copy needs; until then the folder has another name.
 * @throws `invalid_state` where the server does not archive its log or its folder cannot be read
 */
export async function baseBackup(url: string, target: string, now: Date): Promise<BaseBackup> {
  const name = `base-${now.toISOString().replaceAll(/[-:]|\.\d+/g, "")}`;
  const folder = resolve(target, name);
  if (existsSync(folder)) throw new AppError("invalid_state", `${folder} exists already.`);
  const draft = `${folder}.draft`;
  await mkdir(target, { recursive: true, mode: 0o700 });
  await rm(draft, { recursive: true, force: true });
  // If the connection or this process ends in between, the server ends the backup by itself.
  const backup = await withConnection(url, async (client) => {
    const data = await requireArchiving(client);
    await client.query("select pg_backup_start($1, true)", [name]);
    const bytes = await copyData(data, draft, { leaveOut: isLeftOut, owner: null });
    const { rows } = await client.query(
      "select lsn::text, labelfile as label, spcmapfile as map from pg_backup_stop(true)",
    );
    const { lsn, label } = stopped.parse(rows[0]);
    await writeFile(join(draft, "backup_label"), label, { mode: 0o600 });
    await flush(join(draft, "backup_label"));
    await flush(draft);
    return { folder, bytes, consistentFrom: lsn };
  });
  await rename(draft, folder);
  await flush(resolve(target));
  return backup;
}

function isLeftOut(path: string): boolean {
  return EMPTY_FOLDERS.test(path) || LEFT_OUT.test(path) || TEMPORARY.test(path);
}

/** The server's data folder. */
async function requireArchiving(client: pg.Client): Promise<string> {
  const { rows } = await client.query(`select current_setting('data_directory') as data,
    current_setting('archive_mode') as archive_mode, pg_is_in_recovery() as in_recovery,
    (select count(*)::integer from pg_tablespace where spcname not like 'pg\\_%') as tablespaces`);
  const { data, archive_mode, in_recovery, tablespaces } = about.parse(rows[0]);
  const refusal =
    archive_mode === "off"
      ? "The server does not archive its log: start it with WAL_ARCHIVE_DIR."
      : in_recovery
        ? "The server is a standby: back up its primary."
        : tablespaces > 0
          ? "The server has tablespaces: use pg_basebackup."
          : null;
  if (refusal !== null) throw new AppError("invalid_state", refusal);
  await readdir(data).catch((cause: unknown) => {
    const message = `The server's folder ${data} cannot be read: run this command on its machine and as its user, or use pg_basebackup.`;
    throw new AppError("invalid_state", message, { cause });
  });
  return data;
}
