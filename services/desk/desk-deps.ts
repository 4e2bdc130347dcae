import type { CarrierDirectory } from "../domain/carrier/rules/carrier-directory.ts";
import type { Providers } from "../domain/carrier/rules/provider.ts";
import type { ExpirySpans } from "../domain/order/rules/next-action.ts";
import type { RouteBus } from "../messages/bus/bus.ts";
import type { LaggingReads } from "../platform/db/lagging-reads.ts";
import type { FileStore } from "../platform/files/file-store.ts";
import type { SecretBox } from "../platform/secret-box.ts";
import type { PageDrawer } from "./documents/page-drawer.ts";
import type { SessionDeps } from "./session/routes.ts";
import type { HealthReader } from "./health/health-reader.ts";
import type { LiveHints } from "./stream/live-hints.ts";
import type { QueueCounts } from "./reviews/queue-counts.ts";

/** The dependencies of the desk's routes. */
export interface DeskDeps extends SessionDeps {
  readonly bus: RouteBus;
  readonly reads: LaggingReads;
  /** Decrypts sensitive values. */
  readonly box: SecretBox;
  readonly files: FileStore;
  /** Draws pages of documents that browsers do not show. */
  readonly pages: PageDrawer;
  /** Whether documents are scanned for viruses before they can be approved. */
  readonly scansDocuments: boolean;
  /** Give the kind of a carrier's status where the operator gives none. */
  readonly providers: Providers;
  /** The losing carriers, and which providers port from them. */
  readonly directory: CarrierDirectory;
  readonly queueCounts: QueueCounts;
  /** How long a claim lasts. */
  readonly claimLapseMs: number;
  /** How long drafts and rejections may stay untouched. */
  readonly expirySpans: ExpirySpans;
  readonly live: LiveHints;
  readonly health: HealthReader;
}
