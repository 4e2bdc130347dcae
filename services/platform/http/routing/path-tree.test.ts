import { describe, expect, it } from "@jest/globals";
import { PathTree } from "./path-tree.ts";

const PATTERNS = ["/things", "/things/:id", "/things/search", "/things/:id/parts/:part_id", "/"];

const tree = new PathTree<string>();
for (const pattern of PATTERNS) tree.add(pattern, pattern);

const find = (path: string) => tree.find(path);

describe("a tree of paths", () => {
  it("finds each pattern, with what its parameters stand for", () => {
    expect(find("/things")).toEqual({ ends: ["/things"], captures: [] });
    expect(find("/things/7")).toEqual({ ends: ["/things/:id"], captures: ["7"] });
    expect(find("/things/7/parts/8")).toEqual({
      ends: ["/things/:id/parts/:part_id"],
      captures: ["7", "8"],
    });
    expect(find("/")).toEqual({ ends: ["/"], captures: [] });
  });

  it("prefers a fixed segment to a parameter, unless the rest of the path fits only that", () => {
    expect(find("/things/search")).toEqual({ ends: ["/things/search"], captures: [] });
    expect(find("/things/search/parts/8")).toEqual({
      ends: ["/things/:id/parts/:part_id"],
      captures: ["search", "8"],
    });
  });

  it.each(["", "things", "/Things", "/things/", "//things", "/things//parts/8", "/things/7/parts"])(
    "has nothing at %j",
    (path) => {
      expect(find(path)).toBeNull();
    },
  );

  it("has everything that was added for the same segments", () => {
    const several = new PathTree<string>();
    several.add("/things/:id", "read");
    several.add("/things/:thing_id", "delete");
    expect(several.find("/things/7")).toEqual({ ends: ["read", "delete"], captures: ["7"] });
  });

  it.each(["/things/:id.json", "/things/*rest", "/things{/:id}", "/things/:Id"])(
    "refuses the pattern %s",
    (pattern) => {
      expect(() => tree.add(pattern, pattern)).toThrow("either fixed or a parameter");
    },
  );
});
