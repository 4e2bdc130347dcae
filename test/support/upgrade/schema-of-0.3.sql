-- The schema of a database of 0.3.0 by pg_dump, without its partitions, then its history; for database-of-0.3.ts.
set check_function_bodies = off;
CREATE SCHEMA accounts;
CREATE SCHEMA analytics;
COMMENT ON SCHEMA analytics IS 'Views for analysts, read with the role porting_analyst. docs/analytics.md has examples.';
CREATE SCHEMA carriers;
CREATE SCHEMA events;
CREATE SCHEMA messaging;
CREATE SCHEMA orders;
CREATE SCHEMA reviews;
CREATE SCHEMA webhooks;
CREATE FUNCTION accounts.refuse_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  raise exception 'the audit log is append-only' using errcode = 'insufficient_privilege';
end
$$;
CREATE FUNCTION carriers.forget_handled(before timestamp with time zone) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  horizon timestamptz;
  first_kept uuid;
  deleted integer;
begin
  select least(before, min(o.created_at)) into horizon from (
    select o.created_at from messaging.outbox o
    where o.id >= (select r.low_id from messaging.reconciliation r) order by o.id limit 1
  ) o;
  first_kept := messaging.uuid_at(horizon);
  with old_updates as materialized (
    select u.provider, u.update_id from carriers.updates u
    where u.received_at < horizon and exists (
      select from carriers.updates n where n.provider = u.provider and n.received_at > u.received_at)
    order by u.received_at limit 5000 for update of u skip locked
  ), updates as (
    delete from carriers.updates u using old_updates o
    where u.provider = o.provider and u.update_id = o.update_id returning 1
  ), old_port_outs as materialized (
    select u.provider, u.update_id from carriers.port_out_updates u
    where u.received_at < horizon order by u.received_at limit 5000 for update skip locked
  ), port_outs as (
    delete from carriers.port_out_updates u using old_port_outs o
    where u.provider = o.provider and u.update_id = o.update_id returning 1
  ), old_calls as materialized (
    select c.call_step from carriers.call_events c
    where c.event_id < first_kept order by c.event_id limit 5000 for update skip locked
  ), calls as (
    delete from carriers.call_events c using old_calls o where c.call_step = o.call_step returning 1
  )
  select (select count(*) from updates) + (select count(*) from port_outs) + (select count(*) from calls)
    into deleted;
  return deleted;
end
$$;
CREATE FUNCTION events.make_log_partitions(first timestamp with time zone, last timestamp with time zone) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  made integer := messaging.make_partitions('events.log', 'month', first, last);
  child regclass;
