import type { DataSource } from "typeorm";
import type { Providers } from "../domain/carrier/rules/provider.ts";
import type { Bus } from "../messages/bus/bus.ts";
import type { FileStore } from "../platform/files/file-store.ts";
import type { SecretBox } from "../platform/secret-box.ts";

/** What the routes work with. */
export interface DeskDeps {
  readonly bus: Bus;
  readonly dataSource: DataSource;
  /** Opens sensitive values. */
  readonly box: SecretBox;
  readonly files: FileStore;
  /** What a carrier's status means where the operator does not say. */
  readonly providers: Providers;
  /** How long a claim holds. */
  readonly claimLapseMs: number;
}
