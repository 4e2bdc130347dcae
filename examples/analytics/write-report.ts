import { rename, writeFile } from "node:fs/promises";
import { readFigures } from "./figures.ts";
import { drawPage } from "./report/page.ts";
import { openFiles, openPostgres, type Source } from "./sources.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;

export interface ReportOptions {
  /** The folder of the Parquet files. */
  readonly folder: string;
  /** The folder of views.sql and of the questions. */
  readonly sqlFolder: string;
  /** For webhooks, which no event reports; without it their part stays empty. */
  readonly databaseUrl: string | undefined;
  readonly days: number;
  /** The HTML file to write. */
  readonly out: string;
  readonly now: Date;
}

/** Draws the report of the last days. @throws an error where there are no files yet */
export async function writeReport(options: ReportOptions): Promise<void> {
  const { folder, sqlFolder, databaseUrl, days, out, now } = options;
  const files = await openFiles(folder, sqlFolder);
  try {
    const postgres = databaseUrl === undefined ? null : await openPostgres(databaseUrl);
    try {
      const since = new Date(now.getTime() - days * DAY_MS);
      const figures = await readFigures({ sqlFolder, files, postgres }, since);
      const page = drawPage(figures, { since, drawnAt: now, ...(await extentOf(files)) });
      await writeFile(`${out}.new`, page, { mode: 0o600 });
      await rename(`${out}.new`, out);
    } finally {
      await postgres?.close();
    }
  } finally {
    await files.close();
  }
}

async function extentOf(files: Source): Promise<{ events: number; lastEventAt: Date }> {
  const sql = `select count(*)::integer as events, max(created_at) as "lastEventAt" from analytics.events`;
  const [extent] = await files.ask(sql, []);
  return extent as unknown as { events: number; lastEventAt: Date };
}