begin
  for child in
    select i.inhrelid::regclass from pg_inherits i
    where i.inhparent = 'events.log'::regclass
      and not exists (select from pg_trigger t where t.tgrelid = i.inhrelid and t.tgname = 'log_truncate')
  loop
    execute format('create trigger log_truncate before truncate on %s
      for each statement execute function events.refuse_change()', child);
    execute format('alter table %s enable always trigger log_truncate', child);
    execute format('alter table %s enable always trigger log_rows', child);
  end loop;
  return made;
end
$$;
CREATE FUNCTION events.refuse_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  raise exception 'the event log is append-only' using errcode = 'insufficient_privilege';
end
$$;
CREATE FUNCTION events.store(ids uuid[], accounts uuid[], types text[], orders uuid[], keys text[], sequences integer[], times timestamp with time zone[], bodies bytea[], contexts text[] DEFAULT NULL::text[]) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
declare
  touched uuid[];
  stored integer;
begin
  select array_agg(distinct u.account_id) into touched
    from unnest(ids, accounts, times) u (id, account_id, at)
    where not exists (select from events.log l where l.id = u.id and l.created_at = u.at);
  if touched is null then
    return 0;
  end if;
  insert into events.feed_counters (account_id)
    select a from unnest(touched) a order by a on conflict do nothing;
  perform from events.feed_counters c where c.account_id = any (touched) order by c.account_id for update;
  with fresh as (
    select u.*, row_number() over feed as n, max(u.at) over feed as latest
    from unnest(ids, accounts, types, orders, keys, sequences, times, bodies, contexts)
      with ordinality u (id, account_id, type, order_id, sequence_key, order_sequence, at, body, context, nth)
    where not exists (select from events.log l where l.id = u.id and l.created_at = u.at)
    window feed as (partition by u.account_id order by u.nth)
  ), inserted as (
    insert into events.log (id, account_id, seq, type, order_id, sequence_key, order_sequence,
      created_at, body, reached, context)
    select f.id, f.account_id, c.last_seq + f.n, f.type, f.order_id, f.sequence_key,
      f.order_sequence, f.at, f.body, greatest(c.reached, f.latest), f.context::jsonb
    from fresh f join events.feed_counters c using (account_id)
    returning account_id, created_at
  ), counted as (
    update events.feed_counters c
    set last_seq = c.last_seq + i.n, reached = greatest(c.reached, i.latest)
    from (select account_id, count(*) as n, max(created_at) as latest from inserted group by account_id) i
    where c.account_id = i.account_id
    returning i.n
  )
  select coalesce(sum(n), 0) into stored from counted;
  return stored;
end
$$;
CREATE FUNCTION messaging.desk_health() RETURNS jsonb
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  with recursive named (provider) as (
    (select u.provider from carriers.updates u order by u.provider limit 1)
    union all
    select (select u.provider from carriers.updates u where u.provider > n.provider order by u.provider limit 1)
    from named n where n.provider is not null
  ), said as (
    select n.provider, w.received_at, w.order_id
    from named n cross join lateral (
      select u.received_at, u.order_id from carriers.updates u
      where u.provider = n.provider order by u.received_at desc limit 1) w
    where n.provider is not null
  ), waiting as (
    select d.id, d.created_at from webhooks.deliveries d
    where d.status in ('pending', 'retrying') order by d.next_attempt_at limit 10000
  )
  select jsonb_build_object(
    'outbox_depth', (select count(*) from (
      select from messaging.unsent_messages limit 100000) o),
    'outbox_oldest_at', (select o.created_at
      from (select u.id, u.day from messaging.unsent_messages u order by u.id limit 1) u
      join messaging.outbox o on o.id = u.id and o.day = u.day),
    'dead_letters', (select count(*) from (
      select from messaging.dead_letters where state = 'parked' limit 100000) d),
    'oldest_delivery', (select jsonb_build_object('delivery_id', id, 'created_at', created_at)
      from waiting order by created_at limit 1),
    'providers', coalesce((select jsonb_agg(jsonb_build_object('provider', provider,
      'last_word_at', received_at, 'porting_order_id', order_id) order by provider) from said), '[]')
  )
$$;
CREATE FUNCTION messaging.drop_done_partitions(before date) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET lock_timeout TO '200ms'
    AS $_$
declare
  child record;
  unfinished boolean;
  dropped integer := 0;
begin
  for child in
    select c.relname, right(c.relname, 8) as day from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'messaging.outbox'::regclass
      and right(c.relname, 8) < to_char(before, 'YYYYMMDD')
    order by c.relname
  loop
    execute format('select exists (select from messaging.unsent_messages where day = to_date(%2$L, ''YYYYMMDD''))
      or (select max(id) from messaging.%1$I) >= (select low_id from messaging.reconciliation)',
      child.relname, child.day) into unfinished;
    if unfinished is not true then
      execute format('drop table messaging.%I', child.relname);
      execute format('drop table if exists messaging.%I', 'sent_messages_' || child.day);
      dropped := dropped + 1;
    end if;
  end loop;
  return dropped;
exception when lock_not_available then
  return 0;
end
$_$;
CREATE FUNCTION messaging.forget_handled(before timestamp with time zone) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  unreconciled timestamptz;
  deleted integer;
begin
  select o.created_at into unreconciled from messaging.outbox o
    where o.id >= (select r.low_id from messaging.reconciliation r) order by o.id limit 1;
  with old as materialized (
    select i.message_id, i.consumer from messaging.inbox i
    where i.consumer <> 'webhook-sender' and i.received_at < least(before, unreconciled)
    order by i.received_at limit 5000 for update skip locked
  )
  delete from messaging.inbox i using old
  where i.message_id = old.message_id and i.consumer = old.consumer;
  get diagnostics deleted = row_count;
  return deleted;
end
$$;
CREATE FUNCTION messaging.make_outbox_partitions(first timestamp with time zone, last timestamp with time zone) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  perform messaging.make_partitions('messaging.sent_messages', 'day', first, last);
  return messaging.make_partitions('messaging.outbox', 'day', first, last);
end
$$;
CREATE FUNCTION messaging.make_partitions(parent regclass, unit text, first timestamp with time zone, last timestamp with time zone) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET "TimeZone" TO 'UTC'
    AS $$
declare
  step interval := ('1 ' || unit)::interval;
  lower_bound timestamptz := date_trunc(unit, first);
  schema_name text;
  table_name text;
  child text;
  made integer := 0;
begin
  if unit not in ('day', 'month') then
    raise exception 'unit must be day or month';
  end if;
  perform pg_advisory_xact_lock(hashtext('make_partitions'), parent::oid::integer);
  select n.nspname, c.relname into schema_name, table_name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.oid = parent;
  while lower_bound <= last loop
    child := table_name || '_' || to_char(lower_bound, case unit when 'day' then 'YYYYMMDD' else 'YYYYMM' end);
    if to_regclass(format('%I.%I', schema_name, child)) is null then
      execute format('create table %I.%I (like %s including all)', schema_name, child, parent);
      execute format('alter table %s attach partition %I.%I for values from (%L) to (%L)',
        parent, schema_name, child, lower_bound, lower_bound + step);
      made := made + 1;
    end if;
    lower_bound := lower_bound + step;
  end loop;
  return made;
end
$$;
CREATE FUNCTION messaging.mark_primary() RETURNS uuid
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  current_mark uuid := messaging.primary_mark();
begin
  if current_mark is null then
    insert into messaging.primary_server as p (mark, started_at, timeline)
      values (gen_random_uuid(), pg_postmaster_start_time(), left(pg_walfile_name(pg_current_wal_lsn()), 8))
      on conflict (is_only) do update
        set mark = excluded.mark, started_at = excluded.started_at, timeline = excluded.timeline
        where (p.started_at, p.timeline) is distinct from (excluded.started_at, excluded.timeline);
    current_mark := messaging.primary_mark();
  end if;
  return current_mark;
end
$$;
CREATE FUNCTION messaging.note_marked() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET enable_hashjoin TO 'on'
    AS $$
begin
  with marked as materialized (
    select a.id, a.day, a.shard, a.sent_at, a.kafka_partition, a.kafka_offset
    from after_update a join before_update b on b.id = a.id and b.day = a.day
    where (a.sent_at, a.kafka_partition, a.kafka_offset)
      is distinct from (b.sent_at, b.kafka_partition, b.kafka_offset)
  ), unmarked as (
    insert into messaging.unsent_messages (id, day, shard)
    select m.id, m.day, m.shard from marked m where m.sent_at is null
    on conflict do nothing
  ), without_place as (
    delete from messaging.sent_messages s using marked m where s.id = m.id and s.day = m.day and m.sent_at is null
  ), sent as (
    delete from messaging.unsent_messages u using marked m where u.id = m.id and m.sent_at is not null
  )
  insert into messaging.sent_messages as s (id, day, sent_at, kafka_partition, kafka_offset)
    select m.id, m.day, m.sent_at, m.kafka_partition, m.kafka_offset from marked m where m.sent_at is not null
    on conflict (id, day) do update set sent_at = excluded.sent_at, kafka_partition = excluded.kafka_partition,
      kafka_offset = excluded.kafka_offset;
  return null;
end
$$;
CREATE FUNCTION messaging.note_unsent() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
  insert into messaging.unsent_messages (id, day, shard)
    select i.id, i.day, i.shard from inserted i where i.sent_at is null;
  return null;
end
$$;
CREATE FUNCTION messaging.primary_mark() RETURNS uuid
    LANGUAGE sql
    AS $$
  select p.mark from messaging.primary_server p
  where p.started_at = pg_postmaster_start_time()
    and case when pg_is_in_recovery() then false
      else p.timeline = left(pg_walfile_name(pg_current_wal_lsn()), 8) end
$$;
CREATE FUNCTION messaging.stored_health() RETURNS jsonb
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  with recursive named (provider) as (
    (select u.provider from carriers.updates u order by u.provider limit 1)
    union all
    select (select u.provider from carriers.updates u where u.provider > n.provider order by u.provider limit 1)
    from named n where n.provider is not null
  ), said as (
    select n.provider, w.received_at, w.order_id
    from named n cross join lateral (
      select u.received_at, u.order_id from carriers.updates u
      where u.provider = n.provider order by u.received_at desc limit 1) w
    where n.provider is not null
  ), unanswered as (
    select o.provider, min(o.updated_at) as since from orders.porting_orders o
    where o.status = 'submitted' group by o.provider
  ), waiting as (
    select d.id, d.created_at, d.account_id, d.url from webhooks.deliveries d
    join accounts.accounts a on a.id = d.account_id and a.status = 'active'
    where d.status in ('pending', 'retrying') order by d.next_attempt_at limit 10000
  ), oldest as (
    select w.id, w.created_at, w.account_id, w.url from waiting w order by w.created_at limit 1
  )
  select jsonb_build_object(
    'outbox_depth', (select count(*) from (
      select from messaging.unsent_messages limit 100000) o),
    'outbox_oldest_at', (select o.created_at
      from (select u.id, u.day from messaging.unsent_messages u order by u.id limit 1) u
      join messaging.outbox o on o.id = u.id and o.day = u.day),
    'dead_letters', (select count(*) from (
      select from messaging.dead_letters where state = 'parked' limit 100000) d),
    'oldest_delivery', (select jsonb_build_object('delivery_id', o.id, 'created_at', o.created_at, 'url', o.url,
        'account', jsonb_build_object('id', a.id, 'name', a.name))
      from oldest o join accounts.accounts a on a.id = o.account_id),
    'providers', coalesce((select jsonb_agg(jsonb_build_object('provider', coalesce(s.provider, u.provider),
        'last_word_at', s.received_at, 'porting_order_id', s.order_id, 'waiting_since', u.since))
      from said s full join unanswered u on u.provider = s.provider), '[]')
  )
$$;
CREATE FUNCTION messaging.time_of(id uuid) RETURNS timestamp with time zone
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS $$
  select to_timestamp(
    ('x' || substr(replace(id::text, '-', ''), 1, 12))::bit(48)::bigint / 1000.0
  )
$$;
CREATE FUNCTION messaging.uuid_at(at timestamp with time zone) RETURNS uuid
    LANGUAGE sql STRICT PARALLEL SAFE
    AS $$
  select encode(
    set_bit(set_bit(
      overlay(uuid_send(gen_random_uuid())
        placing substring(int8send(floor(extract(epoch from at) * 1000)::bigint) from 3) from 1 for 6),
      52, 1), 53, 1),
    'hex')::uuid
$$;
CREATE FUNCTION orders.instant_of(at text) RETURNS timestamp with time zone
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select at::timestamptz
$$;
CREATE FUNCTION orders.note_dead_letter(note_id uuid, of_order uuid, noted_at timestamp with time zone, letter jsonb) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  insert into orders.timeline (id, order_id, account_id, at, kind, actor, data, internal)
  select note_id, o.id, o.account_id, noted_at, 'ignored', '{"type": "system", "id": null, "name": null}',
    jsonb_build_object('dead_letter', letter), true
  from orders.porting_orders o where o.id = of_order
$$;
CREATE FUNCTION orders.quota_used(account uuid, new_drafts bigint, new_numbers bigint, max_drafts integer, max_numbers integer, OUT drafts bigint, OUT numbers bigint) RETURNS record
    LANGUAGE plpgsql
    AS $$
declare
  drafts_at_once constant integer := 100;
  numbers_at_once constant integer := 20000;
begin
  for pass in 1..2 loop
    select count(*) into drafts from (select from orders.porting_orders o
      where o.account_id = account and o.status = 'draft' and o.deleted_at is null limit max_drafts) one;
    select count(*) into numbers from (select from orders.order_numbers n
      where n.account_id = account and n.live limit max_numbers) one;
    exit when pass = 2;
    exit when (max_drafts = 0 or drafts + new_drafts + drafts_at_once <= max_drafts)
      and (max_numbers = 0 or numbers + new_numbers + numbers_at_once <= max_numbers);
    perform pg_advisory_xact_lock(hashtextextended('order quotas ' || account, 0));
  end loop;
end
$$;
CREATE FUNCTION orders.requirement_profile_id(items jsonb) RETURNS uuid
    LANGUAGE sql IMMUTABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select encode(substr(sha256(convert_to(items::text, 'UTF8')), 1, 16), 'hex')::uuid
$$;
CREATE FUNCTION reviews.case_due_at(of_order uuid, of_attempt integer) RETURNS timestamp with time zone
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select c.due_at from reviews.cases c
  where c.order_id = of_order and c.attempt = of_attempt and c.state = 'open'
$$;
CREATE FUNCTION reviews.note_case_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  new.changed_at := clock_timestamp();
  return new;
end
$$;
CREATE FUNCTION webhooks.account_counts(of_account uuid) RETURNS jsonb
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  select jsonb_build_object(
    'webhook_endpoints', count(*),
    'paused_webhook_endpoints', count(*) filter (where e.paused_by is not null),
    'waiting_deliveries', (select count(*) from (
      select from webhooks.deliveries d
      where d.account_id = of_account and d.status in ('pending', 'retrying') limit 10000) w)
  )
  from webhooks.endpoints e where e.account_id = of_account and e.deleted_at is null
$$;
CREATE FUNCTION webhooks.drop_delivery_partition(before timestamp with time zone) RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET lock_timeout TO '200ms'
    SET "TimeZone" TO 'UTC'
    AS $_$
declare
  child record;
  is_waiting boolean;
begin
  for child in
    -- The condition guards the cast: the planner may look at every table's name before it looks whose child it is.
    select m.name, m.ended from (
      select c.relname as name, case when c.relname ~ '_[0-9]{6}$'
        then to_date(right(c.relname, 6), 'YYYYMM') + interval '1 month' end as ended
      from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'webhooks.deliveries'::regclass
    ) m
    where m.ended <= before
    order by m.name
  loop
    execute format('select exists (select from webhooks.%1$I where status in (''pending'', ''retrying''))
      or exists (select from webhooks.begun_deliveries where created_at < %2$L)', child.name, child.ended) into is_waiting;
    continue when is_waiting;
    lock table only webhooks.deliveries in access exclusive mode;
    execute format('lock table webhooks.%I in access exclusive mode', child.name);
    execute format('select exists (select from webhooks.%1$I where status in (''pending'', ''retrying''))
      or exists (select from webhooks.begun_deliveries where created_at < %2$L)', child.name, child.ended) into is_waiting;
    continue when is_waiting;
    execute format('drop table webhooks.%I', child.name);
    update webhooks.delivery_retention set dropped_before = greatest(dropped_before, child.ended);
    return child.name;
  end loop;
  return null;
exception when lock_not_available then
  return null;
end
$_$;
CREATE FUNCTION webhooks.keep_ended_at(endpoint uuid, at timestamp with time zone) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  with b as (
    delete from webhooks.begun_deliveries e where e.endpoint_id = endpoint and e.lease_until <= at returning e.*
  )
  insert into webhooks.deliveries (id, created_at, account_id, event_id, event_type, event_at, cause_id, trigger,
    endpoint_id, endpoint_key, order_id, url, traceparent, attempt_count, claim_no, claimed_at, lease_until, status,
    next_attempt_at)
  select b.id, b.created_at, b.account_id, b.event_id, b.event_type, b.created_at, b.event_id, 'event',
    b.endpoint_id, b.endpoint_id, b.order_id, b.url, b.traceparent, 1, 1, b.claimed_at, b.lease_until, 'pending',
    b.claimed_at from b
$$;
CREATE FUNCTION webhooks.make_delivery_partitions(first timestamp with time zone, last timestamp with time zone) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
  made integer := messaging.make_partitions('webhooks.deliveries', 'month', first, last);
  part record;
begin
  for part in
    select c.oid::regclass as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'webhooks.deliveries'::regclass and c.reloptions is null
  loop
    execute format('alter table %s set (fillfactor = 80)', part.name);
  end loop;
  return made;
end
$$;
CREATE TABLE accounts.accounts (
    id uuid NOT NULL,
    name text NOT NULL,
    status text DEFAULT 'active'::text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT accounts_status CHECK ((status = ANY (ARRAY['active'::text, 'suspended'::text])))
);
CREATE TABLE accounts.api_keys (
    id uuid NOT NULL,
    account_id uuid NOT NULL,
    name text,
    prefix text NOT NULL,
    key_hash bytea NOT NULL,
    created_at timestamp with time zone NOT NULL,
    last_used_at timestamp with time zone,
    revoked_at timestamp with time zone
);
CREATE TABLE accounts.audit_log (
    id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
    operator_id uuid,
    operator_name text NOT NULL,
    action text NOT NULL,
    account_id uuid,
    porting_order_id uuid,
    request_id text,
    before jsonb,
    after jsonb,
    actor_type text DEFAULT 'operator'::text NOT NULL,
    api_key_id uuid,
    CONSTRAINT audit_log_actor_type_check CHECK ((actor_type = ANY (ARRAY['operator'::text, 'customer'::text, 'system'::text])))
);
CREATE TABLE accounts.operator_sessions (
    id uuid NOT NULL,
    token_hash bytea NOT NULL,
    operator_token_id uuid NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    used_at timestamp with time zone NOT NULL
);
CREATE TABLE accounts.operator_tokens (
    id uuid NOT NULL,
    operator_id uuid NOT NULL,
    prefix text NOT NULL,
    token_hash bytea NOT NULL,
    created_at timestamp with time zone NOT NULL,
    revoked_at timestamp with time zone
);
CREATE TABLE accounts.operators (
    id uuid NOT NULL,
    name text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    role text NOT NULL,
    active boolean DEFAULT true NOT NULL,
    CONSTRAINT operators_role CHECK ((role = ANY (ARRAY['viewer'::text, 'reviewer'::text, 'lead'::text, 'admin'::text])))
);
CREATE TABLE accounts.portal_cookies (
    cookie_hash bytea NOT NULL,
    session_id uuid NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL
);
CREATE TABLE accounts.portal_sessions (
    id uuid NOT NULL,
    account_id uuid NOT NULL,
    api_key_id uuid NOT NULL,
    order_id uuid,
    link_hash bytea NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    opened_at timestamp with time zone,
    ended_at timestamp with time zone
);
CREATE TABLE events.log (
    id uuid NOT NULL,
    account_id uuid NOT NULL,
    seq bigint NOT NULL,
    type text NOT NULL,
    order_id uuid,
    sequence_key text NOT NULL,
    order_sequence integer,
    created_at timestamp with time zone NOT NULL,
    stored_at timestamp with time zone DEFAULT now() NOT NULL,
    body bytea NOT NULL,
    reached timestamp with time zone NOT NULL,
    context jsonb
)
PARTITION BY RANGE (created_at);
CREATE VIEW analytics.calls AS
 SELECT c.event_id,
    c.account_id,
    c.order_id,
    (c.payload ->> 'phone_number'::text) AS phone_number,
    (c.payload ->> 'call_id'::text) AS call_id,
    (c.context ->> 'provider'::text) AS provider,
    split_part(c.type, '.'::text, 2) AS kind,
    c.created_at AS told_at,
    ((c.payload ->> 'occurred_at'::text))::timestamp with time zone AS occurred_at,
    ((c.payload ->> 'duration_seconds'::text))::integer AS duration_seconds,
    (c.payload ->> 'ended_by'::text) AS ended_by,
    (c.payload ->> 'reason'::text) AS missed_reason,
    (c.payload ->> 'forwarded_by'::text) AS forwarded_by,
    (c.payload ->> 'stage'::text) AS stage
   FROM ( SELECT l.id AS event_id,
            l.account_id,
            l.order_id,
            l.type,
            l.created_at,
            l.context,
            ((convert_from(l.body, 'UTF8'::name))::jsonb -> 'payload'::text) AS payload
           FROM events.log l
          WHERE (l.type = ANY (ARRAY['call.forwarded'::text, 'call.completed'::text, 'call.missed'::text]))) c;
COMMENT ON VIEW analytics.calls IS 'One row per report on a call of a number; a call that is forwarded and then completed has two. Callers are not shown.';
COMMENT ON COLUMN analytics.calls.event_id IS 'Id of the event, a UUIDv7.';
COMMENT ON COLUMN analytics.calls.account_id IS 'Account that had the number at the time of the call.';
COMMENT ON COLUMN analytics.calls.order_id IS 'Order that brought the number in; null where there is none.';
COMMENT ON COLUMN analytics.calls.phone_number IS 'The number that was called, in E.164.';
COMMENT ON COLUMN analytics.calls.call_id IS 'Id of the call at its provider; the reports on one call share it.';
COMMENT ON COLUMN analytics.calls.provider IS 'Provider that reported it; null before version 0061 of the database.';
COMMENT ON COLUMN analytics.calls.kind IS 'forwarded, completed or missed.';
COMMENT ON COLUMN analytics.calls.told_at IS 'When the report was published here.';
COMMENT ON COLUMN analytics.calls.occurred_at IS 'When it happened, as reported.';
COMMENT ON COLUMN analytics.calls.duration_seconds IS 'Length of a completed call, in seconds; null otherwise.';
COMMENT ON COLUMN analytics.calls.ended_by IS 'Who ended a completed call: caller, callee, platform or carrier; null otherwise.';
COMMENT ON COLUMN analytics.calls.missed_reason IS 'Why it was missed, such as no_answer; null otherwise.';
COMMENT ON COLUMN analytics.calls.forwarded_by IS 'platform or carrier; null unless forwarded.';
COMMENT ON COLUMN analytics.calls.stage IS 'primary or fallback; null unless forwarded.';
CREATE TABLE orders.former_owners (
    phone_number text NOT NULL,
    until timestamp with time zone NOT NULL,
    account_id uuid NOT NULL,
    porting_order_id uuid,
    since timestamp with time zone NOT NULL
);
CREATE TABLE orders.numbers (
    account_id uuid NOT NULL,
    phone_number text NOT NULL,
    status text NOT NULL,
    country_code text NOT NULL,
    number_type text NOT NULL,
    provider text NOT NULL,
    porting_order_id uuid,
    activated_at timestamp with time zone NOT NULL,
    forwarding jsonb,
    port_out_lock boolean DEFAULT false NOT NULL,
    port_out_pin bytea,
    event_sequence integer DEFAULT 0 NOT NULL,
    port_out_pin_key_id text,
    wrong_pins timestamp with time zone[] DEFAULT '{}'::timestamp with time zone[] NOT NULL,
    pin_locked_until timestamp with time zone,
    CONSTRAINT numbers_status_check CHECK ((status = ANY (ARRAY['active'::text, 'porting_out'::text, 'ported_out'::text])))
);
CREATE VIEW analytics.numbers AS
 SELECT n.phone_number,
    n.account_id,
    n.status,
    n.country_code,
    n.number_type,
    n.provider,
    n.porting_order_id AS order_id,
    n.activated_at,
        CASE
            WHEN (n.status = 'ported_out'::text) THEN f.left_at
            ELSE NULL::timestamp with time zone
        END AS left_at,
    (n.forwarding IS NOT NULL) AS is_forwarded,
    n.port_out_lock
   FROM (orders.numbers n
     LEFT JOIN ( SELECT former_owners.phone_number,
            former_owners.account_id,
            max(former_owners.until) AS left_at
           FROM orders.former_owners
          GROUP BY former_owners.phone_number, former_owners.account_id) f ON (((f.phone_number = n.phone_number) AND (f.account_id = n.account_id))));
COMMENT ON VIEW analytics.numbers IS 'One row per number and account that has or had it. A number is live unless its status is ported_out.';
COMMENT ON COLUMN analytics.numbers.phone_number IS 'The number, in E.164.';
COMMENT ON COLUMN analytics.numbers.account_id IS 'Account that has or had it.';
COMMENT ON COLUMN analytics.numbers.status IS 'active, porting_out or ported_out.';
COMMENT ON COLUMN analytics.numbers.country_code IS 'Two-letter country code (ISO 3166-1 alpha-2) of the numbers.';
COMMENT ON COLUMN analytics.numbers.number_type IS 'local, mobile, toll_free, national or shared_cost.';
COMMENT ON COLUMN analytics.numbers.provider IS 'Provider that hosts it.';
COMMENT ON COLUMN analytics.numbers.order_id IS 'Order that brought it in last; null where there is none.';
COMMENT ON COLUMN analytics.numbers.activated_at IS 'When it last became active.';
COMMENT ON COLUMN analytics.numbers.left_at IS 'When it left the account; null while the account has it.';
COMMENT ON COLUMN analytics.numbers.is_forwarded IS 'Whether its calls are forwarded; where to is not shown.';
COMMENT ON COLUMN analytics.numbers.port_out_lock IS 'Whether the customer locked it against port-outs.';
CREATE TABLE orders.timeline (
    id uuid NOT NULL,
    order_id uuid NOT NULL,
    account_id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
    kind text NOT NULL,
    actor jsonb NOT NULL,
    data jsonb NOT NULL,
    internal boolean DEFAULT false NOT NULL
);
CREATE VIEW analytics.order_steps AS
 SELECT t.id AS step_id,
    t.order_id,
    t.account_id,
    (t.data ->> 'previous_status'::text) AS from_status,
    (t.data ->> 'new_status'::text) AS to_status,
    (t.actor ->> 'type'::text) AS actor,
    t.at AS entered_at,
    lead(t.at) OVER path AS left_at,
    (EXTRACT(epoch FROM (lead(t.at) OVER path - t.at)))::double precision AS seconds
   FROM orders.timeline t
  WHERE ((t.kind = 'status'::text) AND (t.data ? 'new_status'::text))
  WINDOW path AS (PARTITION BY t.order_id ORDER BY t.at, t.id);
COMMENT ON VIEW analytics.order_steps IS 'One row per status that an order entered, its creation included, with how long it stayed.';
COMMENT ON COLUMN analytics.order_steps.step_id IS 'Id of the step.';
COMMENT ON COLUMN analytics.order_steps.order_id IS 'Order that moved.';
COMMENT ON COLUMN analytics.order_steps.account_id IS 'Account that it belongs to.';
COMMENT ON COLUMN analytics.order_steps.from_status IS 'Status before; null at the creation.';
COMMENT ON COLUMN analytics.order_steps.to_status IS 'Status that it entered; the same as before where the carrier moved the date.';
COMMENT ON COLUMN analytics.order_steps.actor IS 'Who moved it: customer, desk, carrier or system.';
COMMENT ON COLUMN analytics.order_steps.entered_at IS 'When it entered the status.';
COMMENT ON COLUMN analytics.order_steps.left_at IS 'When it took its next step; null while this is its last.';
COMMENT ON COLUMN analytics.order_steps.seconds IS 'Seconds from entered_at to left_at; null while this is its last step.';
CREATE TABLE orders.order_numbers (
    order_id uuid NOT NULL,
    "position" smallint NOT NULL,
    account_id uuid NOT NULL,
    phone_number text NOT NULL,
    live boolean DEFAULT true NOT NULL,
    status text DEFAULT 'pending'::text NOT NULL,
    failure_code text,
    activated_at timestamp with time zone,
    CONSTRAINT order_numbers_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'activating'::text, 'active'::text, 'failed'::text, 'cancelled'::text])))
);
CREATE TABLE orders.porting_orders (
    id uuid NOT NULL,
    account_id uuid NOT NULL,
    batch_id uuid NOT NULL,
    status text NOT NULL,
    closed_by text,
    provider text NOT NULL,
    provider_status text DEFAULT ''::text NOT NULL,
    provider_status_at timestamp with time zone,
    country_code text NOT NULL,
    number_type text NOT NULL,
    losing_carrier text,
    customer_reference text DEFAULT ''::text NOT NULL,
    webhook_url text,
    requirements_status boolean DEFAULT true NOT NULL,
    foc_requested text,
    foc_actual text,
    request_version integer DEFAULT 0 NOT NULL,
    review_attempt integer DEFAULT 0 NOT NULL,
    exceptions jsonb DEFAULT '[]'::jsonb NOT NULL,
    attention jsonb,
    cancel jsonb,
    event_sequence integer DEFAULT 0 NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    submitted_at timestamp with time zone,
    closed_at timestamp with time zone,
    deleted_at timestamp with time zone,
    requirement_profile_id uuid NOT NULL,
    closed_reason jsonb,
    foc_said_at timestamp with time zone,
    CONSTRAINT porting_orders_closed_by_check CHECK ((closed_by = ANY (ARRAY['customer'::text, 'provider'::text, 'ops'::text])))
);
CREATE VIEW analytics.orders AS
 SELECT o.id AS order_id,
    o.account_id,
    o.batch_id,
    o.status,
    o.closed_by,
    o.provider,
    o.losing_carrier,
    o.country_code,
    o.number_type,
    o.created_at,
    o.submitted_at,
    o.closed_at AS ended_at,
    o.deleted_at,
    (o.foc_requested)::timestamp with time zone AS foc_requested,
    (o.foc_actual)::timestamp with time zone AS foc_actual,
    ("left"(o.foc_actual, 10))::date AS foc_day,
    (((n.activated_at AT TIME ZONE 'UTC'::text) +
        CASE
            WHEN (o.foc_actual ~ '[+-][0-9]{2}:[0-9]{2}$'::text) THEN ("right"(o.foc_actual, 6))::interval
            ELSE '00:00:00'::interval
        END))::date AS activated_day,
    n.activated_at,
    o.review_attempt AS desk_cases,
    o.request_version AS carrier_requests,
    COALESCE(n.numbers, 0) AS numbers,
    COALESCE(n.active_numbers, 0) AS active_numbers,
    COALESCE(n.failed_numbers, 0) AS failed_numbers
   FROM (orders.porting_orders o
     LEFT JOIN ( SELECT order_numbers.order_id,
            (count(*))::integer AS numbers,
            (count(*) FILTER (WHERE (order_numbers.status = 'active'::text)))::integer AS active_numbers,
            (count(*) FILTER (WHERE (order_numbers.status = 'failed'::text)))::integer AS failed_numbers,
            max(order_numbers.activated_at) AS activated_at
           FROM orders.order_numbers
          GROUP BY order_numbers.order_id) n ON ((n.order_id = o.id)));
