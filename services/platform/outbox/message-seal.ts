import { AppError } from "../errors.ts";
import type { SecretBox } from "../secret-box.ts";

/** The message that a value belongs to; `topic` is the full name, including the prefix. */
interface SealedMessage {
  readonly topic: string;
  readonly messageId: string;
}

/** A value as the database holds it; `sealedKeyId` names the key of a sealed one. */
export interface StoredValue {
  readonly value: Buffer | null;
  readonly sealedKeyId: string | null;
}

/** Seals the values of secret topics for the time that they are in the database. */
export interface MessageSeal {
  /** Leaves the values of other topics as they are. */
  seal(value: Buffer | null, message: SealedMessage): StoredValue;
  open(stored: StoredValue, message: SealedMessage): Buffer | null;
}

/** Bound to its topic, so that it cannot be published on another. */
function aadOf({ topic, messageId }: SealedMessage): string {
  return `message/${topic}/${messageId}`;
}

/** Without a box, for services that have no key, a secret topic's value cannot be stored at all. */
export function createMessageSeal(
  box: SecretBox | null,
  isSecret: (topic: string) => boolean,
): MessageSeal {
  return {
    seal(value, message) {
      if (value === null || !isSecret(message.topic)) return { value, sealedKeyId: null };
      if (box === null) throw withoutKey(message);
      const { bytes, keyId } = box.seal(value, aadOf(message));
      return { value: bytes, sealedKeyId: keyId };
    },
    open({ value, sealedKeyId: keyId }, message) {
      if (value === null || keyId === null) return value;
      if (box === null) throw withoutKey(message);
      return box.openBytes({ bytes: value, keyId }, aadOf(message));
    },
  };
}

function withoutKey({ topic }: SealedMessage): AppError {
  return new AppError("internal", `This service has no key for the messages of ${topic}.`);
}
