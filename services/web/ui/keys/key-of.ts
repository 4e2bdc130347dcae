/** What a key's name depends on; a `KeyboardEvent`. */
export interface PressedKey {
  readonly key: string;
  readonly shiftKey: boolean;
  getModifierState(name: "CapsLock"): boolean;
}

/** The key as if caps lock were off: with it, `a` would approve every field in place of one. */
export function keyOf(pressed: PressedKey): string {
  const { key, shiftKey } = pressed;
  if (key.length !== 1 || !pressed.getModifierState("CapsLock")) return key;
  return shiftKey ? key.toUpperCase() : key.toLowerCase();
}

/** Keys of which holding one down means more of the same; any other acts once, however long it is held. */
const REPEATING: ReadonlySet<string> = new Set(["j", "k", "+", "=", "-"]);

export function mayRepeat(key: string): boolean {
  return REPEATING.has(key);
}