COMMENT ON VIEW analytics.orders IS 'One row per porting order, drafts and deleted drafts included.';
COMMENT ON COLUMN analytics.orders.order_id IS 'Id of the order, a UUIDv7.';
COMMENT ON COLUMN analytics.orders.account_id IS 'Account that it belongs to.';
COMMENT ON COLUMN analytics.orders.batch_id IS 'Shared by the orders that came from one request.';
COMMENT ON COLUMN analytics.orders.status IS 'Canonical status, such as draft, in_review, completed or cancelled.';
COMMENT ON COLUMN analytics.orders.closed_by IS 'Who ended a cancelled order: customer, provider or ops; null while it is not cancelled.';
COMMENT ON COLUMN analytics.orders.provider IS 'Provider through which the losing carrier is asked.';
COMMENT ON COLUMN analytics.orders.losing_carrier IS 'Carrier that has the numbers when the order is created; null where it is unknown.';
COMMENT ON COLUMN analytics.orders.country_code IS 'Two-letter country code (ISO 3166-1 alpha-2) of the numbers.';
COMMENT ON COLUMN analytics.orders.number_type IS 'local, mobile, toll_free, national or shared_cost.';
COMMENT ON COLUMN analytics.orders.created_at IS 'When the order was created.';
COMMENT ON COLUMN analytics.orders.submitted_at IS 'When it was first submitted; null if it never was.';
COMMENT ON COLUMN analytics.orders.ended_at IS 'When it was completed, partly completed or cancelled; null while it is open.';
COMMENT ON COLUMN analytics.orders.deleted_at IS 'When a draft was deleted, by the customer or by expiry; null otherwise.';
COMMENT ON COLUMN analytics.orders.foc_requested IS 'Port date that the customer asked for; null where none was.';
COMMENT ON COLUMN analytics.orders.foc_actual IS 'Port date that the carrier confirmed last; null where none is.';
COMMENT ON COLUMN analytics.orders.foc_day IS 'Day of foc_actual at the UTC offset with which the carrier sent it.';
COMMENT ON COLUMN analytics.orders.activated_day IS 'Day of activated_at at that same offset; in UTC where there is no foc_actual.';
COMMENT ON COLUMN analytics.orders.activated_at IS 'When the last number of the order became active; null if none did.';
COMMENT ON COLUMN analytics.orders.desk_cases IS 'Cases that were opened at the desk: submissions, and reviews resumed after a refused cancellation.';
COMMENT ON COLUMN analytics.orders.carrier_requests IS 'How often the order was sent to the carrier, as a submit or supplement; 0 means never.';
COMMENT ON COLUMN analytics.orders.numbers IS 'Numbers of the order.';
COMMENT ON COLUMN analytics.orders.active_numbers IS 'Numbers of the order that became active.';
COMMENT ON COLUMN analytics.orders.failed_numbers IS 'Numbers of the order that failed.';
CREATE TABLE orders.port_out_numbers (
    port_out_id uuid NOT NULL,
    "position" smallint NOT NULL,
    account_id uuid,
    phone_number text NOT NULL,
    open boolean NOT NULL,
    ported_out_at timestamp with time zone
);
CREATE TABLE orders.port_outs (
    id uuid NOT NULL,
    account_id uuid,
    provider text NOT NULL,
    port_out_ref text NOT NULL,
    status text NOT NULL,
    gaining_carrier text NOT NULL,
    requested_foc text NOT NULL,
    foc_actual text,
    decision_deadline timestamp with time zone,
    decision jsonb,
    provider_status text NOT NULL,
    event_sequence integer DEFAULT 0 NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT port_outs_status_check CHECK ((status = ANY (ARRAY['requested'::text, 'decision_required'::text, 'approved'::text, 'rejected'::text, 'expired'::text, 'cancelled'::text, 'ported_out'::text])))
);
CREATE VIEW analytics.port_outs AS
 SELECT p.id AS port_out_id,
    p.account_id,
    p.provider,
    p.gaining_carrier,
    p.status,
    p.created_at,
    p.updated_at,
    (p.requested_foc)::timestamp with time zone AS requested_foc,
    (p.foc_actual)::timestamp with time zone AS foc_actual,
    p.decision_deadline,
    (p.decision ->> 'by'::text) AS decided_by,
    ((p.decision ->> 'at'::text))::timestamp with time zone AS decided_at,
    (p.decision ->> 'code'::text) AS rejection_code,
    COALESCE(n.numbers, 0) AS numbers,
    COALESCE(n.left_numbers, 0) AS left_numbers,
    n.ported_out_at
   FROM (orders.port_outs p
     LEFT JOIN ( SELECT port_out_numbers.port_out_id,
            (count(*))::integer AS numbers,
            (count(port_out_numbers.ported_out_at))::integer AS left_numbers,
            max(port_out_numbers.ported_out_at) AS ported_out_at
           FROM orders.port_out_numbers
          GROUP BY port_out_numbers.port_out_id) n ON ((n.port_out_id = p.id)))
  WHERE (p.account_id IS NOT NULL);
