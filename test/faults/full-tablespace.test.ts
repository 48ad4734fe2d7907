import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { smallDisk } from '../../scripts/ha/small-disk.ts'
import { verify } from '../../src/core/ledger/verify-ledger.ts'
import { ROLE } from '../../src/infra/db/embedded-postgres-cluster.ts'
import { businessWith, service } from '../support/definitions.ts'
import { buyer, restDesk, testShop } from '../support/desk.ts'
import { metricsOf } from '../support/metrics.ts'
import { databaseUrl, startPostgres, TEMPLATE } from '../support/postgres.ts'

const name = `usp_small_${randomUUID().slice(0, 8)}`
// One that cannot write down what was done makes no database either, which other tests wait for: so it is this test's own.
const own = await startPostgres()
const admin = new pg.Client(own.superuser)
await admin.connect()
const { rows } = await admin.query('show data_directory')
const folder = mkdtempSync(join(tmpdir(), 'usp-small-disk-'))
const disk = smallDisk(folder, 200, statSync(rows[0].data_directory))
afterAll(async () => {
  if (disk) {
    disk.makeRoom()
    await admin.query(`drop database if exists ${name} with (force)`)
    await admin.query(`drop tablespace if exists ${name}`)
    disk.remove()
  }
  await admin.end()
  await own.stop()
  rmSync(folder, { recursive: true, force: true })
})
if (disk) {
  await admin.query(`create tablespace ${name} location '${folder}'`)
  await admin.query(`create database ${name} owner ${ROLE} tablespace ${name} template ${TEMPLATE} strategy wal_log`)
}
/** A class with room for whatever is booked. */
const large = service('svc_large', {
  type: 'group',
  capacity: { max: 10_000 },
  sessions: [{ days: ['tuesday'], starts: '10:00' }],
})
const why = disk ? '' : ' (skipped: only root may mount a disk, and not everywhere)'

test.skipIf(!disk)(
  `[a full disk] while no file can grow all are told to try again; what was acknowledged is there once, and what was not can be asked for again${why}`,
  async () => {
    const shop = await testShop(businessWith([large]), { databaseUrl: databaseUrl(own.postgres, name) })
    const desk = restDesk(shop)
    const isReady = async () => {
      const { status, body } = await shop.raw({ method: 'GET', url: '/readyz' })
      return status === 200 ? true : body.detail
    }
    const [slot] = await desk.slots(large.id)
    const ask = (idempotencyKey: string) => desk.book(slot, { buyer }, { idempotencyKey })
    const booked: string[] = []
    const refused: string[] = []

    booked.push((await ask(randomUUID())).data.booking.id)
    disk?.fill()
    while (refused.length < 5) {
      const key = randomUUID()
      const { status, data, headers } = await ask(key)
      expect([201, 503]).toContain(status)
      if (status === 201) booked.push(data.booking.id)
      else {
        refused.push(key)
        expect(Number(headers['retry-after'])).toBeGreaterThan(0)
        expect(JSON.stringify(data)).toContain('The database accepts no changes at present. Nothing was done')
      }
    }
    expect(await isReady()).toBe('The disk of the database is full: it accepts no changes.')
    expect(await desk.slots(large.id)).not.toEqual([])
    expect((await metricsOf(shop)).get('usp_database_full')).toBe(1)

    disk?.makeRoom()
    expect((await metricsOf(shop)).get('usp_database_full')).toBe(0)
    expect(await isReady()).toBe(true)
    for (const key of refused) {
      const { status, data } = await ask(key)
      expect(status).toBe(201)
      booked.push(data.booking.id)
    }
    const { db } = shop.runtime
    const stored = await db.selectFrom('bookings').select('id').execute()
    expect(stored.map(({ id }) => id).sort()).toEqual(booked.sort())
    expect((await verify(db, shop.time.now)).findings).toEqual({ listed: [], count: 0 })
  },
)
