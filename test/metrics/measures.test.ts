import { expect, test } from 'vitest'
import { lastBackupUpsert } from '../../src/core/backup/write-backup.ts'
import type { PoolUsage } from '../../src/infra/db/connection-pool-usage.ts'
import { services, shopDefinition } from '../bookings/shop.ts'
import { toldShop } from '../events/told-shop.ts'
import { freshDatabase } from '../support/database.ts'
import { onBothDesks } from '../support/desk.ts'
import { metricsOf } from '../support/metrics.ts'
import { CONNECTIONS, testServer } from '../support/server.ts'
import { openUnresponsivePostgres } from '../support/unresponsive-postgres.ts'

// The first of a process makes ready what all share, which may take so long that no change beside it would live.
const server = await testServer()
const booked = ['svc_free', 'svc_cut', 'svc_firm']
const definition = { ...shopDefinition, services: services.filter(({ id }) => booked.includes(id)) }

await onBothDesks(
  () => toldShop(definition),
  (desk, shop) => {
    test('[what an owner watches] bookings and holds are counted by what the business said', async () => {
      const slots = await desk.slots('svc_free')
      const [slot, other] = [slots[0], slots.at(-1)]
      await desk.hold(other)
      const ask = { as: shop.platform, idempotencyKey: 'a key of mine that repeats' }
      expect((await desk.book(slot, {}, ask)).data.booking.status).toBe('confirmed')
      expect((await desk.book(slot, {}, ask)).data.booking.status).toBe('confirmed')
      expect((await desk.book(slot)).code).toBe('slot_unavailable')
      const metrics = await metricsOf(shop)
      const counted = (operation: string, outcome: string) =>
        metrics.get(`usp_outcomes_total{operation="${operation}",outcome="${outcome}"}`)
      expect(counted('holdSlot', 'done')).toBe(1)
      expect(counted('createBooking', 'done')).toBe(1)
      expect(counted('createBooking', 'repeated')).toBe(1)
      expect(counted('createBooking', 'slot_unavailable')).toBe(1)
    })

    test('[what an owner watches] what is refused is counted by its code', async () => {
      const isRest = desk.binding === 'REST'
      await desk.call('usp_services_get', { service_id: 'svc_none' })
      await desk.call('usp_bookings_get', { booking_id: 'bkg_none' }, { as: {} })
      const metrics = await metricsOf(shop)
      const refused = [...metrics.keys()].filter((name) => name.startsWith('usp_refusals_total'))
      expect(refused).toEqual(
        expect.arrayContaining([
          `usp_refusals_total{operation="${isRest ? 'getService' : 'usp_services_get'}",code="service_not_found"}`,
          `usp_refusals_total{operation="${isRest ? 'getBooking' : 'usp_bookings_get'}",code="authentication_required"}`,
        ]),
      )
    })

    test('[what an owner watches] money is told by the day', async () => {
      const [slot] = await desk.slots('svc_cut')
      const { booking } = (await desk.book(slot)).data
      const paid = { booking_id: booking.id, amount: 7500, kind: 'card' }
      expect((await desk.call('usp_business_bookings_mark_paid', paid, { as: shop.staff })).status).toBe(200)
      const metrics = await metricsOf(shop)
      expect(metrics.get('usp_money_received_day{currency="USD",source="staff"}')).toBe(7500)
      expect(metrics.get('usp_payments_day{currency="USD",source="staff"}')).toBe(1)
      shop.minutesLater(24 * 60 + 1)
      expect((await metricsOf(shop)).get('usp_payments_day{currency="USD",source="staff"}')).toBeUndefined()
    })

    test('[what an owner watches] what waits is told with the age of the oldest', async () => {
      const [slot] = await desk.slots('svc_firm')
      const { booking } = (await desk.book(slot)).data
      await desk.call('usp_business_bookings_cancel', { booking_id: booking.id, reason: 'ill' }, { as: shop.staff })
      const before = await metricsOf(shop)
      shop.minutesLater(10)
      const after = await metricsOf(shop)
      for (const kind of ['events', 'mails']) {
        expect([kind, before.get(`usp_waiting{kind="${kind}"}`)]).toEqual([kind, expect.toSatisfy((n) => n > 0)])
        const age = `usp_waiting_oldest_seconds{kind="${kind}"}`
        expect(Number(after.get(age)) - Number(before.get(age))).toBeCloseTo(600, 0)
      }
      expect(after.get('usp_waiting{kind="refunds"}')).toBe(0)
      expect(after.get('usp_waiting_oldest_seconds{kind="refunds"}')).toBe(0)
    })
  },
)

