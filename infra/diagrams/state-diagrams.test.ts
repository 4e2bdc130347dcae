import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { projectRoot } from "../project-root.ts";
import { diagramsIn, DOCUMENT, STATE_DIAGRAMS } from "./state-diagrams.ts";

const drawn = diagramsIn(readFileSync(join(projectRoot, DOCUMENT), "utf8"));

describe("the state diagrams of docs/ARCHITECTURE.md", () => {
  it.each(STATE_DIAGRAMS.map(({ of, draw }, n) => ({ of, draw, inDocument: drawn[n] })))(
    "match the table of $of; `npm run diagrams` draws them",
    ({ draw, inDocument }) => {
      expect(inDocument?.split("\n")).toEqual(draw().split("\n"));
    },
  );
});
