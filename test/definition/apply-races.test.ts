import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, afterEach, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { runHousekeeping } from '../../src/cli/recurring-job-list.ts'
import { verify } from '../../src/core/ledger/verify-ledger.ts'
import type { BusinessDefinition, SessionDefinition } from '../../src/protocol/types.generated.ts'
import { freshDatabase } from '../support/database.ts'
import { businessWith, service } from '../support/definitions.ts'
import { onBothDesks, type Slot, testShop } from '../support/desk.ts'

const EVERY_DAY = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
const SOON = { timeout: 15_000 }
const CLASS = 'svc_class'
const OTHER = 'svc_other'

const at = (starts: string, resources: string[] = []): SessionDefinition => ({
  days: [...EVERY_DAY],
  starts,
  ...(resources.length > 0 && { resources }),
})

const group = (id: string, sessions: SessionDefinition[], capacity = 5) =>
  service(id, {
    type: 'group',
    capacity: { max: capacity },
    sessions,
    policies: {
      ...service('svc').policies,
      booking_window: { min_advance: 'PT2H', max_advance: 'P14D', slot_interval: 'PT30M' },
    },
  })

const people = ['ann', 'ben', 'cat'].map((id) => ({ id, type: 'staff' as const, name: id }))
const gym = (sessions: SessionDefinition[], others: SessionDefinition[] = []): BusinessDefinition =>
  businessWith([group(CLASS, sessions), ...(others.length > 0 ? [group(OTHER, others)] : [])], { resources: people })

const before = gym([at('10:00', ['ann']), at('16:00', ['ann'])])
const without10 = gym([at('16:00', ['ann'])])