COMMENT ON VIEW analytics.port_outs IS 'One row per port-out: another carrier''s request for numbers of one account.';
COMMENT ON COLUMN analytics.port_outs.port_out_id IS 'Id of the port-out, a UUIDv7.';
COMMENT ON COLUMN analytics.port_outs.account_id IS 'Account that has the numbers.';
COMMENT ON COLUMN analytics.port_outs.provider IS 'Provider that asked.';
COMMENT ON COLUMN analytics.port_outs.gaining_carrier IS 'Carrier that the numbers move to.';
COMMENT ON COLUMN analytics.port_outs.status IS 'requested, decision_required, approved, rejected, expired, cancelled or ported_out.';
COMMENT ON COLUMN analytics.port_outs.created_at IS 'When the request arrived.';
COMMENT ON COLUMN analytics.port_outs.updated_at IS 'When it last changed.';
COMMENT ON COLUMN analytics.port_outs.requested_foc IS 'Port date that the gaining carrier asked for.';
COMMENT ON COLUMN analytics.port_outs.foc_actual IS 'Port date that the gaining carrier confirmed; null where none is.';
COMMENT ON COLUMN analytics.port_outs.decision_deadline IS 'When it proceeds without a decision; null if none is awaited.';
COMMENT ON COLUMN analytics.port_outs.decided_by IS 'customer, ops, or system where the checks rejected it; null without a decision.';
COMMENT ON COLUMN analytics.port_outs.decided_at IS 'When it was decided; null without a decision.';
COMMENT ON COLUMN analytics.port_outs.rejection_code IS 'Why it was rejected, such as pin_invalid; null if it was not.';
COMMENT ON COLUMN analytics.port_outs.numbers IS 'Numbers of the request.';
COMMENT ON COLUMN analytics.port_outs.left_numbers IS 'Numbers that have left.';
COMMENT ON COLUMN analytics.port_outs.ported_out_at IS 'When the last of them left; null if none did.';
CREATE VIEW analytics.rejections AS
 SELECT l.id AS event_id,
    l.order_id,
    l.account_id,
    l.created_at AS rejected_at,
    ((l.context ->> 'occurred_at'::text))::timestamp with time zone AS occurred_at,
    (l.context ->> 'actor'::text) AS raised_by,
    ((l.context -> 'rejection'::text) ->> 'code'::text) AS code,
    ((l.context -> 'rejection'::text) ->> 'slug'::text) AS slug,
    ((l.context -> 'rejection'::text) ->> 'text'::text) AS text,
    ((l.type = 'porting_order.status_changed'::text) AND (convert_from(l.body, 'UTF8'::name) !~ '"new_status":"rejection"'::text)) AS is_final,
    (l.context ->> 'provider'::text) AS provider,
    (l.context ->> 'losing_carrier'::text) AS losing_carrier,
    (l.context ->> 'country_code'::text) AS country_code,
    (l.context ->> 'number_type'::text) AS number_type
   FROM events.log l
  WHERE ((l.context ? 'rejection'::text) AND ((l.type = 'porting_order.requirement_updated'::text) OR ((l.type = 'porting_order.status_changed'::text) AND (NOT ((l.context -> 'rejection'::text) ? 'slug'::text)))));
COMMENT ON VIEW analytics.rejections IS 'One row per reason for which the desk or a carrier rejected or refused an order. Rejections before version 0061 of the database are not in it.';
COMMENT ON COLUMN analytics.rejections.event_id IS 'Id of the event that told it, a UUIDv7.';
COMMENT ON COLUMN analytics.rejections.order_id IS 'Order that was rejected.';
COMMENT ON COLUMN analytics.rejections.account_id IS 'Account that it belongs to.';
COMMENT ON COLUMN analytics.rejections.rejected_at IS 'When it was rejected here.';
COMMENT ON COLUMN analytics.rejections.occurred_at IS 'When the carrier says that it rejected it; null for the desk.';
COMMENT ON COLUMN analytics.rejections.raised_by IS 'desk or carrier.';
COMMENT ON COLUMN analytics.rejections.code IS 'Canonical code, such as account_number_mismatch; other where none was given.';
COMMENT ON COLUMN analytics.rejections.slug IS 'Requirement to correct; null where the reason concerns none.';
COMMENT ON COLUMN analytics.rejections.text IS 'The reason in words, each word that has a digit replaced; null for a sensitive requirement.';
COMMENT ON COLUMN analytics.rejections.is_final IS 'True where it ended the order or some of its numbers; false where the customer could correct it.';
COMMENT ON COLUMN analytics.rejections.provider IS 'Provider of the order.';
COMMENT ON COLUMN analytics.rejections.losing_carrier IS 'Losing carrier of the order; null where it is unknown.';
COMMENT ON COLUMN analytics.rejections.country_code IS 'Two-letter country code (ISO 3166-1 alpha-2) of the numbers.';
COMMENT ON COLUMN analytics.rejections.number_type IS 'local, mobile, toll_free, national or shared_cost.';
CREATE TABLE webhooks.deliveries (
    id uuid NOT NULL,
    created_at timestamp with time zone NOT NULL,
    account_id uuid NOT NULL,
    event_id uuid NOT NULL,
    event_type text NOT NULL,
    event_at timestamp with time zone NOT NULL,
    cause_id uuid NOT NULL,
    trigger text NOT NULL,
    endpoint_id uuid,
    endpoint_key uuid NOT NULL,
    order_id uuid,
    url text NOT NULL,
    status text NOT NULL,
    attempt_count integer DEFAULT 0 NOT NULL,
    claim_no integer DEFAULT 0 NOT NULL,
    priority smallint DEFAULT 0 NOT NULL,
    next_attempt_at timestamp with time zone,
    claimed_at timestamp with time zone,
    lease_until timestamp with time zone,
    by_hand boolean DEFAULT false NOT NULL,
    completed_at timestamp with time zone,
    attempt_log jsonb DEFAULT '[]'::jsonb NOT NULL,
    test_body bytea,
    failed_at timestamp with time zone,
    traceparent text,
    CONSTRAINT deliveries_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'retrying'::text, 'succeeded'::text, 'failed'::text, 'skipped'::text, 'cancelled'::text]))),
    CONSTRAINT deliveries_trigger_check CHECK ((trigger = ANY (ARRAY['event'::text, 'republish'::text, 'recover'::text, 'test'::text])))
)
PARTITION BY RANGE (created_at);
CREATE VIEW analytics.webhook_deliveries AS
 SELECT d.id AS delivery_id,
    d.account_id,
    d.endpoint_id,
    d.event_id,
    d.event_type,
    d.order_id,
    "substring"(d.url, '^[a-z]+://(?:[^/?#@]*@)?([^/:?#]+)'::text) AS host,
    d.trigger,
    d.status,
    d.attempt_count AS attempts,
    d.event_at,
    d.created_at,
    d.next_attempt_at,
    d.completed_at,
    (EXTRACT(epoch FROM (d.completed_at - d.created_at)))::double precision AS seconds,
    (((d.attempt_log -> '-1'::integer) ->> 'response_code'::text))::integer AS last_response_code,
    (((d.attempt_log -> '-1'::integer) -> 'error'::text) ->> 'code'::text) AS last_error_code
   FROM webhooks.deliveries d;
