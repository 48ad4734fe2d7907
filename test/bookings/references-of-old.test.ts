import { readdirSync, readFileSync } from 'node:fs'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { referenceOf } from '../../src/bookings/reference.ts'
import { freshDatabase } from '../support/database.ts'

const folder = new URL('../../migrations/', import.meta.url)
const REFERENCES = '0051_references.sql'
const run = (client: pg.Client, name: string) => client.query(readFileSync(new URL(name, folder), 'utf8'))

test('what was booked before there were references is found by them too, unless its people are forgotten', async () => {
  const client = new pg.Client(await freshDatabase({ migrated: false }))
  await client.connect()
  onTestFinished(() => client.end())
  for (const name of readdirSync(folder).sort()) if (name.endsWith('.sql') && name < REFERENCES) await run(client, name)
  const searched = { bkg_Qm3_xY: 'alice', 'bkg_-z9': 'ben', bkg_erased: '' }
  for (const [id, text] of Object.entries(searched))
    await client.query(
      `insert into bookings (id, revision, principal, profile, service_id, status, starts_at, ends_at, resource_ids, record,
        people, search_text, created_at, updated_at, reminded_until)
       values ($1, 1, 'client:a', '', 'svc', 'confirmed', now(), now() + interval '1 hour', '{}', '{}', '{}', $2, now(), now(), now())`,
      [id, text],
    )
  await run(client, REFERENCES)
  const { rows } = await client.query('select id, search_text from bookings')
  const found = Object.fromEntries(rows.map(({ id, search_text }) => [id, search_text]))
  const withReference = (id: string, text: string) => {
    const reference = referenceOf({ id }).toLowerCase()
    return `${text} ${reference} ${reference.replace('-', '')}`
  }
  expect(found).toEqual({
    bkg_Qm3_xY: withReference('bkg_Qm3_xY', 'alice'),
    'bkg_-z9': withReference('bkg_-z9', 'ben'),
    bkg_erased: '',
  })
})