await onBothDesks(
  async () => {
    const databaseUrl = await freshDatabase()
    const shop = await testShop(before, { databaseUrl })
    const rival = new pg.Client(databaseUrl)
    await rival.connect()
    afterAll(() => rival.end())
    return { ...shop, rival }
  },
  (desk, shop) => {
    const { db } = shop.runtime
    const { rival } = shop
    const apply = async (definition: BusinessDefinition) => {
      const said = await desk.call(
        'usp_business_definition_apply',
        { definition: stringify(definition) },
        { as: shop.staff },
      )
      await shop.runtime.business.seenBy(db)
      return said
    }
    const stranded = async () => {
      const { data } = await desk.call('usp_business_stranded_list', {}, { as: shop.staff })
      return data.stranded.map(({ booking }: { booking: { id: string } }) => booking.id).toSorted()
    }
    const sessionOf = async (slot: Slot) =>
      db
        .selectFrom('sessions')
        .selectAll()
        .where('service_id', '=', slot.service_id)
        .where('starts_at', '=', new Date(slot.start))
        .executeTakeFirst()
    /** Classes of the day that begin at this hour of New York. */
    const classAt = async (hour: string, day = 0, id = CLASS): Promise<Slot> =>
      (await desk.slots(id)).filter(({ start }) => start.includes(`T${hour}:`))[day]
    const wanted = async () => {
      const { rows } = await sql<{ service: string; hour: string; by: string; capacity: number }>`
        select distinct service_id as service, to_char(starts_at at time zone 'America/New_York', 'HH24:MI') as hour,
          array_to_string(resource_ids, ' ') as by, capacity
        from sessions where wanted order by 1, 2, 3, 4`.execute(db)
      return rows.map(({ service, hour, by, capacity }) => [service, hour, by, capacity].join(' '))
    }
    const expectSound = async () => expect((await verify(db, shop.time.now)).findings.listed).toEqual([])
    const isWaiting = async () => {
      const { rows } = await sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
      return rows.length
    }
    /** The definition is in force, while the class sessions may not be as it wants them. */
    const inForce = async (hours: number) => {
      const { rows } = await sql<{ count: number }>`
        select json_array_length(definition #> '{services,0,sessions}') as count from business`.execute(db)
      return rows[0]?.count === hours
    }
    /** A booking of this class by another transaction, which has not committed. */
    async function bookMeanwhile(slot: Slot) {
      const session = await sessionOf(slot)
      const { data } = await desk.book(await classAt('16'))
      const id = `bkg_rival_${session?.id}`
      await rival.query('begin')
      await rival.query('select from sessions where id = $1 for update', [session?.id])
      await rival.query(
        `insert into bookings
          select (json_populate_record(b, json_build_object('id', $2::text, 'session_id', $3::text,
            'starts_at', $4::timestamptz, 'ends_at', $5::timestamptz))).*
          from bookings b where id = $1`,
        [data.booking.id, id, session?.id, session?.starts_at, session?.ends_at],
      )
      await rival.query(`insert into seats values ($1, 'booking', $2, 1)`, [session?.id, id])
      await desk.cancel(data.booking.id)
      return id
    }

    afterEach(async () => void (await rival.query('rollback')))

    test('[an apply races bookings] a class that somebody books while its time is removed is closed, and the booking waits in the inbox', async () => {
      const [booked, racing] = [await classAt('10'), await classAt('10', 1)]
      const { booking } = (await desk.book(booked)).data
      const rivals = await bookMeanwhile(racing)
      const applied = apply(without10)
      await expect.poll(() => inForce(1), SOON).toBe(true)
      await rival.query('commit')
      const { status, data } = await applied
      expect([status, data.stranded.total]).toEqual([200, 1])
      expect(await wanted()).toEqual([`${CLASS} 16:00 ann 5`])
      expect(await sessionOf(booked)).toMatchObject({ wanted: false })
      expect(await sessionOf(racing)).toMatchObject({ wanted: false })
      expect(await stranded()).toEqual([booking.id, rivals].toSorted())
      await expectSound()
      for (const id of [booking.id, rivals])
        await desk.call('usp_business_bookings_cancel', { booking_id: id }, { as: shop.staff })
      await apply(before)
    })

    test('[an apply races bookings] a held place that somebody books while its time is removed is kept, and the booking waits in the inbox', async () => {
      const slot = await classAt('10', 2)
      const { hold } = (await desk.hold(slot)).data
      await rival.query('begin')
      await rival.query('select from seats where holder_id = $1 for update', [hold.id])
      const booked = desk.book(slot, { hold_id: hold.id })
      await expect.poll(isWaiting, SOON).toBe(1)
      const applied = apply(without10)
      await expect.poll(() => inForce(1), SOON).toBe(true)
      await rival.query('commit')
      const [{ data }] = [await booked, await applied]
      expect(await sessionOf(slot)).toMatchObject({ wanted: false })
      expect(await stranded()).toEqual(data.booking ? [data.booking.id] : [])
      await expectSound()
      if (data.booking) await desk.cancel(data.booking.id)
      await apply(before)
    })

    test.each([
      ['with a held place', true],
      ['without one', false],
    ])('[an apply races bookings] whoever comes for a class while it is closed is refused, %s', async (_, isHeld) => {
      const slot = await classAt('10', 3)
      const { hold } = (await desk.hold(slot)).data
      await rival.query('begin')
      const close = 'update sessions set wanted = false where service_id = $1 and starts_at = $2'
      await rival.query(close, [CLASS, slot.start])
      await rival.query('select from seats where holder_id = $1 for update', [hold.id])
      const booked = desk.book(slot, isHeld ? { hold_id: hold.id } : {})
      await expect.poll(isWaiting, SOON).toBe(1)
      await rival.query('commit')
      expect((await booked).code).toBe('slot_unavailable')
      await sql`update sessions set wanted = true where not wanted`.execute(db)
      const { data } = await desk.book(slot, { hold_id: hold.id })
      await desk.cancel(data.booking.id)
    })

    test('[an apply races bookings] the party of a booking in a closed class can still be corrected', async () => {
      const slot = await classAt('10', 3)
      const { booking } = (await desk.book(slot)).data
      await apply(without10)
      const correct = { booking_id: booking.id, party_size: 3 }
      const { data } = await desk.call('usp_business_bookings_correct', correct, { as: shop.staff })
      expect(data.booking.party_size).toBe(3)
      await expectSound()
      await desk.cancel(booking.id)
      await apply(before)
    })

    test('[an apply races bookings] while one class stays locked, all others are changed and can be booked', async () => {
      const locked = await classAt('10', 4)
      await rival.query('begin')
      await rival.query('select from sessions where id = $1 for update', [(await sessionOf(locked))?.id])
      const applied = apply(gym([at('12:00', ['ann']), at('16:00', ['ann'])]))
      await expect.poll(async () => (await wanted()).includes(`${CLASS} 12:00 ann 5`), SOON).toBe(true)
      const began = performance.now()
      const [kept, opened] = [await classAt('16', 4), await classAt('12', 4)]
      for (const slot of [kept, opened]) expect((await desk.book(slot)).data.booking.status).toBe('confirmed')
      expect(performance.now() - began).toBeLessThan(4_000)
      expect(await sessionOf(locked)).toMatchObject({ wanted: true })
      await rival.query('rollback')
      expect((await applied).status).toBe(200)
      expect(await sessionOf(locked)).toBeUndefined()
      await expectSound()
      await apply(before)
    })

    test('[two applies at once] the class times are those of the last one, though the one before had not completed its own', async () => {
      const locked = await classAt('10', 5)
      await rival.query('begin')
      await rival.query('select from sessions where id = $1 for update', [(await sessionOf(locked))?.id])
      const first = apply(without10)
      await expect.poll(() => inForce(1), SOON).toBe(true)
      const second = apply(gym([at('09:00', ['ann']), at('10:00', ['ann']), at('14:00', ['ben'])]))
      await expect.poll(() => inForce(3), SOON).toBe(true)
      await rival.query('rollback')
      expect([(await first).status, (await second).status]).toEqual([200, 200])
      const hours = ['09:00 ann', '10:00 ann', '14:00 ben']
      expect(await wanted()).toEqual(hours.map((hour) => `${CLASS} ${hour} 5`))
      expect(await sessionOf(locked)).toMatchObject({ wanted: true })
      await expectSound()
      await apply(before)
    })

    test('[no raw database error] what PostgreSQL refuses of class times is logged, told to nobody, and completed by the background', async () => {
      const refuse = (table: string) =>
        rival.query(`
          create function refuse_it() returns trigger language plpgsql as $$
          begin raise exception 'secret value' using errcode = '23503'; end $$;
          create trigger refuse_it before insert or update or delete on ${table} for each row
          when (pg_trigger_depth() = 0) execute function refuse_it()`)
      const allow = () => rival.query('drop function refuse_it cascade')
      await refuse('sessions')
      const applied = await apply(without10)
      await allow()
      expect([applied.status, applied.data.changes.length]).toEqual([200, 1])
      expect(JSON.stringify(applied.data)).not.toContain('secret')
      expect(shop.logged.filter((line) => line.includes('"level":40') && line.includes('23503'))).toHaveLength(1)
      expect(await wanted()).toEqual([`${CLASS} 10:00 ann 5`, `${CLASS} 16:00 ann 5`])
      await runHousekeeping(shop.runtime)
      expect(await wanted()).toEqual([`${CLASS} 16:00 ann 5`])

      await refuse('business')
      const refused = await apply(before)
      await allow()
      expect(refused.code).toBe('server_error')
      expect(JSON.stringify(refused.data)).not.toContain('secret')
      await apply(before)
    })

    test('[class sessions] a class whose people are named in another order is the same class', async () => {
      const both = (order: string[]) => ({
        ...gym([at('18:00', ['ann', 'ben'])]),
        website: { welcome: order.join() },
        resources: order.map((id) => ({ id, type: 'staff' as const, name: id })),
      })
      await apply(both(['ann', 'ben', 'cat']))
      const slot = await classAt('18')
      const { booking } = (await desk.book(slot)).data
      await apply(both(['cat', 'ben', 'ann']))
      expect(await sessionOf(slot)).toMatchObject({ wanted: true })
      await desk.cancel(booking.id)
      await apply(before)
    })

    test('[class sessions] a teacher who goes from one class to another at the same hour is free for it at once', async () => {
      const two = (one: string, other: string) => gym([at('11:00', [one])], [at('11:00', [other])])
      await apply(two('ann', 'ben'))
      await apply(two('ben', 'ann'))
      expect(await wanted()).toEqual([`${CLASS} 11:00 ben 5`, `${OTHER} 11:00 ann 5`])
      // Of two classes that need one person the second is not held, and keeps nobody from anything.
      await apply(gym([at('11:00', ['ann'])], [at('11:00', ['ben', 'ann'])]))
      expect(await wanted()).toEqual([`${CLASS} 11:00 ann 5`])
      await expectSound()
      await apply(before)
    })
  },
)