COMMENT ON VIEW analytics.webhook_deliveries IS 'One row per event and receiver: what became of the delivery. URLs, bodies and secrets are not shown.';
COMMENT ON COLUMN analytics.webhook_deliveries.delivery_id IS 'Id of the delivery, a UUIDv7.';
COMMENT ON COLUMN analytics.webhook_deliveries.account_id IS 'Account that it belongs to.';
COMMENT ON COLUMN analytics.webhook_deliveries.endpoint_id IS 'Endpoint; null where it went to an order''s own webhook_url.';
COMMENT ON COLUMN analytics.webhook_deliveries.event_id IS 'Event that was delivered.';
COMMENT ON COLUMN analytics.webhook_deliveries.event_type IS 'Type of the event, such as porting_order.created.';
COMMENT ON COLUMN analytics.webhook_deliveries.order_id IS 'Order of the event; null where there is none.';
COMMENT ON COLUMN analytics.webhook_deliveries.host IS 'Host name of the receiver.';
COMMENT ON COLUMN analytics.webhook_deliveries.trigger IS 'Why it was sent: event, republish, recover or test.';
COMMENT ON COLUMN analytics.webhook_deliveries.status IS 'pending, retrying, succeeded, failed, skipped or cancelled.';
COMMENT ON COLUMN analytics.webhook_deliveries.attempts IS 'HTTP attempts so far.';
COMMENT ON COLUMN analytics.webhook_deliveries.event_at IS 'When the event was created.';
COMMENT ON COLUMN analytics.webhook_deliveries.created_at IS 'When the delivery was caused: by the event, or by the republish or recovery.';
COMMENT ON COLUMN analytics.webhook_deliveries.next_attempt_at IS 'When the next attempt is due; null where none is.';
COMMENT ON COLUMN analytics.webhook_deliveries.completed_at IS 'When it succeeded or ended; null before.';
COMMENT ON COLUMN analytics.webhook_deliveries.seconds IS 'Seconds from created_at to completed_at; null before.';
COMMENT ON COLUMN analytics.webhook_deliveries.last_response_code IS 'HTTP status of the last attempt; null without a response.';
COMMENT ON COLUMN analytics.webhook_deliveries.last_error_code IS 'Why the last attempt failed, such as timeout_response; null if it did not.';
CREATE TABLE carriers.call_events (
    call_step uuid NOT NULL,
    event_id uuid NOT NULL,
    account_id uuid NOT NULL,
    porting_order_id uuid
);
CREATE TABLE carriers.port_out_requests (
    provider text NOT NULL,
    port_out_ref text NOT NULL,
    message_key text NOT NULL,
    phone_numbers text[] NOT NULL
);
CREATE TABLE carriers.port_out_updates (
    provider text NOT NULL,
    update_id text NOT NULL,
    content_hash bytea NOT NULL,
    received_at timestamp with time zone NOT NULL,
    source_partition integer,
    source_offset bigint,
    pin_mac bytea,
    pin_mac_key text
);
CREATE TABLE carriers.requests (
    request_id uuid NOT NULL,
    order_id uuid,
    request_version integer,
    provider text NOT NULL,
    kind text NOT NULL,
    sent_at timestamp with time zone NOT NULL
);
CREATE TABLE carriers.sandbox_port_outs (
    port_out_ref uuid NOT NULL,
    phone_numbers text[] NOT NULL,
    gaining_carrier text NOT NULL,
    requested_foc text NOT NULL,
    created_at timestamp with time zone NOT NULL
);
CREATE TABLE carriers.updates (
    provider text NOT NULL,
    update_id text NOT NULL,
    order_id uuid,
    content_hash bytea NOT NULL,
    received_at timestamp with time zone NOT NULL,
    source_partition integer,
    source_offset bigint
);
CREATE TABLE events.feed_counters (
    account_id uuid NOT NULL,
    last_seq bigint DEFAULT 0 NOT NULL,
    reached timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL
)
WITH (fillfactor='50');
CREATE TABLE messaging.consumer_positions (
    consumer text NOT NULL,
    topic text NOT NULL,
    kafka_partition integer NOT NULL,
    next_offset bigint NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL
)
WITH (fillfactor='50');
CREATE TABLE messaging.dead_letters (
    id uuid NOT NULL,
    consumer text NOT NULL,
    topic text NOT NULL,
    kafka_partition integer NOT NULL,
    kafka_offset bigint NOT NULL,
    key bytea,
    value bytea,
    headers jsonb DEFAULT '{}'::jsonb NOT NULL,
    message_id uuid,
    error_code text NOT NULL,
    error_detail text NOT NULL,
    state text DEFAULT 'parked'::text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    kafka_timestamp bigint,
    sealed_key_id text,
    order_id uuid,
    CONSTRAINT dead_letters_state_check CHECK ((state = ANY (ARRAY['parked'::text, 'replayed'::text, 'discarded'::text])))
);
CREATE TABLE messaging.generated_keys (
    purpose text NOT NULL,
    sealed_key bytea NOT NULL,
    sealed_key_id text NOT NULL
);
CREATE TABLE messaging.health_samples (
    minute timestamp with time zone NOT NULL,
    status text,
    measures jsonb,
    CONSTRAINT health_samples_status_check CHECK ((status = ANY (ARRAY['ok'::text, 'slow'::text, 'stuck'::text])))
);
CREATE TABLE messaging.idempotent_replies (
    owner text NOT NULL,
    key text NOT NULL,
    fingerprint bytea NOT NULL,
    status smallint NOT NULL,
    headers jsonb NOT NULL,
    body bytea,
    is_sealed boolean NOT NULL,
    created_at timestamp with time zone NOT NULL
);
CREATE TABLE messaging.inbox (
    consumer text NOT NULL,
    message_id uuid NOT NULL,
    received_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE messaging.migration_checksums (
    name text NOT NULL,
    checksum text NOT NULL,
    recorded_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE messaging.orphans (
    topic text NOT NULL,
    message_id uuid NOT NULL,
    kafka_partition integer NOT NULL,
    kafka_offset bigint NOT NULL,
    account_id uuid,
    order_id uuid,
    event_type text,
    told boolean NOT NULL,
    noted_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE SEQUENCE messaging.outbox_id
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
CREATE TABLE messaging.outbox (
    id bigint DEFAULT nextval('messaging.outbox_id'::regclass) NOT NULL,
    day date DEFAULT ((now() AT TIME ZONE 'utc'::text))::date NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    message_id uuid NOT NULL,
    topic text NOT NULL,
    key bytea,
    shard smallint NOT NULL,
    value bytea,
    headers jsonb DEFAULT '{}'::jsonb NOT NULL,
    sent_at timestamp with time zone,
    kafka_partition integer,
    kafka_offset bigint,
    sealed_key_id text
)
PARTITION BY RANGE (day);
CREATE TABLE messaging.sent_messages (
    id bigint NOT NULL,
    sent_at timestamp with time zone DEFAULT now() NOT NULL,
    kafka_offset bigint,
    kafka_partition integer,
    day date NOT NULL
)
PARTITION BY RANGE (day);
CREATE TABLE messaging.unsent_messages (
    id bigint NOT NULL,
    day date NOT NULL,
    shard smallint NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='5000');
CREATE VIEW messaging.outbox_progress AS
 SELECT o.id,
    o.day,
    o.shard,
    o.topic,
    o.message_id,
    (u.id IS NOT NULL) AS waits,
        CASE
            WHEN (u.id IS NULL) THEN
            CASE
                WHEN (s.id IS NULL) THEN o.sent_at
                ELSE s.sent_at
            END
            ELSE NULL::timestamp with time zone
        END AS sent_at,
        CASE
            WHEN (u.id IS NULL) THEN
            CASE
                WHEN (s.id IS NULL) THEN o.kafka_partition
                ELSE s.kafka_partition
            END
            ELSE NULL::integer
        END AS kafka_partition,
        CASE
            WHEN (u.id IS NULL) THEN
            CASE
                WHEN (s.id IS NULL) THEN o.kafka_offset
                ELSE s.kafka_offset
            END
            ELSE NULL::bigint
        END AS kafka_offset
   FROM ((messaging.outbox o
     LEFT JOIN messaging.unsent_messages u ON ((u.id = o.id)))
     LEFT JOIN messaging.sent_messages s ON (((s.id = o.id) AND (s.day = o.day))));
CREATE TABLE messaging.primary_server (
    is_only boolean DEFAULT true NOT NULL,
    mark uuid NOT NULL,
    started_at timestamp with time zone NOT NULL,
    timeline text NOT NULL,
    CONSTRAINT primary_server_is_only_check CHECK (is_only)
);
CREATE UNLOGGED TABLE messaging.rate_buckets (
    owner text NOT NULL,
    tokens double precision NOT NULL,
    filled_at timestamp with time zone NOT NULL
)
WITH (fillfactor='50');
CREATE TABLE messaging.reconciliation (
    one boolean DEFAULT true NOT NULL,
    low_id bigint DEFAULT 0 NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    unsent_again bigint DEFAULT 0 NOT NULL,
    CONSTRAINT reconciliation_one_check CHECK (one)
);
CREATE TABLE messaging.schema_ids (
    subject text NOT NULL,
    text_hash bytea NOT NULL,
    id integer NOT NULL
);
CREATE TABLE orders.comments (
    id uuid NOT NULL,
    order_id uuid NOT NULL,
    account_id uuid NOT NULL,
    author_type text NOT NULL,
    author_id text,
    body text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    internal boolean DEFAULT false NOT NULL,
    CONSTRAINT comments_author_type_check CHECK ((author_type = ANY (ARRAY['customer'::text, 'ops'::text, 'carrier'::text, 'system'::text])))
);
CREATE TABLE orders.deadlines (
    kind text NOT NULL,
    subject_id text NOT NULL,
    due_at timestamp with time zone,
    since timestamp with time zone,
    CONSTRAINT deadlines_check CHECK (((due_at IS NULL) <> (since IS NULL)))
);
CREATE TABLE orders.documents (
    id uuid NOT NULL,
    account_id uuid NOT NULL,
    order_id uuid NOT NULL,
    slug text NOT NULL,
    content_type text NOT NULL,
    size_bytes integer NOT NULL,
    sha256 text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    page_texts text[],
    CONSTRAINT documents_sha256_check CHECK ((length(sha256) = 64))
);
COMMENT ON COLUMN orders.documents.page_texts IS 'what each page of a letter that we printed states; null: an upload';
CREATE TABLE orders.requirement_profiles (
    id uuid NOT NULL,
    items jsonb NOT NULL
);
CREATE TABLE orders.requirements (
    order_id uuid NOT NULL,
    slug text NOT NULL,
    status text DEFAULT 'requirement-info-pending'::text NOT NULL,
    exception_reason text,
    value text,
    sealed_value bytea,
    sealed_key_id text,
    masked_value text,
    document_id uuid,
    document_date timestamp with time zone,
    check_state text DEFAULT 'none'::text NOT NULL,
    check_code text,
    check_detail text,
    changed boolean DEFAULT false NOT NULL,
    updated_at timestamp with time zone,
    CONSTRAINT requirements_check_state_check CHECK ((check_state = ANY (ARRAY['none'::text, 'checking'::text, 'passed'::text, 'failed'::text])))
);
CREATE TABLE public.migrations (
    id integer NOT NULL,
    "timestamp" bigint NOT NULL,
    name character varying NOT NULL
);
CREATE SEQUENCE public.migrations_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE public.migrations_id_seq OWNED BY public.migrations.id;
CREATE TABLE reviews.case_values (
    order_id uuid NOT NULL,
    attempt integer NOT NULL,
    slug text NOT NULL,
    value text,
    sealed_value bytea,
    sealed_key_id text,
    masked_value text,
    document_id uuid
);
CREATE TABLE reviews.cases (
    order_id uuid NOT NULL,
    attempt integer NOT NULL,
    account_id uuid NOT NULL,
    state text NOT NULL,
    outcome text,
    claimed_by uuid,
    claimed_until timestamp with time zone,
    submitted_at timestamp with time zone NOT NULL,
    due_at timestamp with time zone NOT NULL,
    changed_slugs text[] DEFAULT '{}'::text[] NOT NULL,
    decisions jsonb DEFAULT '[]'::jsonb NOT NULL,
    decided_at timestamp with time zone,
    decided_by uuid,
    handover jsonb,
    changed_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT cases_outcome_check CHECK ((outcome = ANY (ARRAY['applied'::text, 'superseded'::text]))),
    CONSTRAINT cases_state_check CHECK ((state = ANY (ARRAY['open'::text, 'decided'::text, 'withdrawn'::text])))
);
CREATE TABLE reviews.decisions (
    id uuid NOT NULL,
    order_id uuid NOT NULL,
    attempt integer NOT NULL,
    operator_id uuid NOT NULL,
    decisions jsonb NOT NULL,
    confirm boolean NOT NULL,
    decided_at timestamp with time zone NOT NULL
);
CREATE TABLE reviews.document_checks (
    request_id uuid NOT NULL,
    order_id uuid NOT NULL,
    account_id uuid NOT NULL,
    attempt integer NOT NULL,
    slug text NOT NULL,
    document_id uuid NOT NULL,
    requested_at timestamp with time zone NOT NULL,
    due_at timestamp with time zone NOT NULL,
    tries integer DEFAULT 0 NOT NULL,
    traceparent text
);
CREATE TABLE reviews.document_readings (
    order_id uuid NOT NULL,
    attempt integer NOT NULL,
    slug text NOT NULL,
    account_id uuid NOT NULL,
    document_id uuid NOT NULL,
    requested_at timestamp with time zone NOT NULL,
    due_at timestamp with time zone,
    tries integer DEFAULT 0 NOT NULL,
    pages integer,
    found jsonb
);
COMMENT ON COLUMN reviews.document_readings.due_at IS 'null: it was read, or given up';
COMMENT ON COLUMN reviews.document_readings.found IS 'whether and where each value is in the text; never the value, except phone numbers';
CREATE TABLE reviews.document_scans (
    document_id uuid NOT NULL,
    order_id uuid NOT NULL,
    account_id uuid NOT NULL,
    attempt integer NOT NULL,
    slug text NOT NULL,
    state text NOT NULL,
    signature text,
    requested_at timestamp with time zone NOT NULL,
    due_at timestamp with time zone,
    tries integer DEFAULT 0 NOT NULL,
    scanned_at timestamp with time zone,
    CONSTRAINT document_scans_check CHECK (((state = 'waiting'::text) = (due_at IS NOT NULL))),
    CONSTRAINT document_scans_check1 CHECK (((state = 'infected'::text) = (signature IS NOT NULL))),
    CONSTRAINT document_scans_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'clean'::text, 'infected'::text])))
);
CREATE TABLE webhooks.account_secrets (
    account_id uuid NOT NULL,
    signing_secret bytea NOT NULL,
    secret_key_id text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    previous_secret bytea,
    previous_secret_key_id text,
    previous_secret_expires_at timestamp with time zone
);
CREATE TABLE webhooks.begun_deliveries (
    created_at timestamp with time zone NOT NULL,
    claimed_at timestamp with time zone NOT NULL,
    lease_until timestamp with time zone NOT NULL,
    id uuid NOT NULL,
    account_id uuid NOT NULL,
    event_id uuid NOT NULL,
    endpoint_id uuid NOT NULL,
    order_id uuid,
    event_type text NOT NULL,
    url text NOT NULL,
    traceparent text
)
WITH (autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='5000');
CREATE TABLE webhooks.delivery_retention (
    one boolean DEFAULT true NOT NULL,
    dropped_before timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    CONSTRAINT delivery_retention_one_check CHECK (one)
);
CREATE TABLE webhooks.endpoint_health (
    endpoint_id uuid NOT NULL,
    last_success_at timestamp with time zone,
    last_failure_at timestamp with time zone,
    consecutive_failures integer DEFAULT 0 NOT NULL,
    failed_deliveries integer DEFAULT 0 NOT NULL,
    first_failed_at timestamp with time zone,
    last_failed_at timestamp with time zone,
    failing_since timestamp with time zone
)
WITH (fillfactor='50');
CREATE TABLE webhooks.endpoint_pace (
    endpoint_id uuid NOT NULL,
    next_at timestamp with time zone NOT NULL
)
WITH (fillfactor='50');
CREATE TABLE webhooks.endpoints (
    id uuid NOT NULL,
    account_id uuid NOT NULL,
    url text NOT NULL,
    description text,
    enabled_events text[] DEFAULT '{}'::text[] NOT NULL,
    active boolean DEFAULT true NOT NULL,
    max_per_second integer,
    paused_by text,
    paused_reason text,
    signing_secret bytea NOT NULL,
    secret_key_id text NOT NULL,
    previous_secret bytea,
    previous_secret_key_id text,
    previous_secret_expires_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    deleted_at timestamp with time zone,
    resumed_at timestamp with time zone,
    CONSTRAINT endpoints_max_per_second CHECK (((max_per_second >= 1) AND (max_per_second <= 1000))),
    CONSTRAINT endpoints_paused_by CHECK ((paused_by = ANY (ARRAY['customer'::text, 'system'::text])))
);
CREATE TABLE webhooks.order_destinations (
    order_id uuid NOT NULL,
    account_id uuid NOT NULL,
    url text NOT NULL
);
CREATE TABLE webhooks.recoveries (
    id uuid NOT NULL,
    account_id uuid NOT NULL,
    endpoint_id uuid NOT NULL,
    mode text NOT NULL,
    since timestamp with time zone NOT NULL,
    until timestamp with time zone NOT NULL,
    status text NOT NULL,
    total integer NOT NULL,
    queued integer DEFAULT 0 NOT NULL,
    "position" bigint DEFAULT 0 NOT NULL,
    last_seq bigint NOT NULL,
    created_at timestamp with time zone NOT NULL,
    completed_at timestamp with time zone,
    CONSTRAINT recoveries_mode_check CHECK ((mode = ANY (ARRAY['failed'::text, 'missing'::text, 'all'::text]))),
    CONSTRAINT recoveries_status_check CHECK ((status = ANY (ARRAY['running'::text, 'completed'::text, 'cancelled'::text])))
);
ALTER TABLE ONLY public.migrations ALTER COLUMN id SET DEFAULT nextval('public.migrations_id_seq'::regclass);
ALTER TABLE ONLY accounts.accounts
    ADD CONSTRAINT accounts_pkey PRIMARY KEY (id);
ALTER TABLE ONLY accounts.api_keys
    ADD CONSTRAINT api_keys_hash UNIQUE (key_hash);
ALTER TABLE ONLY accounts.api_keys
    ADD CONSTRAINT api_keys_pkey PRIMARY KEY (id);
ALTER TABLE ONLY accounts.audit_log
    ADD CONSTRAINT audit_log_pkey PRIMARY KEY (id);
ALTER TABLE ONLY accounts.operator_sessions
    ADD CONSTRAINT operator_sessions_hash UNIQUE (token_hash);
ALTER TABLE ONLY accounts.operator_sessions
    ADD CONSTRAINT operator_sessions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY accounts.operator_tokens
    ADD CONSTRAINT operator_tokens_hash UNIQUE (token_hash);
ALTER TABLE ONLY accounts.operator_tokens
    ADD CONSTRAINT operator_tokens_pkey PRIMARY KEY (id);
ALTER TABLE ONLY accounts.operators
    ADD CONSTRAINT operators_name UNIQUE (name);
ALTER TABLE ONLY accounts.operators
    ADD CONSTRAINT operators_pkey PRIMARY KEY (id);
ALTER TABLE ONLY accounts.portal_cookies
    ADD CONSTRAINT portal_cookies_pkey PRIMARY KEY (cookie_hash);
ALTER TABLE ONLY accounts.portal_sessions
    ADD CONSTRAINT portal_sessions_link_hash_key UNIQUE (link_hash);
ALTER TABLE ONLY accounts.portal_sessions
    ADD CONSTRAINT portal_sessions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY carriers.call_events
    ADD CONSTRAINT call_events_pkey PRIMARY KEY (call_step);
ALTER TABLE ONLY carriers.port_out_requests
    ADD CONSTRAINT port_out_requests_pkey PRIMARY KEY (provider, port_out_ref);
