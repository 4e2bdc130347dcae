import { describe, expect, it } from "@jest/globals";
import { ListenerPort } from "../start/supervisor/ports.ts";
import { nodeProperties } from "./kafka-properties.ts";
import type { NodePorts } from "./remembered-ports.ts";

const portsAt = (first: number): NodePorts => ({
  clients: ListenerPort.fixed(first),
  controller: ListenerPort.fixed(first + 1),
});
const all = [portsAt(100), portsAt(200), portsAt(300)] as const;

function propertiesOf(nodes: readonly NodePorts[], id: number): string[] {
  const cluster = { nodes, users: { admin: "password" }, settings: { "log.roll.ms": 7 } };
  const ports = nodes[id - 1] ?? portsAt(0);
  return nodeProperties(cluster, { id, ports, logDirs: "/data" }).split("\n");
}

describe("the properties of a node", () => {
  it("of three name all controllers, and keep three copies of which two are in sync", () => {
    expect(propertiesOf(all, 2)).toEqual(
      expect.arrayContaining([
        "node.id=2",
        "controller.quorum.voters=1@127.0.0.1:101,2@127.0.0.1:201,3@127.0.0.1:301",
        "listeners=CLIENTS://127.0.0.1:200,CONTROLLER://127.0.0.1:201",
        "default.replication.factor=3",
        "min.insync.replicas=2",
        "offsets.topic.replication.factor=3",
        "transaction.state.log.min.isr=2",
        "log.roll.ms=7",
      ]),
    );
  });

  it("alone keep one copy", () => {
    expect(propertiesOf([all[0]], 1)).toEqual(
      expect.arrayContaining([
        "controller.quorum.voters=1@127.0.0.1:101",
        "offsets.topic.replication.factor=1",
        "min.insync.replicas=1",
      ]),
    );
  });
});
