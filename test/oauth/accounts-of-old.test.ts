import { readdirSync, readFileSync } from 'node:fs'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { freshDatabase } from '../support/database.ts'

const folder = new URL('../../migrations/', import.meta.url)
const ONE_ACCOUNT = '0056_an_account_is_whose_mailbox_it_is.sql'
const run = (client: pg.Client, name: string) => client.query(readFileSync(new URL(name, folder), 'utf8'))

async function before(): Promise<pg.Client> {
  const client = new pg.Client(await freshDatabase({ migrated: false }))
  await client.connect()
  onTestFinished(() => client.end())
  for (const name of readdirSync(folder).sort())
    if (name.endsWith('.sql') && name < ONE_ACCOUNT) await run(client, name)
  await client.query(
    `insert into buyer_addresses (email, salt) values ('alice@x.example', 's'), ('bob@x.example', 's')`,
  )
  await client.query(`insert into buyer_accounts (id, email, name, password, created_at, verified_at) values
    ('buy_owner', 'alice@x.example', 'alice@x.example', null, now(), now()),
    ('buy_planted', 'alice@x.example', 'Mallory', 'hash', now(), null),
    ('buy_bob', 'bob@x.example', 'Bob', 'hash', now(), null)`)
  await client.query(`insert into oauth_state (model, id, payload, expires_at, account_id) values
    ('Grant', 'owner', '{}', now(), 'buy_owner'), ('Grant', 'planted', '{}', now(), 'buy_planted'),
    ('Visit', 'planted', '{}', now(), 'buy_planted'), ('Grant', 'bob', '{}', now(), 'buy_bob')`)
  for (const [id, account, email] of [
    ['bkg_mine', 'buy_planted', 'Alice@x.example'],
    ['bkg_other', 'buy_planted', 'mallory@x.example'],
    ['bkg_bob', 'buy_bob', 'bob@x.example'],
  ])
    await client.query(
      `insert into bookings (id, revision, principal, profile, service_id, status, starts_at, ends_at, resource_ids, record,
        people, search_text, created_at, updated_at, reminded_until, buyer_account)
       values ($1, 1, 'client:a/' || $2, 'https://a.example', 'svc', 'confirmed', now(), now() + interval '1 hour', '{}', '{}', $3,
        'x', now(), now(), now(), $2)`,
      [id, account, JSON.stringify({ buyer: { email } })],
    )
  for (const [id, email] of [
    ['wle_mine', 'alice@x.example'],
    ['wle_other', 'mallory@x.example'],
  ])
    await client.query(
      `insert into waitlist_entries (id, revision, principal, profile, service_id, buyer, status, created_at, updated_at)
       values ($1, 1, 'client:a/buy_planted', 'https://a.example', 'svc', $2, 'waiting', now(), now())`,
      [id, JSON.stringify({ email })],
    )
  return client
}

test('[whose it is] where an address was shown to be somebody’s already, the others under it end at once', async () => {
  const client = await before()
  await run(client, ONE_ACCOUNT)
  const listed = async (query: string) => (await client.query(query)).rows.map((row) => Object.values(row).join(' '))
  expect(await listed('select id from buyer_accounts order by id')).toEqual(['buy_bob', 'buy_owner'])
  expect(await listed('select model, id from oauth_state order by id')).toEqual(['Grant bob', 'Grant owner'])
  expect(await listed('select id, buyer_account from bookings order by id')).toEqual([
    'bkg_bob buy_bob',
    'bkg_mine buy_owner',
    'bkg_other buy_planted',
  ])
  expect(await listed('select id, principal from waitlist_entries order by id')).toEqual([
    'wle_mine client:a/buy_owner',
    'wle_other client:a/buy_planted',
  ])
})
