/**
 * The release of Node's current LTS line that the image runs, under which commands go on where Node is too old, and whose
 * major version the documents recommend.
 */
export const LTS_NODE_VERSION = "26.10.0";

/** As people name it: `Node 26`. */
export const LTS_NODE = `Node ${String(Number.parseInt(LTS_NODE_VERSION))}`;

/** The oldest release that the project supports: the first that strips types without a warning. */
export const OLDEST_NODE_VERSION = "22.18.0";
