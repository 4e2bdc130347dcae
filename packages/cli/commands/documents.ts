import type { Command } from "commander";
import type { Session } from "../session.ts";
import { fileAt } from "../filling.ts";
import { leaf, type Json } from "./define.ts";

interface UploadOptions extends Json {
  readonly date?: string;
}

/** `nps documents`: documents for any order. */
export function addDocumentCommands(program: Command, session: Session): void {
  const documents = program.command("documents").description("documents for any order");
  leaf(documents, "upload <path>", "upload one; its id is a value for nps orders create --set")
    .option("--date <time>", "when it was issued: 2026-12-01T00:00:00+01:00; now unless given")
    .action(async (path: string, { date, ...options }: UploadOptions) => {
      const document_date = date ?? new Date().toISOString();
      const body = { file: await fileAt(path), document_date };
      const made = await session.client.uploadDocument(body);
      session.printer(options).item(made, { id: made.id, type: made.content_type });
    });
}
