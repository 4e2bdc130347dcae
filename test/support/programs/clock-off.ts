/** Environment of a Node process whose wall clock is wrong by so many milliseconds. */
export function clockOff(byMs: number): NodeJS.ProcessEnv {
  const code = `const Right = Date;
    globalThis.Date = class Date extends Right {
      constructor(...given) { if (given.length === 0) super(Right.now() + ${byMs}); else super(...given); }
      static now() { return Right.now() + ${byMs}; }
    };`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` };
}
