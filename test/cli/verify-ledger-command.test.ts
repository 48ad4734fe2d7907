import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { verifyWithin } from '../../src/core/ledger/verify-ledger.ts'
import type { Database } from '../../src/infra/db/database.ts'
import { commandLine } from '../definition/command.ts'
import { livedIn } from '../desk/lived-in.ts'

const sound = await livedIn()
const command = commandLine(sound.databaseUrl)

test('a ledger in which nothing was booked twice is proven sound', async () => {
  const { code, out, err } = await command.usp('verify')
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out).toMatch(/^Claims: +[\d,]+ entries about \d+ resources\nPlaces: +[\d,]+ entries about \d+ classes\n/)
  expect(out).toMatch(/\nNo instant was ever claimed twice, no class was ever overfull, and no money is missing\.\n$/)
})

const withoutTriggers = async (db: Database, table: string, work: ReturnType<typeof sql>) => {
  await sql`alter table ${sql.table(table)} disable trigger user`.execute(db)
  await work.execute(db)
  await sql`alter table ${sql.table(table)} enable trigger user`.execute(db)
}

const ann = sql`resource_id = 'staff_ann'`

test('it takes no arguments', async () => {
  const usage = 'Usage: usp verify\n'
  expect(await command.usp('verify', 'everything')).toEqual({ code: 1, out: '', err: usage })
})

