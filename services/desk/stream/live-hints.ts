import type { Context } from "koa";
import type { ChangeWatch } from "./change-watch.ts";
import type { OpenListeners } from "./open-listeners.ts";

/** The desk's live stream, shared by its readers. */
export interface LiveHints {
  readonly watch: ChangeWatch;
  readonly listeners: OpenListeners;
  /** The id of the operator whose request continues; null once its token or session is no longer valid. */
  readonly readmit: (ctx: Context) => Promise<string | null>;
}
