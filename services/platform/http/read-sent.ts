import type { Context } from "koa";

import { AppError } from "../errors.ts";
import type { FileStore } from "../files/file-store.ts";
import { checkBody, checkForm } from "./check-request.ts";
import { readForm } from "./read-form.ts";
import { readJsonBody } from "./read-body.ts";
import type { TableRow } from "./route-table.ts";
import type { BodyKind } from "./route.ts";

/** The part of a file store that takes files in. */
export type Uploads = Pick<FileStore, "receive" | "discard">;

/** A body that has been read whole, and not been looked at. */
export interface SentBody {
  /** The value that the route's schema makes of it. @throws `validation_failed` with every fault */
  check(): unknown;
  /** Removes the file that came with it and was not kept. */
  discard(): Promise<void>;
}

const nothingToDiscard = (): Promise<void> => Promise.resolve();

/** Reads a request's body as the kind that its route takes. */
export async function readSent<P>(
  { req, res }: Context,
  { route, body }: TableRow<P>,
  takes: BodyKind,
  uploads: Uploads | undefined,
): Promise<SentBody> {
  const { form } = route;
  if (takes === "form") {
    if (form === undefined || uploads === undefined) {
      throw new AppError("internal", `${route.path} takes no form`);
    }
    const { maxFileBytes } = form;
    const sent = await readForm(req, res, { maxFileBytes, files: uploads });
    return {
      check: () => checkForm(form.fields, sent),
      discard: () => (sent.file === null ? nothingToDiscard() : uploads.discard(sent.file)),
    };
  }
  if (body === null) return { check: () => ({}), discard: nothingToDiscard };
  const json = await readJsonBody(req, res, route.maxBodyBytes);
  return { check: () => checkBody(body, json), discard: nothingToDiscard };
}