ALTER TABLE ONLY carriers.port_out_updates
    ADD CONSTRAINT port_out_updates_pkey PRIMARY KEY (provider, update_id);
ALTER TABLE ONLY carriers.requests
    ADD CONSTRAINT requests_pkey PRIMARY KEY (request_id);
ALTER TABLE ONLY carriers.sandbox_port_outs
    ADD CONSTRAINT sandbox_port_outs_pkey PRIMARY KEY (port_out_ref);
ALTER TABLE ONLY carriers.updates
    ADD CONSTRAINT updates_pkey PRIMARY KEY (provider, update_id);
ALTER TABLE ONLY events.feed_counters
    ADD CONSTRAINT feed_counters_pkey PRIMARY KEY (account_id);
ALTER TABLE ONLY events.log
    ADD CONSTRAINT log_pkey PRIMARY KEY (id, created_at);
ALTER TABLE ONLY messaging.consumer_positions
    ADD CONSTRAINT consumer_positions_pkey PRIMARY KEY (consumer, topic, kafka_partition);
ALTER TABLE ONLY messaging.dead_letters
    ADD CONSTRAINT dead_letters_pkey PRIMARY KEY (id);
ALTER TABLE ONLY messaging.generated_keys
    ADD CONSTRAINT generated_keys_pkey PRIMARY KEY (purpose);
ALTER TABLE ONLY messaging.health_samples
    ADD CONSTRAINT health_samples_pkey PRIMARY KEY (minute);
ALTER TABLE ONLY messaging.idempotent_replies
    ADD CONSTRAINT idempotent_replies_pkey PRIMARY KEY (owner, key);
ALTER TABLE ONLY messaging.inbox
    ADD CONSTRAINT inbox_pkey PRIMARY KEY (message_id, consumer);
ALTER TABLE ONLY messaging.migration_checksums
    ADD CONSTRAINT migration_checksums_pkey PRIMARY KEY (name);
ALTER TABLE ONLY messaging.orphans
    ADD CONSTRAINT orphans_pkey PRIMARY KEY (topic, message_id);
ALTER TABLE ONLY messaging.outbox
    ADD CONSTRAINT outbox_pkey PRIMARY KEY (id, day);
ALTER TABLE ONLY messaging.primary_server
    ADD CONSTRAINT primary_server_pkey PRIMARY KEY (is_only);
ALTER TABLE ONLY messaging.rate_buckets
    ADD CONSTRAINT rate_buckets_pkey PRIMARY KEY (owner);
ALTER TABLE ONLY messaging.reconciliation
    ADD CONSTRAINT reconciliation_pkey PRIMARY KEY (one);
ALTER TABLE ONLY messaging.schema_ids
    ADD CONSTRAINT schema_ids_pkey PRIMARY KEY (subject, text_hash);
ALTER TABLE ONLY messaging.sent_messages
    ADD CONSTRAINT sent_messages_pkey PRIMARY KEY (id, day);
ALTER TABLE ONLY messaging.unsent_messages
    ADD CONSTRAINT unsent_messages_pkey PRIMARY KEY (id);
ALTER TABLE ONLY orders.comments
    ADD CONSTRAINT comments_pkey PRIMARY KEY (id);
ALTER TABLE ONLY orders.deadlines
    ADD CONSTRAINT deadlines_pkey PRIMARY KEY (kind, subject_id);
ALTER TABLE ONLY orders.documents
    ADD CONSTRAINT documents_pkey PRIMARY KEY (id);
ALTER TABLE ONLY orders.former_owners
    ADD CONSTRAINT former_owners_pkey PRIMARY KEY (phone_number, until, account_id);
ALTER TABLE ONLY orders.numbers
    ADD CONSTRAINT numbers_pkey PRIMARY KEY (account_id, phone_number);
ALTER TABLE ONLY orders.order_numbers
    ADD CONSTRAINT order_numbers_pkey PRIMARY KEY (order_id, phone_number);
ALTER TABLE ONLY orders.port_out_numbers
    ADD CONSTRAINT port_out_numbers_pkey PRIMARY KEY (port_out_id, phone_number);
ALTER TABLE ONLY orders.port_outs
    ADD CONSTRAINT port_outs_pkey PRIMARY KEY (id);
ALTER TABLE ONLY orders.porting_orders
    ADD CONSTRAINT porting_orders_pkey PRIMARY KEY (id);
ALTER TABLE ONLY orders.requirement_profiles
    ADD CONSTRAINT requirement_profiles_pkey PRIMARY KEY (id);
ALTER TABLE ONLY orders.requirements
    ADD CONSTRAINT requirements_pkey PRIMARY KEY (order_id, slug);
ALTER TABLE ONLY orders.timeline
    ADD CONSTRAINT timeline_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.migrations
    ADD CONSTRAINT "PK_8c82d7f526340ab734260ea46be" PRIMARY KEY (id);
ALTER TABLE ONLY reviews.case_values
    ADD CONSTRAINT case_values_pkey PRIMARY KEY (order_id, attempt, slug);
ALTER TABLE ONLY reviews.cases
    ADD CONSTRAINT cases_pkey PRIMARY KEY (order_id, attempt);
ALTER TABLE ONLY reviews.decisions
    ADD CONSTRAINT decisions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY reviews.document_checks
    ADD CONSTRAINT document_checks_pkey PRIMARY KEY (request_id);
ALTER TABLE ONLY reviews.document_readings
    ADD CONSTRAINT document_readings_pkey PRIMARY KEY (order_id, attempt, slug);
ALTER TABLE ONLY reviews.document_scans
    ADD CONSTRAINT document_scans_pkey PRIMARY KEY (document_id);
ALTER TABLE ONLY webhooks.account_secrets
    ADD CONSTRAINT account_secrets_pkey PRIMARY KEY (account_id);
ALTER TABLE ONLY webhooks.begun_deliveries
    ADD CONSTRAINT begun_deliveries_pkey PRIMARY KEY (id);
ALTER TABLE ONLY webhooks.deliveries
    ADD CONSTRAINT deliveries_event_id_endpoint_key_cause_id_created_at_key UNIQUE (event_id, endpoint_key, cause_id, created_at);
ALTER TABLE ONLY webhooks.deliveries
    ADD CONSTRAINT deliveries_pkey PRIMARY KEY (id, created_at);
ALTER TABLE ONLY webhooks.delivery_retention
    ADD CONSTRAINT delivery_retention_pkey PRIMARY KEY (one);
ALTER TABLE ONLY webhooks.endpoint_health
    ADD CONSTRAINT endpoint_health_pkey PRIMARY KEY (endpoint_id);
ALTER TABLE ONLY webhooks.endpoint_pace
    ADD CONSTRAINT endpoint_pace_pkey PRIMARY KEY (endpoint_id);
ALTER TABLE ONLY webhooks.endpoints
    ADD CONSTRAINT endpoints_pkey PRIMARY KEY (id);
ALTER TABLE ONLY webhooks.order_destinations
    ADD CONSTRAINT order_destinations_pkey PRIMARY KEY (order_id);
ALTER TABLE ONLY webhooks.recoveries
    ADD CONSTRAINT recoveries_pkey PRIMARY KEY (id);
