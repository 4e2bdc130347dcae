interface Resolvers {
  readonly promise: Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

function withResolvers(): Resolvers {
  let resolve: Resolvers["resolve"] = () => undefined;
  let reject: Resolvers["reject"] = () => undefined;
  const promise = new Promise((fulfil, refuse) => {
    resolve = fulfil;
    reject = refuse;
  });
  return { promise, resolve, reject };
}

/** pdf.js calls it, and Node has it from version 22 on. */
if (!("withResolvers" in Promise)) Object.assign(Promise, { withResolvers });
