import type { Page } from "playwright-core";

export interface KeyCounter {
  /** Presses one key or combination after the other, as playwright names them: `a`, `Shift+A`, `Control+Enter`. */
  press(...keys: readonly string[]): Promise<void>;
  count(): number;
}

/** A keyboard that counts what is pressed; a combination counts once. */
export function keyboardOf(page: Page): KeyCounter {
  let count = 0;
  return {
    press: async (...keys) => {
      for (const key of keys) {
        await page.keyboard.press(key);
        count += 1;
      }
    },
    count: () => count,
  };
}