CREATE INDEX accounts_created ON accounts.accounts USING btree (created_at, id);
CREATE INDEX api_keys_of_account ON accounts.api_keys USING btree (account_id, id);
CREATE INDEX audit_log_account ON accounts.audit_log USING btree (account_id, id) WHERE (account_id IS NOT NULL);
CREATE INDEX audit_log_action ON accounts.audit_log USING btree (action, id);
CREATE INDEX audit_log_operator ON accounts.audit_log USING btree (operator_id, id);
CREATE INDEX audit_log_order ON accounts.audit_log USING btree (porting_order_id, id) WHERE (porting_order_id IS NOT NULL);
CREATE INDEX portal_cookies_by_expiry ON accounts.portal_cookies USING btree (expires_at);
CREATE INDEX portal_cookies_of_session ON accounts.portal_cookies USING btree (session_id, created_at);
CREATE INDEX portal_sessions_by_expiry ON accounts.portal_sessions USING btree (expires_at);
CREATE INDEX portal_sessions_of_account ON accounts.portal_sessions USING btree (account_id, id);
CREATE INDEX call_events_event ON carriers.call_events USING btree (event_id);
CREATE INDEX port_out_updates_received ON carriers.port_out_updates USING btree (received_at);
CREATE INDEX requests_of_order ON carriers.requests USING btree (order_id, request_version);
CREATE INDEX updates_of_order ON carriers.updates USING btree (order_id) WHERE (order_id IS NOT NULL);
CREATE INDEX updates_of_provider ON carriers.updates USING btree (provider, received_at DESC);
CREATE INDEX updates_received ON carriers.updates USING btree (received_at);
CREATE INDEX log_calls ON ONLY events.log USING btree (created_at) WHERE (type = ANY (ARRAY['call.forwarded'::text, 'call.completed'::text, 'call.missed'::text]));
CREATE UNIQUE INDEX log_feed ON ONLY events.log USING btree (account_id, seq, created_at);
CREATE INDEX log_late ON ONLY events.log USING btree (account_id, created_at, seq) WHERE ((reached - created_at) > '00:01:00'::interval);
CREATE INDEX log_of_order ON ONLY events.log USING btree (account_id, order_id, seq) WHERE (order_id IS NOT NULL);
CREATE INDEX log_of_type ON ONLY events.log USING btree (account_id, type, seq);
CREATE INDEX log_reached ON ONLY events.log USING btree (account_id, reached, seq);
CREATE INDEX log_rejections ON ONLY events.log USING btree (created_at) WHERE (context ? 'rejection'::text);
CREATE INDEX log_stored ON ONLY events.log USING btree (stored_at);
CREATE INDEX dead_letters_message ON messaging.dead_letters USING btree (message_id) WHERE (message_id IS NOT NULL);
CREATE INDEX dead_letters_of_key ON messaging.dead_letters USING btree (key) WHERE (length(key) = 36);
CREATE INDEX dead_letters_of_order ON messaging.dead_letters USING btree (COALESCE(order_id,
CASE
    WHEN ((length(key) = 36) AND (encode(key, 'escape'::text) ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'::text)) THEN (encode(key, 'escape'::text))::uuid
    ELSE NULL::uuid
END));
CREATE INDEX dead_letters_parked_key ON messaging.dead_letters USING btree (key, created_at) WHERE ((state = 'parked'::text) AND (length(key) = 36));
CREATE INDEX dead_letters_parked_order ON messaging.dead_letters USING btree (COALESCE(order_id,
CASE
    WHEN ((length(key) = 36) AND (encode(key, 'escape'::text) ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'::text)) THEN (encode(key, 'escape'::text))::uuid
    ELSE NULL::uuid
END), created_at) WHERE (state = 'parked'::text);
CREATE UNIQUE INDEX dead_letters_record ON messaging.dead_letters USING btree (topic, kafka_partition, kafka_offset, consumer, kafka_timestamp, md5(value)) NULLS NOT DISTINCT;
CREATE UNIQUE INDEX dead_letters_sealed_record ON messaging.dead_letters USING btree (topic, kafka_partition, kafka_offset, consumer, kafka_timestamp, message_id) NULLS NOT DISTINCT WHERE (sealed_key_id IS NOT NULL);
CREATE INDEX idempotent_replies_age ON messaging.idempotent_replies USING btree (created_at);
CREATE INDEX inbox_received ON messaging.inbox USING btree (received_at) WHERE (consumer <> 'webhook-sender'::text);
CREATE INDEX outbox_of_key ON ONLY messaging.outbox USING btree (key) WHERE (length(key) = 36);
CREATE INDEX outbox_sealed ON ONLY messaging.outbox USING btree (day, id) WHERE (sealed_key_id IS NOT NULL);
CREATE INDEX outbox_unsent ON ONLY messaging.outbox USING btree (id) WHERE (sent_at IS NULL);
CREATE INDEX rate_buckets_age ON messaging.rate_buckets USING btree (filled_at);
CREATE INDEX comments_of_order ON orders.comments USING btree (order_id, id);
CREATE INDEX deadlines_by_kind ON orders.deadlines USING btree (kind, COALESCE(due_at, since));
CREATE INDEX documents_list ON orders.documents USING btree (account_id, id);
CREATE INDEX documents_of_order ON orders.documents USING btree (order_id, id);
CREATE INDEX numbers_history ON orders.numbers USING btree (phone_number);
CREATE INDEX numbers_list ON orders.numbers USING btree (account_id, activated_at, phone_number);
CREATE INDEX numbers_of_order ON orders.numbers USING btree (account_id, porting_order_id);
CREATE UNIQUE INDEX numbers_one_owner ON orders.numbers USING btree (phone_number) WHERE (status <> 'ported_out'::text);
CREATE INDEX order_numbers_ending ON orders.order_numbers USING btree (reverse(phone_number) text_pattern_ops, order_id);
CREATE INDEX order_numbers_find ON orders.order_numbers USING btree (phone_number, order_id);
CREATE UNIQUE INDEX order_numbers_one_live ON orders.order_numbers USING btree (account_id, phone_number) WHERE live;
CREATE INDEX port_out_numbers_find ON orders.port_out_numbers USING btree (phone_number, port_out_id);
CREATE UNIQUE INDEX port_out_numbers_one_open ON orders.port_out_numbers USING btree (account_id, phone_number) WHERE open;
CREATE INDEX port_outs_deadline ON orders.port_outs USING btree (decision_deadline, id) WHERE ((decision_deadline IS NOT NULL) AND (account_id IS NOT NULL));
CREATE INDEX port_outs_list ON orders.port_outs USING btree (account_id, id);
CREATE UNIQUE INDEX port_outs_ref ON orders.port_outs USING btree (provider, port_out_ref, account_id) NULLS NOT DISTINCT;
CREATE INDEX port_outs_status ON orders.port_outs USING btree (account_id, status, id);
CREATE INDEX porting_orders_any_batch ON orders.porting_orders USING btree (batch_id, id) WHERE (deleted_at IS NULL);
CREATE INDEX porting_orders_any_carrier ON orders.porting_orders USING btree (losing_carrier, id) WHERE (deleted_at IS NULL);
CREATE INDEX porting_orders_any_carrier_name ON orders.porting_orders USING btree (lower(btrim(losing_carrier)), id) WHERE (deleted_at IS NULL);
CREATE INDEX porting_orders_any_country ON orders.porting_orders USING btree (country_code, id) WHERE (deleted_at IS NULL);
CREATE INDEX porting_orders_any_foc ON orders.porting_orders USING btree (orders.instant_of(foc_actual), id) WHERE ((deleted_at IS NULL) AND (foc_actual IS NOT NULL));
CREATE INDEX porting_orders_any_provider ON orders.porting_orders USING btree (provider, id) WHERE (deleted_at IS NULL);
CREATE INDEX porting_orders_any_reference ON orders.porting_orders USING btree (lower(customer_reference), id) WHERE ((customer_reference <> ''::text) AND (deleted_at IS NULL));
CREATE INDEX porting_orders_any_status ON orders.porting_orders USING btree (status, id) WHERE (deleted_at IS NULL);
CREATE INDEX porting_orders_attention ON orders.porting_orders USING btree (id) WHERE ((attention IS NOT NULL) AND (deleted_at IS NULL));
CREATE INDEX porting_orders_batch ON orders.porting_orders USING btree (account_id, batch_id, id);
CREATE INDEX porting_orders_carrier ON orders.porting_orders USING btree (account_id, losing_carrier, id) WHERE (deleted_at IS NULL);
CREATE INDEX porting_orders_carrier_name ON orders.porting_orders USING btree (account_id, lower(btrim(losing_carrier)), id) WHERE (deleted_at IS NULL);
CREATE INDEX porting_orders_country ON orders.porting_orders USING btree (account_id, country_code, id) WHERE (deleted_at IS NULL);
CREATE INDEX porting_orders_foc ON orders.porting_orders USING btree (account_id, orders.instant_of(foc_actual)) WHERE ((deleted_at IS NULL) AND (foc_actual IS NOT NULL));
CREATE INDEX porting_orders_list ON orders.porting_orders USING btree (account_id, id) WHERE (deleted_at IS NULL);
CREATE INDEX porting_orders_reference ON orders.porting_orders USING btree (account_id, customer_reference, id) WHERE ((customer_reference <> ''::text) AND (deleted_at IS NULL));
CREATE INDEX porting_orders_status ON orders.porting_orders USING btree (account_id, status, id) WHERE (deleted_at IS NULL);
CREATE INDEX porting_orders_type ON orders.porting_orders USING btree (account_id, number_type, id) WHERE (deleted_at IS NULL);
CREATE INDEX porting_orders_unacknowledged ON orders.porting_orders USING btree (provider, updated_at) WHERE (status = 'submitted'::text);
CREATE INDEX porting_orders_under_review ON orders.porting_orders USING btree (id) INCLUDE (review_attempt) WHERE (status = 'in_review'::text);
CREATE INDEX timeline_of_order ON orders.timeline USING btree (order_id, id);
CREATE INDEX cases_changes ON reviews.cases USING btree (changed_at);
CREATE INDEX cases_claims ON reviews.cases USING btree (claimed_until) WHERE ((state = 'open'::text) AND (claimed_until IS NOT NULL));
CREATE INDEX cases_decided ON reviews.cases USING btree (decided_at) WHERE (state = 'decided'::text);
CREATE INDEX cases_due ON reviews.cases USING btree (due_at) WHERE (state = 'open'::text);
CREATE INDEX cases_of_account ON reviews.cases USING btree (account_id) WHERE (state = 'open'::text);
CREATE UNIQUE INDEX cases_one_open ON reviews.cases USING btree (order_id) WHERE (state = 'open'::text);
CREATE INDEX cases_queue ON reviews.cases USING btree (submitted_at, order_id) WHERE (state = 'open'::text);
CREATE INDEX closed_cases_of_account ON reviews.cases USING btree (account_id, submitted_at) WHERE (state <> 'open'::text);
CREATE INDEX decisions_made ON reviews.decisions USING btree (decided_at);
CREATE INDEX decisions_of_case ON reviews.decisions USING btree (order_id, attempt);
CREATE INDEX document_checks_due ON reviews.document_checks USING btree (due_at);
CREATE INDEX document_readings_due ON reviews.document_readings USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX document_scans_due ON reviews.document_scans USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX deliveries_any_failure ON ONLY webhooks.deliveries USING btree (status, id) WHERE (status = ANY (ARRAY['failed'::text, 'skipped'::text, 'cancelled'::text]));
CREATE INDEX deliveries_due ON ONLY webhooks.deliveries USING btree (next_attempt_at) WHERE (status = ANY (ARRAY['pending'::text, 'retrying'::text]));
CREATE INDEX deliveries_endpoint_failures ON ONLY webhooks.deliveries USING btree (account_id, endpoint_id, status, id) WHERE (status = ANY (ARRAY['failed'::text, 'skipped'::text, 'cancelled'::text]));
CREATE INDEX deliveries_list ON ONLY webhooks.deliveries USING btree (account_id, id);
CREATE INDEX deliveries_of_endpoint ON ONLY webhooks.deliveries USING btree (account_id, endpoint_id, id, event_type, created_at);
CREATE INDEX deliveries_of_key ON ONLY webhooks.deliveries USING btree (endpoint_key, priority, next_attempt_at) WHERE (status = ANY (ARRAY['pending'::text, 'retrying'::text]));
CREATE INDEX deliveries_order ON ONLY webhooks.deliveries USING btree (account_id, order_id, id) WHERE (order_id IS NOT NULL);
CREATE INDEX deliveries_other_status ON ONLY webhooks.deliveries USING btree (account_id, status, id) WHERE (status <> 'succeeded'::text);
CREATE INDEX deliveries_succeeded ON ONLY webhooks.deliveries USING btree (account_id, id) WHERE (status = 'succeeded'::text);
CREATE INDEX deliveries_type ON ONLY webhooks.deliveries USING btree (account_id, event_type, id);
CREATE INDEX endpoint_health_failing ON webhooks.endpoint_health USING btree (endpoint_id) WHERE (failed_deliveries > 0);
CREATE INDEX endpoints_of_account ON webhooks.endpoints USING btree (account_id, id) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX recoveries_running ON webhooks.recoveries USING btree (endpoint_id) WHERE (status = 'running'::text);
CREATE STATISTICS orders.porting_orders_carrier_names ON lower(btrim(losing_carrier)) FROM orders.porting_orders;
CREATE STATISTICS orders.porting_orders_foc_dates ON orders.instant_of(foc_actual) FROM orders.porting_orders;
CREATE STATISTICS orders.porting_orders_references ON lower(customer_reference) FROM orders.porting_orders;
CREATE TRIGGER audit_log_rows BEFORE DELETE OR UPDATE ON accounts.audit_log FOR EACH ROW EXECUTE FUNCTION accounts.refuse_change();
ALTER TABLE accounts.audit_log ENABLE ALWAYS TRIGGER audit_log_rows;
CREATE TRIGGER audit_log_truncate BEFORE TRUNCATE ON accounts.audit_log FOR EACH STATEMENT EXECUTE FUNCTION accounts.refuse_change();
ALTER TABLE accounts.audit_log ENABLE ALWAYS TRIGGER audit_log_truncate;
CREATE TRIGGER log_rows BEFORE DELETE OR UPDATE ON events.log FOR EACH ROW EXECUTE FUNCTION events.refuse_change();
ALTER TABLE events.log ENABLE ALWAYS TRIGGER log_rows;
CREATE TRIGGER log_truncate BEFORE TRUNCATE ON events.log FOR EACH STATEMENT EXECUTE FUNCTION events.refuse_change();
ALTER TABLE events.log ENABLE ALWAYS TRIGGER log_truncate;
CREATE TRIGGER outbox_inserted AFTER INSERT ON messaging.outbox REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION messaging.note_unsent();
CREATE TRIGGER outbox_updated AFTER UPDATE ON messaging.outbox REFERENCING OLD TABLE AS before_update NEW TABLE AS after_update FOR EACH STATEMENT EXECUTE FUNCTION messaging.note_marked();
CREATE TRIGGER cases_changed BEFORE INSERT OR UPDATE ON reviews.cases FOR EACH ROW EXECUTE FUNCTION reviews.note_case_change();
ALTER TABLE ONLY accounts.api_keys
    ADD CONSTRAINT api_keys_account FOREIGN KEY (account_id) REFERENCES accounts.accounts(id);
ALTER TABLE ONLY accounts.operator_sessions
    ADD CONSTRAINT operator_sessions_token FOREIGN KEY (operator_token_id) REFERENCES accounts.operator_tokens(id);
ALTER TABLE ONLY accounts.operator_tokens
    ADD CONSTRAINT operator_tokens_operator FOREIGN KEY (operator_id) REFERENCES accounts.operators(id);
ALTER TABLE ONLY accounts.portal_cookies
    ADD CONSTRAINT portal_cookies_session_id_fkey FOREIGN KEY (session_id) REFERENCES accounts.portal_sessions(id) ON DELETE CASCADE;
ALTER TABLE ONLY accounts.portal_sessions
    ADD CONSTRAINT portal_sessions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts.accounts(id);
ALTER TABLE ONLY accounts.portal_sessions
    ADD CONSTRAINT portal_sessions_api_key_id_fkey FOREIGN KEY (api_key_id) REFERENCES accounts.api_keys(id);
ALTER TABLE ONLY orders.comments
    ADD CONSTRAINT comments_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders.porting_orders(id);
ALTER TABLE ONLY orders.documents
    ADD CONSTRAINT documents_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders.porting_orders(id);
ALTER TABLE ONLY orders.order_numbers
    ADD CONSTRAINT order_numbers_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders.porting_orders(id);
ALTER TABLE ONLY orders.port_out_numbers
    ADD CONSTRAINT port_out_numbers_port_out_id_fkey FOREIGN KEY (port_out_id) REFERENCES orders.port_outs(id);
ALTER TABLE ONLY orders.timeline
    ADD CONSTRAINT timeline_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders.porting_orders(id);
ALTER TABLE ONLY reviews.case_values
    ADD CONSTRAINT case_values_order_id_attempt_fkey FOREIGN KEY (order_id, attempt) REFERENCES reviews.cases(order_id, attempt);
ALTER TABLE ONLY reviews.decisions
    ADD CONSTRAINT decisions_order_id_attempt_fkey FOREIGN KEY (order_id, attempt) REFERENCES reviews.cases(order_id, attempt);
ALTER TABLE ONLY webhooks.endpoint_health
    ADD CONSTRAINT endpoint_health_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES webhooks.endpoints(id);
ALTER TABLE ONLY webhooks.recoveries
    ADD CONSTRAINT recoveries_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES webhooks.endpoints(id);
insert into messaging.reconciliation default values;
insert into webhooks.delivery_retention default values;
insert into public.migrations (timestamp, name) select right(n, 13)::bigint, n from unnest(array[
  'Messaging1700000000001',
  'Accounts1700000000002',
  'Orders1700000000003',
  'Reviews1700000000004',
  'Carriers1700000000005',
  'Webhooks1700000000006',
  'Events1700000000007',
  'Documents1700000000008',
  'RequirementRows1700000000009',
  'DocumentChecks1700000000010',
  'Waits1700000000011',
  'PortOuts1700000000012',
  'SandboxPortOuts1700000000013',
  'DeskHealth1700000000014',
  'EndpointFailures1700000000015',
  'EndpointPace1700000000016',
  'Recoveries1700000000017',
  'DeliveryRetention1700000000018',
  'DeliveryList1700000000019',
  'Idempotency1700000000020',
  'RateLimits1700000000021',
  'OrdersByCountry1700000000022',
  'ServiceFunctions1700000000030',
  'EventDates1700000000031',
  'Orphans1700000000032',
  'DeliveryRoom1700000000033',
  'FormerOwners1700000000034',
  'DeadLetterLives1700000000038',
  'InboxRetention1700000000039',
  'RequirementProfiles1700000000040',
  'NumberHistory1700000000041',
  'OrderQuotas1700000000042',
  'ReviewDecisions1700000000046',
  'SealedMessages1700000000047',
  'WrongPins1700000000048',
  'AuditActors1700000000049',
  'OrderFilters1700000000053',
  'ClosedReasons1700000000055',
  'InternalEntries1700000000056',
  'CaseDueTimes1700000000057',
  'UpdatePlaces1700000000058',
  'EventContext1700000000061',
  'Analytics1700000000062',
  'AccountSecretOverlap1700000000064',
  'CarrierRetention1700000000065',
  'CountedFailures1700000000066',
  'PortOutsByDeadline1700000000067',
  'OperatorRoles1700000000070',
  'OperatorSessions1700000000071',
  'AuditByAction1700000000072',
  'CaseWork1700000000073',
  'DocumentReadings1700000000075',
  'DocumentScans1700000000076',
  'DeskOrderSearch1700000000077',
  'OrderTrace1700000000078',
  'WebhookSupport1700000000079',
  'CaseChanges1700000000080',
  'HealthSamples1700000000081',
  'PortalSessions1700000000082',
  'OrdersByCarrier1700000000083',
  'OrdersUnderReview1700000000084',
  'MigrationChecksums1700000000085',
  'RepairedMigrations1700000000086',
  'SchemaIds1700000000087',
  'KeptTraces1700000000088',
  'WaitingOfActiveAccounts1700000000089',
  'PrimaryMark1700000000090',
  'LetterTexts1700000000093',
  'LeanDeliveryIndexes1700000000095',
  'UnsentMessages1700000000096',
  'UnsentMessagesFound1700000000097',
  'BegunDeliveries1700000000098',
  'PortDatesSaid1700000000099',
  'GeneratedKeys1700000000100',
  'OrdersOfDeadLetters1700000000101',
  'DeadLettersNoted1700000000102',
  'PinsCompared1700000000103',
  'UnsentAgain1700000000104',
  'OldestUnsent1700000000105'
]) n;
insert into messaging.migration_checksums (name, checksum) values
  ('Messaging1700000000001', '8a6e3419f8d60d63f2a3f6d805a88c92537f82b5b86816990a895d87065298c6'),
  ('Accounts1700000000002', 'e435006b0b99601ff93169fe8d508f6ecec374e810cf493356fcd8a69834a94e'),
  ('Orders1700000000003', 'd188e6869a083a0bd0bae1c088fc172a4c94193f5bbc28a63f9d934f670931e1'),
  ('Reviews1700000000004', 'a328429b770d2ad17b815daf7e32fdc2ba06cc0a9d7c8147bc265b0b1002af5d'),
  ('Carriers1700000000005', 'ec15320d78cb61a51102c38bbd234511ea12d82d97f31afdec0776cb6574c34f'),
  ('Webhooks1700000000006', 'd370752059c1c9395f1db1c3623ba364f2aa38b88402d0359723e70780446caa'),
  ('Events1700000000007', '81fb60a2a85576ad416acbbd297bb51da8281e8986197a588a1ef0db7172a5c6'),
  ('Documents1700000000008', 'c7a35a590a6f83623b518ff6eacf44222abf28dc8a6e6e8a72b3fd374caba5cb'),
  ('RequirementRows1700000000009', 'a8d7b581eb34ed4f88e058819c44dcea828da570cb41c953369d3e8f0ce570c0'),
  ('DocumentChecks1700000000010', '4a7b369f771f110a486d786fd3eb975cf1702fd385bdca58135dc89bcc9e3ed3'),
  ('Waits1700000000011', 'c0640bcdfd823af8d233903cb5b66c77aebf633e29d68c6498860d9b4353ec3a'),
  ('PortOuts1700000000012', '1588f80f133d411ebc15e7841693591310a795e55421c4c635bbf54a68ab9366'),
  ('SandboxPortOuts1700000000013', '0f1e37064268f70469f63fb21054a3049e6eb0ee24fde480f02b5726de72a06f'),
  ('DeskHealth1700000000014', '864e7dd786b4e7d2f823de41106bb43427ade6df5e58bf77dde19ae8b4d024f2'),
  ('EndpointFailures1700000000015', 'eee44a67a74e7cf46e250edcf4547b549c2835c9aa92be4125de57ecb67c584e'),
  ('EndpointPace1700000000016', '0ff0fd97d0e5468335763a5421b15a4421e3b0187cabb4c3b68ebe6781afca86'),
  ('Recoveries1700000000017', '70051c49ac0e59580f4480f378bcd60331f759fa6e79b1cf77d8723d9c905d31'),
  ('DeliveryRetention1700000000018', '2be244a91c2b82dc3a6e7fc3cbea0080403387ed5703991e6f4bd5d17ce9e8b1'),
  ('DeliveryList1700000000019', 'd7fadeab973edccd0fffeaf28de49ac70934ed7f75df2a04e563146e0a4be27a'),
  ('Idempotency1700000000020', '70fe5f42115a94bce88b60946dffaada33355e77c99c34af9142800e266c499b'),
  ('RateLimits1700000000021', '021067fe66bbb84ee6c6ace420746fea8e7b0c1a1f942a6add3b7186954d2bd6'),
  ('OrdersByCountry1700000000022', '7b67f084ad7e45a5a5acbf2e7895be7ee18b4bcb5bb88d9af12984dad0b730ea'),
  ('ServiceFunctions1700000000030', 'f80d48ec9bc3a82678ee1ae399d50d317146df0235a70fcb98690988ddde8966'),
  ('EventDates1700000000031', '7e562616ec17a99c1ba9a7296c546ad48a47dc2183bdaea9ed5cc8c0a966b59c'),
  ('Orphans1700000000032', 'aaa4bc66f881946a6881e33edf9520d7cb7e12c3e51fd9e3cca79a94c56c4aa4'),
  ('DeliveryRoom1700000000033', '337d3b022ceac3ee7515bfcc77c06a18ecd24a6f584d59ef5cabeeafb559e5ed'),
  ('FormerOwners1700000000034', '9dca718cf01378e06c3c5a6bf84557cdf2731de8a54bb2dd92be5ca53f22b304'),
  ('DeadLetterLives1700000000038', '29229d0c626e289adf2129c492c02994b0c6e8628e3198883fedbef77f776d71'),
  ('InboxRetention1700000000039', 'b23012e36e34f6fde3bdcf857530e4e063c7748b61a816e6859559621a9aa02c'),
  ('RequirementProfiles1700000000040', 'a3c192be1e680190555d09d0bc1aa2f1b5b5a5e5d777f8924e50a13729e8ae3b'),
  ('NumberHistory1700000000041', '6e2062b60de7bbf97999d2f7d6ba24e51ac891f076d76f6ae5e8adeaa36066e9'),
  ('OrderQuotas1700000000042', '5229e0ca689180026d754691bc9e8885cf14c779c5a352230e59e50290e73fda'),
  ('ReviewDecisions1700000000046', 'fce4c67855bc826159c344fdfb5d179fd6c991350e5c4d9fe49c8d57f2e09abd'),
  ('SealedMessages1700000000047', 'd82e70d33d853eba8a6ec89870df4e34270804b6a30c1507cf6b36fe1823ffac'),
  ('WrongPins1700000000048', '2f0707af4c85b50c07da94b917712a3c24ccf3e1efc244d0815c32782680eead'),
  ('AuditActors1700000000049', '731993689a88357f3849fe47472ce6fccef0247b08bbf36c30105c843eaf6622'),
  ('OrderFilters1700000000053', 'c5d1dd33cac9f3e5c690cfaf185af897a14366ca97f9197ea7c400820cf54aed'),
  ('ClosedReasons1700000000055', '44d370cb5664b84365111943b9567b44237633a3662070f550dca299f3c445ab'),
  ('InternalEntries1700000000056', 'b08330620fd8b4247095295967edb40280ee246b6d82476bbccaedbd7f1e765c'),
  ('CaseDueTimes1700000000057', 'af8f663c67f2fe7e0db08816ab72494749795997955de16dad224f114d676f2d'),
  ('UpdatePlaces1700000000058', 'b1709367cb880fa6fe238691da44118b1ae5a02f1617ec30b53e354f6a385a2d'),
  ('EventContext1700000000061', 'bdba31235c1b545a7a01371032c64345055019e220563b3e0881597cbaf7896e'),
  ('Analytics1700000000062', 'fc20bb3634c9006fa2583a88b56e5ed69d38e3c5bebc267e530d4888bd73068c'),
  ('AccountSecretOverlap1700000000064', '94b2abd3e4bb071f3beb934cf80f0fdc0ea121d0a66f992758f1d50eba929175'),
  ('CarrierRetention1700000000065', '9ed851b1198aa0c3522b56b93b4d3b943b564cd5f9bbe698fa6465f33c289f68'),
  ('CountedFailures1700000000066', '0b9664b882338644231a6f19e39f068ccb7406643d58b021e8b701c46d35b37d'),
  ('PortOutsByDeadline1700000000067', '1e2d80fd5a0c78950949bd63e37b470e19a3eb9dc1fe17d52a567e48a0188b17'),
  ('OperatorRoles1700000000070', '9a08c3f0e393cba154e94dc987b84eab14a24e301b33bf8968041d5909783488'),
  ('OperatorSessions1700000000071', '5bbc36cc57cfee6110631204bb85e51d574eb0588a32adab2394b9c10ad55031'),
  ('AuditByAction1700000000072', '4263d58317d34843696baacbf0ec050cb0ae87ed06314603bb7c243862b8f785'),
  ('CaseWork1700000000073', '430ff61f7a30984386ae98542bf5f88fb5b04c8f2410dd561e4f1c9c14e64d22'),
  ('DocumentReadings1700000000075', '706bf5e22a9f6c35f4e3468e7d29877a969880aced508b98ef5cfddc0a80d775'),
  ('DocumentScans1700000000076', 'cf653ec2c11703b2323652922e3eb1a0961fdec3a102707e894a95d929c315b1'),
  ('DeskOrderSearch1700000000077', '9a12138eff65a6079aed04aeb6f8926aab67706bfebe89bbd36c851a7eed862d'),
  ('OrderTrace1700000000078', 'dbc9f47e595811b386c200d8857b4fc1ffc8e5628d4a281cb299d95215e3112c'),
  ('WebhookSupport1700000000079', 'bdb9850d90ea691dad1134abcf0ca41e3bf02c0cca02f5c7cde858ba712e21e2'),
  ('CaseChanges1700000000080', '4dd78217fa67e256858c27cedc2c010439183d9ce731097aee99e2ae330f70ad'),
  ('HealthSamples1700000000081', 'abb68157786927680e013f0062f30fa27af0c7703206f836e11406fdfa7963bf'),
  ('PortalSessions1700000000082', 'd5d725685afa15316190f0124e5aab218454800a816652f7a1e1d085556aeb17'),
  ('OrdersByCarrier1700000000083', 'eba8a02081cbcfbd40103bcd46d093ba99a292ef51f1f0c53af9abba48e541bf'),
  ('OrdersUnderReview1700000000084', '001624c8f24b13fabf9781780030a7810b070bbf86f7693765537f3c10bdbf9b'),
  ('MigrationChecksums1700000000085', '0dd97923a7114199cadc4a80bec539ab9dd754add7c4be014a9042d6341ff5ed'),
  ('RepairedMigrations1700000000086', '5379a5b3fe81d8412c8feeb34cab5a5854e6df89bd05b3c1a56b1d83cde5f082'),
  ('SchemaIds1700000000087', '28f444e752fce5f1d308feb9a2e13be37d90a92185b9601651c55edceec0ed14'),
  ('KeptTraces1700000000088', 'c43b057e27b16f22edad9dde9bb6f1fb321885bf85f9715c6bc6aab2bed9e7aa'),
  ('WaitingOfActiveAccounts1700000000089', '82f7989ac665b98e5c07a3253fb610f6cf7c12fe38aec9013820928eb4faabdf'),
  ('PrimaryMark1700000000090', 'f9f86096f335edd2c2b932efd7d57cb85b395b42c562a010e713813de6361a63'),
  ('LetterTexts1700000000093', '4b50a29d12f4ad85fbd8f31cc260fd05bf36dd9ce97fc454830ef1e3e7d65e86'),
  ('LeanDeliveryIndexes1700000000095', 'ad007d5fd6850f963bf917ba2a4646c9c2917c076d4c40e515be4f0261470452'),
  ('UnsentMessages1700000000096', 'bf080caecf40c2d3d70bfb4932a512a323d913da3b9796aa3a1f97177077cff3'),
  ('UnsentMessagesFound1700000000097', 'da42fbc0c53c78ab55cb60078cacc96682793b52cfb6b5c9753f96ba9ebe732b'),
  ('BegunDeliveries1700000000098', '6b34ab51e13d1591149d1fbecd12508990a47739da60504378acf5493bcf0953'),
  ('PortDatesSaid1700000000099', '929151afc465d8e1c309ccbb8b794ef1e939f2b29b57858ea3d2889daaf42f1a'),
  ('GeneratedKeys1700000000100', 'b98af60090d63cba9ca5eef4d298179088ea71638e55a7c164bdd8ab48c8dda5'),
  ('OrdersOfDeadLetters1700000000101', '0a5f6f07d1d4e65f69ba55fb858e8e1efca48a7c06e800cf67c120c31e863fb3'),
  ('DeadLettersNoted1700000000102', 'd3e1c8c59840aeb1e09e40cd99163480f73f3217b189bee666373dc4c64f00d4'),
  ('PinsCompared1700000000103', '328fe990487a7d932e43ff5e786113da1de480fc582cd5cce29e6257d9fab498'),
  ('UnsentAgain1700000000104', 'c2eb87d12f78d69229d359d07d4ffe52b5dbcec9bacd7acf008f8fb94e670124'),
  ('OldestUnsent1700000000105', '27a3cad696d62f1a6a00b1327b410941187da5de7ecd065d107e13fe518e764a');
select messaging.make_outbox_partitions(now() - interval '1 day', now() + interval '14 days');
select webhooks.make_delivery_partitions(now() - interval '1 month', now() + interval '3 months');
select events.make_log_partitions(now() - interval '1 month', now() + interval '3 months');
