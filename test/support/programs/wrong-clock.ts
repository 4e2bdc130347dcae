/** Environment of a Node process whose wall clock shows `now`: an expression, in which `Right` is the true `Date`. */
export function wrongClock(now: string): NodeJS.ProcessEnv {
  const code = `const Right = Date;
    const now = () => ${now};
    globalThis.Date = class Date extends Right {
      constructor(...given) { if (given.length === 0) super(now()); else super(...given); }
      static now() { return now(); }
    };`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` };
}

/** One whose wall clock is wrong by so many milliseconds. */
export function clockOff(byMs: number): NodeJS.ProcessEnv {
  return wrongClock(`Right.now() + ${byMs}`);
}
