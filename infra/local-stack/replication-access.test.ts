import { expect, it } from "@jest/globals";
import { copiesForSuperuserAlone } from "./replication-access.ts";

it("the server of npm start lets its superuser alone copy it, and every login read its own database", () => {
  const made = `# replication all
local   all             all                                     scram-sha-256
host    all             all             127.0.0.1/32            scram-sha-256
local   replication     all                                     scram-sha-256
host    replication     all             127.0.0.1/32            scram-sha-256
host    replication     all             ::1/128                 scram-sha-256
`;
  const wanted = copiesForSuperuserAlone(made, "postgres");
  expect(wanted).toBe(`# replication all
local   all             all                                     scram-sha-256
host    all             all             127.0.0.1/32            scram-sha-256
local   replication     postgres                                     scram-sha-256
host    replication     postgres             127.0.0.1/32            scram-sha-256
host    replication     postgres             ::1/128                 scram-sha-256
`);
  expect(copiesForSuperuserAlone(wanted, "postgres")).toBe(wanted);
});