/** Ways in which the tables could come to lie, were the database or somebody with its password to let them. */
const lies: [what: string, tell: (db: Database) => Promise<unknown>, found: RegExp][] = [
  [
    'time that was claimed twice',
    async (db) => {
      await sql`alter table claims drop constraint claims_never_overlap`.execute(db)
      await sql`insert into claims (resource_id, during, holder_kind, holder_id, expires_at)
        select resource_id, tstzrange(lower(during) + interval '59 minutes', upper(during)), 'hold', 'hold_rival', now()
        from claims where ${ann}`.execute(db)
    },
    /^claim_journal \d+: staff_ann is claimed from \S+ to \S+ for hold hold_rival, but overlaps claim \d+ from \S+ to \S+\.$/m,
  ],
  [
    'time that was claimed twice and given up again since',
    async (db) => {
      await sql`alter table claims drop constraint claims_never_overlap`.execute(db)
      await sql`insert into claims (resource_id, during, holder_kind, holder_id) select resource_id, during, 'hold', 'hold_gone'
        from claims where ${ann}`.execute(db)
      await sql`delete from claims where holder_id = 'hold_gone'`.execute(db)
    },
    /^claim_journal \d+: staff_ann is claimed .* for hold hold_gone, but overlaps claim \d+ from/m,
  ],
  [
    'a claim that was moved in secret',
    (db) =>
      withoutTriggers(
        db,
        'claims',
        sql`update claims set during = tstzrange(lower(during), upper(during) + interval '1 second') where ${ann}`,
      ),
    /^claims \d+: staff_ann is claimed .*, but the journal has no such claim\.$/m,
  ],
  [
    'a claim that was made in secret',
    (db) =>
      withoutTriggers(
        db,
        'claims',
        sql`insert into claims (resource_id, during, holder_kind, holder_id) values ('staff_ben', tstzrange(now(), null), 'hold', 'h')`,
      ),
    /^claims \d+: staff_ben is claimed from \S+ to no end for hold h, but the journal has no such claim\.$/m,
  ],
  [
    'a claim that was removed in secret',
    (db) => withoutTriggers(db, 'claims', sql`delete from claims where ${ann}`),
    /^claim_journal \d+: staff_ann is claimed .* and not released, but claims has no row \d+\.$/m,
  ],
  [
    'a journal that lacks an entry',
    (db) =>
      withoutTriggers(
        db,
        'claim_journal',
        sql`delete from claim_journal where number = (select min(number) from claim_journal where ${ann})`,
      ),
    /^claim_journal \d+: claim \d+ is released, but was not made for this resource and time\.$/m,
  ],
  [
    'a class that was overfull',
    (db) =>
      withoutTriggers(
        db,
        'sessions',
        sql`with journal as (insert into seat_journal (session_id, event, spots) select session_id, 'taken', 1 from seats group by 1)
          update sessions set capacity = capacity`,
      ),
    /^seat_journal \d+: session ses_\S+ has 4 places allocated, but its capacity is 3\.$/m,
  ],
  [
    'a class that was made too small',
    async (db) => {
      await sql`alter table sessions disable trigger capacity_not_below_seats`.execute(db)
      await sql`update sessions set capacity = 1 where id in (select session_id from seats)`.execute(db)
    },
    /^seat_journal \d+: session ses_\S+ has 3 places allocated, but its capacity is 1\.$/m,
  ],
  [
    'a class that was made in secret',
    (db) =>
      withoutTriggers(
        db,
        'sessions',
        sql`insert into sessions (id, service_id, resource_ids, capacity, starts_at, ends_at)
          values ('ses_secret', 'svc_class', '{}', 1, '2026-12-24', '2026-12-25')`,
      ),
    /^sessions ses_secret: 0 of 1 places are allocated, but by the journal 0 of 0\.$/m,
  ],
  [
    'places that were taken in secret',
    (db) => withoutTriggers(db, 'seats', sql`update seats set spots = spots + 1 where holder_kind = 'hold'`),
    /^sessions ses_\S+: 3 of 3 places are allocated, but by the journal 2 of 3\.$/m,
  ],
  [
    'a booking without its time',
    (db) => sql`delete from claims where ${ann}`.execute(db),
    /^booking bkg_\S+ should claim staff_ann, but claims nothing\.$/m,
  ],
  [
    'a booking that was put elsewhere',
    (db) => sql`update bookings set resource_ids = '{staff_ben}' where resource_ids = '{staff_ann}'`.execute(db),
    /^booking bkg_\S+ should claim staff_ben, but claims staff_ann\.$/m,
  ],
  [
    'a booking that lasts longer than its claim',
    (db) =>
      sql`update bookings set ends_at = ends_at + interval '2 hours' where resource_ids = '{staff_ann}'`.execute(db),
    /^booking bkg_\S+ claims staff_ann for less than its time\.$/m,
  ],
  [
    'a canceled booking that keeps its time',
    (db) => sql`update bookings set status = 'canceled' where resource_ids = '{staff_ann}'`.execute(db),
    /^booking bkg_\S+ claims staff_ann, but should claim nothing\.$/m,
  ],
  [
    'a block that blocks nothing',
    (db) => sql`delete from claims where holder_kind = 'block'`.execute(db),
    /^block blk_\S+ should claim bike_1, but claims nothing\.$/m,
  ],
  [
    'a class without its room',
    (db) => sql`delete from claims where holder_kind = 'session' and resource_id = 'room_big'`.execute(db),
    /^session ses_\S+ should claim room_big, staff_cat, but claims staff_cat\.$/m,
  ],
  [
    'a party that is larger than its places',
    (db) =>
      sql`update bookings set record = jsonb_set(record::jsonb, '{party_size}', '3') where session_id is not null and status = 'confirmed' or status = 'requires_action'`.execute(
        db,
      ),
    /^booking bkg_\S+ should have 3 places in session ses_\S+, but has [12]\.$/m,
  ],
  [
    'a canceled booking that keeps its places',
    (db) => sql`update bookings set status = 'canceled' where session_id is not null`.execute(db),
    /^booking bkg_\S+ should have 0 places in session ses_\S+, but has [12]\.$/m,
  ],
  [
    'an offer of what nobody keeps',
    (db) =>
      sql`insert into waitlist_entries
        (id, revision, principal, profile, service_id, buyer, status, offer_expires_at, created_at, updated_at)
        values ('wle_1', 1, 'client:1', '', 'svc_class', '{}', 'offered', '2027-01-01', now(), now())`.execute(db),
    /^entry wle_1 has an offer without reserved capacity\.$/m,
  ],
  [
    'time that is kept for an offer nobody made',
    (db) =>
      sql`insert into claims (resource_id, during, holder_kind, holder_id, expires_at)
        values ('staff_ben', tstzrange('2026-12-24', '2026-12-25'), 'offer', 'wle_2', '2027-01-01')`.execute(db),
    /^entry wle_2 reserves capacity without an offer\.$/m,
  ],
  [
    'a payment that its booking does not know',
    (db) =>
      sql`update bookings set record = jsonb_set(record::jsonb, '{payment,received}', '[]')
        where json_array_length(record -> 'payment' -> 'received') > 0`.execute(db),
    /^payment pay_\S+ is \d+, 0 to refund, but booking bkg_\S+ says nothing\.$/m,
  ],
  [
    'a payment that was never entered',
    (db) => sql`delete from payments`.execute(db),
    /^payment pay_\S+ is nothing, but booking bkg_\S+ says \d+, 0 to refund\.$/m,
  ],
  [
    'another sum than was paid',
    (db) => sql`update payments set amount = amount + 1`.execute(db),
    /^payment pay_\S+ is \d+, 0 to refund, but booking bkg_\S+ says \d+, 0 to refund\.$/m,
  ],
  [
    'money that is to go back by no refund',
    (db) =>
      sql`with gone as (update payments set returned = 1 returning booking_id)
        update bookings set record = jsonb_set(record::jsonb, '{payment,received,0,returned}', '1')
        where id in (select booking_id from gone)`.execute(db),
    /^payment pay_\S+ is \d+, 1 to refund, but its refunds are 0\.$/m,
  ],
]

test.each(lies)('%s: it is found, and named', async (_, tell, found) => {
  const { db } = sound.shop.runtime
  const tx = await db.startTransaction().execute()
  try {
    expect((await verifyWithin(tx, sound.shop.time.now)).findings).toEqual({ listed: [], count: 0 })
    await tell(tx)
    const { listed, count } = (await verifyWithin(tx, sound.shop.time.now)).findings
    expect(listed.join('\n')).toMatch(found)
    expect(count).toBe(listed.length)
  } finally {
    await tx.rollback().execute()
  }
})

test('the command names what is wrong and fails', async () => {
  await sql`delete from claims where ${ann}`.execute(sound.shop.runtime.db)
  const { code, out } = await command.usp('verify')
  expect(code).toBe(1)
  expect(out).toMatch(
    new RegExp(`\n1 fault:\n  booking ${sound.booking} should claim staff_ann, but claims nothing\\.\n$`),
  )
})
