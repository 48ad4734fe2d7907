/**
 * A minimal server that does the same database work within the same memory limit. It uses only Fastify and pg, without
 * schema checks, authentication and bookkeeping.
 */

import { randomUUID } from 'node:crypto'
import fastify from 'fastify'
import pg from 'pg'
import { limitHeapGrowth } from '../../src/cli/serve.ts'

limitHeapGrowth()
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 })
await pool.query(`
  create extension if not exists btree_gist;
  create table bare_slots (id text primary key, service_id text not null, starts_at timestamptz not null,
    ends_at timestamptz not null, duration text not null, state text not null, resource_id text not null,
    resource_name text not null);
  create index bare_slots_starts on bare_slots (service_id, starts_at);
  insert into bare_slots
    select 'slot_' || md5(number::text) || md5(number::text), 'svc_cut', now() + number * interval '10 minutes',
      now() + (number + 3) * interval '10 minutes', 'PT30M', 'available', 'staff_1', 'Stylist 1'
    from generate_series(1, 10000) number;
  create table bare_claims (id text primary key, resource_id text not null, during tstzrange not null,
    holder text not null, exclude using gist (resource_id with =, during with &&));
  analyze bare_slots`)

const app = fastify()
app.get('/healthz', async () => ({ status: 'ok' }))

app.post<{ Body: { service_id: string; start_date: string; end_date: string } }>('/query', async ({ body }) => {
  const { rows } = await pool.query(
    `select id, service_id, starts_at as start, ends_at as "end", duration, state, resource_id, resource_name
    from bare_slots where service_id = $1 and starts_at >= $2 and starts_at < $3 order by starts_at limit 50`,
    [body.service_id, body.start_date, body.end_date],
  )
  return { slots: rows }
})

interface Claim {
  resource_id: string
  from: string
  to: string
}

/** Inserts one row into a table that allows no overlapping times. Each insert has a separate transaction. */
async function claim(statement: string, { resource_id, from, to }: Claim) {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const { rows } = await client.query(statement, [randomUUID(), resource_id, from, to])
    await client.query('commit')
    return { claim: rows[0] }
  } finally {
    client.release()
  }
}

app.post<{ Body: Claim }>('/claims', async ({ body }, reply) => {
  const statement = `insert into bare_claims (id, resource_id, during, holder)
    values ($1, $2, tstzrange($3, $4), 'somebody') returning *`
  return reply.code(201).send(await claim(statement, body))
})

app.post<{ Body: Claim }>('/ledger', async ({ body }, reply) => {
  const statement = `insert into claims (holder_kind, holder_id, resource_id, during)
    values ('hold', $1, $2, tstzrange($3, $4)) returning *`
  return reply.code(201).send(await claim(statement, body))
})

process.once('SIGINT', () => app.close().then(() => pool.end()))
await app.listen({ port: Number(process.env.PORT) })