test('[what an owner watches] connections are told, and who waits for one', async () => {
  const metrics = await metricsOf(server)
  expect(metrics.get('usp_database_answers')).toBe(1)
  expect(metrics.get('usp_database_connections_most{pool="calls"}')).toBe(CONNECTIONS)
  expect(metrics.get('usp_database_connections{pool="calls"}')).toBeGreaterThan(0)
  expect(metrics.get('usp_database_queue{pool="calls"}')).toBe(0)
})

test('[what an owner watches] connections of the background and of standbys are told apart, as long as there are any', async () => {
  const reading = await testServer(undefined, { env: { DATABASE_READ_URL: await freshDatabase() } })
  const most = async () =>
    [...(await metricsOf(reading))].filter(([name]) => name.startsWith('usp_database_connections_most'))
  const known = [
    ['usp_database_connections_most{pool="calls"}', CONNECTIONS],
    ['usp_database_connections_most{pool="standby"}', CONNECTIONS],
  ]
  expect(await most()).toEqual(known)
  const background: { occupancy: PoolUsage | undefined } = { occupancy: { open: 2, idle: 1, most: 5, waiting: 7 } }
  reading.runtime.pools.set('background', () => background.occupancy)
  expect(await most()).toEqual([...known, ['usp_database_connections_most{pool="background"}', 5]])
  expect((await metricsOf(reading)).get('usp_database_queue{pool="background"}')).toBe(7)
  background.occupancy = undefined
  expect(await most()).toEqual(known)
})

test('[what an owner watches] the last backup is told, once there is one', async () => {
  expect((await metricsOf(server)).get('usp_backup_timestamp_seconds')).toBe(0)
  await lastBackupUpsert(server.runtime.db, { taken_at: new Date('2026-11-20T10:00:00Z'), bytes: 12_345 })
  const metrics = await metricsOf(server)
  expect([metrics.get('usp_backup_timestamp_seconds'), metrics.get('usp_backup_bytes')]).toEqual([
    1_795_168_800, 12_345,
  ])
})

test('[what an owner watches] a database that says nothing keeps nobody from the rest, and nothing old is told of it', async () => {
  const silence = await openUnresponsivePostgres(await freshDatabase())
  const cut = await testServer(undefined, { databaseUrl: silence.url })
  expect((await metricsOf(cut)).get('usp_waiting{kind="mails"}')).toBe(0)
  silence.begin('all')
  const metrics = await metricsOf(cut)
  silence.end()
  expect(metrics.get('usp_database_answers')).toBe(0)
  expect(metrics.has('usp_waiting{kind="mails"}')).toBe(false)
  expect(metrics.has('process_resident_memory_bytes')).toBe(true)
})

test('[what an owner watches] who looks whether a server is well makes no calls, whatever it is told', async () => {
  const silence = await openUnresponsivePostgres(await freshDatabase())
  const cut = await testServer(undefined, { databaseUrl: silence.url })
  silence.begin('all')
  const told = async (url: string, remoteAddress: string) =>
    (await cut.raw({ method: 'GET', url, remoteAddress })).status
  expect(await told('/healthz', '127.0.0.1')).toBe(200)
  expect(await told('/readyz', '127.0.0.1')).toBe(503)
  expect(await told('/metrics', '203.0.113.1')).toBe(401)
  const metrics = await metricsOf(cut)
  silence.end()
  const counted = [...metrics.keys()].filter((name) => /^usp_(request_seconds_count|refusals_total)/.test(name))
  expect(counted).toEqual([])
})
