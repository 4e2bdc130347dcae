/**
 * The release of Node's current LTS line that the image runs, that CI tests beside the oldest supported
 * one, and whose major version the documents recommend.
 */
export const LTS_NODE_VERSION = "26.10.0";

/** As people name it: `Node 26`. */
export const LTS_NODE = `Node ${String(Number.parseInt(LTS_NODE_VERSION))}`;

/** Arguments of npx that run the LTS release wherever another one is installed. */
export const NPX_LTS_NODE = ["-y", "-p", `node@${LTS_NODE_VERSION}`, "node"] as const;
