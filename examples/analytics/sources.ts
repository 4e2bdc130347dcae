import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import pg from "pg";
import { quoted } from "./sql-text.ts";

/** A value as a question answers it: integers and doubles are numbers, instants dates. */
export type Cell = string | number | boolean | Date | null;

export type Row = Readonly<Record<string, Cell>>;

/** Where the schema `analytics` is: the Parquet files by DuckDB, or the product's Postgres. */
export interface Source {
  ask(sql: string, parameters: readonly string[]): Promise<readonly Row[]>;
  close(): Promise<void>;
}

/** The views over a folder of Parquet files. @throws an error where it has none yet */
export async function openFiles(folder: string, sqlFolder: string): Promise<Source> {
  const names = await readdir(folder).catch(() => []);
  if (!names.some((name) => name.endsWith(".parquet"))) {
    throw new Error(`${folder} has no events: the topic has none yet, or was not read`);
  }
  const instance = await DuckDBInstance.create();
  const connection = await instance.connect();
  await connection.run("set TimeZone = 'UTC'");
  await connection.run(`set variable events = ${quoted(join(folder, "*.parquet"))}`);
  await connection.run(await readFile(join(sqlFolder, "views.sql"), "utf8"));
  return {
    ask: async (sql, parameters) => {
      const reader = await connection.runAndReadAll(sql, [...parameters]);
      return reader.getRowObjectsJS() as Row[];
    },
    close: () => {
      connection.closeSync();
      instance.closeSync();
      return Promise.resolve();
    },
  };
}

/** The views in Postgres; nothing can be written by it. */
export async function openPostgres(url: string): Promise<Source> {
  const client = new pg.Client({ connectionString: url, application_name: "analytics" });
  await client.connect();
  await client.query("set default_transaction_read_only = on");
  await client.query("set statement_timeout = '5min'");
  return {
    ask: async (sql, parameters) => (await client.query<Row>(sql, [...parameters])).rows,
    close: () => client.end(),
  };
}

/** The text of a question of `sql/questions`. */
export function readQuestion(sqlFolder: string, name: string): Promise<string> {
  return readFile(join(sqlFolder, "questions", `${name}.sql`), "utf8");
}
