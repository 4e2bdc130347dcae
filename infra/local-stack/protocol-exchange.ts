import { createRequire } from "node:module";

/** kafkajs' writer of the protocol; the compact types (`UVarInt`) are those of flexible versions. */
export interface Encoder {
  readonly buffer: Buffer;
  writeInt8(value: number): Encoder;
  writeInt16(value: number): Encoder;
  writeInt32(value: number): Encoder;
  writeString(value: string): Encoder;
  writeDouble(value: number): Encoder;
  writeBoolean(value: boolean): Encoder;
  writeArray(items: readonly Encoder[]): Encoder;
  writeUVarIntBytes(value?: Buffer): Encoder;
  writeUVarIntString(value: string): Encoder;
  writeUVarIntArray(items: readonly Encoder[]): Encoder;
}

/** kafkajs' reader of the protocol. */
export interface Decoder {
  readInt16(): number;
  readInt32(): number;
  readString(): string | null;
  readArray<T>(read: (decoder: Decoder) => T): T[];
  readTaggedFields(): unknown;
  readUVarIntArray<T>(read: (decoder: Decoder) => T): T[];
  readUVarIntString(): string | null;
}

/** A request with the reading of its answer, as a connection of kafkajs sends it. */
export interface Exchange<D> {
  readonly request: {
    readonly apiKey: number;
    readonly apiVersion: number;
    readonly apiName: string;
    readonly encode: () => Promise<Encoder>;
  };
  readonly response: {
    readonly decode: (raw: Buffer) => Promise<D>;
    readonly parse: (data: D) => Promise<D>;
  };
}

const load = createRequire(import.meta.url);
const EncoderOf = load("kafkajs/src/protocol/encoder") as new () => Encoder;
const DecoderOf = load("kafkajs/src/protocol/decoder") as new (raw: Buffer) => Decoder;

export const newEncoder = (): Encoder => new EncoderOf();

/** A request that kafkajs does not have and sends all the same, in version 0 unless another is named. */
export function exchangeOf<D>(
  api: { readonly key: number; readonly name: string; readonly version?: number },
  encoded: Encoder,
  decode: (decoder: Decoder) => D,
): Exchange<D> {
  return {
    request: {
      apiKey: api.key,
      apiVersion: api.version ?? 0,
      apiName: api.name,
      encode: () => Promise.resolve(encoded),
    },
    response: {
      decode: (raw) => Promise.resolve(decode(new DecoderOf(raw))),
      parse: (data) => Promise.resolve(data),
    },
  };
}
