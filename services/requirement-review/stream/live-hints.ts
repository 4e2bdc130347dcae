import type { Context } from "koa";
import type { OperatorPrincipal } from "../access/operator.ts";
import type { ChangeWatch } from "./change-watch.ts";
import type { OpenListeners } from "./open-listeners.ts";

/** The desk's live stream, shared by its readers. */
export interface LiveHints {
  readonly watch: ChangeWatch;
  readonly listeners: OpenListeners;
  /** Authenticates a request once more, by whatever it came with; null if that is no longer valid. */
  readonly readmit: (ctx: Context) => Promise<OperatorPrincipal | null>;
}
