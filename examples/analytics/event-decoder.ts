import { SchemaRegistry, SchemaType } from "@kafkajs/confluent-schema-registry";
import type { Type } from "avsc";
import { columnsOf, Instant, type Column } from "./columns.ts";
import type { Settings } from "./settings.ts";

const SCHEMA_ID_AT = 1;

/** Decodes events with the schema that each was written with; the columns are those of the newest schema. */
export class EventDecoder {
  readonly #registry: SchemaRegistry;
  readonly #subject: string;
  readonly #known = new Set<number>();
  #columns: readonly Column[] = [];

  constructor({ registry, topic }: Pick<Settings, "registry" | "topic">) {
    const options = { [SchemaType.AVRO]: { logicalTypes: { "timestamp-millis": Instant } } };
    this.#registry = new SchemaRegistry(registry, options);
    this.#subject = `${topic}-value`;
  }

  /** The columns of every event decoded so far; later schemas only add to them. */
  get columns(): readonly Column[] {
    return this.#columns;
  }

  async decode(value: Buffer): Promise<object> {
    const schemaId = value.readInt32BE(SCHEMA_ID_AT);
    if (!this.#known.has(schemaId)) await this.#learnNewest(schemaId);
    return (await this.#registry.decode(value)) as object;
  }

  /** An event of a schema that is new here may have fields that the columns lack. */
  async #learnNewest(schemaId: number): Promise<void> {
    const newest = await this.#registry.getLatestSchemaId(this.#subject);
    this.#columns = columnsOf((await this.#registry.getSchema(newest)) as unknown as Type);
    this.#known.add(schemaId);
  }
}
