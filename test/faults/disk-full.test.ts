import { expect, test } from 'vitest'
import { freshDatabase } from '../support/database.ts'
import { businessWith, service } from '../support/definitions.ts'
import { buyer, restDesk, testShop } from '../support/desk.ts'
import { fullDisk } from '../support/full-disk.ts'
import { usp } from '../support/process.ts'

const databaseUrl = await freshDatabase()
const shop = await testShop(businessWith([service('svc_one')]), { databaseUrl })
const desk = restDesk(shop)
const disk = fullDisk(databaseUrl, 'insert on bookings')

const ready = () => shop.raw({ method: 'GET', url: '/readyz' })

test('[a full disk] a change that finds no room makes the server unready, until there is room', async () => {
  const [slot] = await desk.slots('svc_one')
  expect((await ready()).status).toBe(200)
  await disk.fill()
  expect((await ready()).status).toBe(200)
  expect((await desk.book(slot, { buyer })).status).toBe(503)
  for (let times = 0; times < 2; times++) {
    const { status, body } = await ready()
    expect([status, body.detail]).toEqual([503, 'The disk of the database is full: it accepts no changes.'])
  }
  await disk.makeRoom()
  expect((await ready()).status).toBe(200)
  expect((await desk.book(slot, { buyer })).status).toBe(201)
})

test('[a full disk] a server without calls is not ready either', async () => {
  await disk.fill()
  const quiet = await testShop(businessWith([service('svc_one')]), { databaseUrl })
  const { status, body } = await quiet.raw({ method: 'GET', url: '/readyz' })
  expect([status, body.detail]).toEqual([503, 'The disk of the database is full: it accepts no changes.'])
  await disk.makeRoom()
  expect((await quiet.raw({ method: 'GET', url: '/readyz' })).status).toBe(200)
})

test('[a full disk] a command that finds no room says so, and not that the database is gone', async () => {
  const full = fullDisk(databaseUrl, 'insert on staff')
  await full.fill()
  const adding = usp(['staff', 'add', 'Ann'], { DATABASE_URL: databaseUrl })
  expect(await adding.ended).toBe(1)
  expect(adding.output()).toBe(
    'The disk of the database is full. Free disk space (deploy/drills.md describes how), then try again.\n',
  )
  await full.makeRoom()
})
