import type { MigrationInterface, QueryRunner } from "typeorm";

/** When each case changed last, for the desk's live stream; and indexes for its clock and its statistics. */
export class CaseChanges1700000000080 implements MigrationInterface {
  name = "CaseChanges1700000000080";

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}

// A trigger, because several services write cases and none may forget it.
const UP = `
alter table reviews.cases add column changed_at timestamptz not null default now();

create function reviews.note_case_change() returns trigger language plpgsql as $$
begin
  new.changed_at := clock_timestamp();
  return new;
end
$$;
create trigger cases_changed before insert or update on reviews.cases
  for each row execute function reviews.note_case_change();

create index cases_changes on reviews.cases (changed_at);
create index cases_claims on reviews.cases (claimed_until) where state = 'open' and claimed_until is not null;
create index cases_due on reviews.cases (due_at) where state = 'open';
create index cases_of_account on reviews.cases (account_id) where state = 'open';

create index cases_decided on reviews.cases (decided_at) where state = 'decided';
create index decisions_made on reviews.decisions (decided_at);
`;

const DOWN = `
drop index reviews.decisions_made;
drop index reviews.cases_decided;
drop index reviews.cases_of_account;
drop index reviews.cases_due;
drop index reviews.cases_claims;
drop trigger cases_changed on reviews.cases;
drop function reviews.note_case_change;
alter table reviews.cases drop column changed_at;
`;
