import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { docker, findDockerProblem, measureOwnLayers } from './docker.ts'
import { bookAt } from './image-bookings.ts'
import { type ImageSetUp, openImageSetUp } from './image-set-up.ts'
import { openHangingRequest } from './open-hanging-request.ts'
import { waitUntilReady } from './wait-until-ready.ts'

const MAX_OWN_MB = 90
const MAX_START_SECONDS = 3
const STARTS = 3
const MINUTE_MS = 60_000
const BACKUP = '/var/backups/usp/test.backup'

const problem = await findDockerProblem()
/** Whether these tests must run, and run alone. */
const isRequired = process.env.IMAGE === 'all'

describe.skipIf(problem !== undefined && !isRequired)(
  'the image, as docker-compose.yml runs it',
  { timeout: 5 * MINUTE_MS },
  () => {
    let setUp: ImageSetUp
    let bookings: Awaited<ReturnType<typeof bookAt>>
    let cleanUp = async () => {}

    beforeAll(async () => {
      if (problem !== undefined) throw new Error(problem)
      setUp = await openImageSetUp((it) => {
        cleanUp = it
      })
      await setUp.startServer()
      bookings = await bookAt(setUp)
    }, 25 * MINUTE_MS)
    afterAll(() => cleanUp(), 5 * MINUTE_MS)

    const inServer = (...command: string[]) => docker(['exec', setUp.nameOf('server'), ...command])
    const secondsSince = (begun: number) => (performance.now() - begun) / 1_000

    test(`our layers take at most ${MAX_OWN_MB} MB, and contain the program but not its sources`, async () => {
      const megabytes = (await measureOwnLayers(setUp.image)) / 1e6
      console.log(`The image adds ${megabytes.toFixed(1)} MB to its base image.`)
      expect(megabytes).toBeLessThanOrEqual(MAX_OWN_MB)
      expect(await inServer('usp', '--version')).toBe(manifest.version)
      // No file is TypeScript, and no symbolic link is broken.
      expect(await inServer('find', '/app', '-name', '*.ts', '-o', '-xtype', 'l')).toBe('')
    })

    test('the server runs as a user who can change no file of the image', async () => {
      expect(await inServer('id', '-u')).toBe('1000')
      expect(await inServer('find', '/app', '!', '-user', 'root')).toBe('')
      await expect(inServer('touch', '/app/file')).rejects.toThrow('Read-only file system')
    })

    test('public operations, a booking and the pages work through the published port', async () => {
      const { caller, book, expectAllStored } = bookings
      // Each of these reads its files from another folder of the package.
      for (const path of ['/.well-known/usp', '/book', '/desk', '/docs', '/docs/api', '/assets/pages.js'])
        expect([path, await caller.statusOf(path)]).toEqual([path, 200])
      expect((await caller.post('/services/list', {})).body.services).toHaveLength(1)
      expect(await caller.slots()).not.toEqual([])
      expect((await book()).status).toBe(201)
      await expectAllStored()
      const health = () => docker(['inspect', '--format', '{{.State.Health.Status}}', setUp.nameOf('server')])
      await expect.poll(health, { interval: 1_000 }).toBe('healthy')
    })

    // Beside other tests, the start takes longer.
    test.runIf(isRequired)(`a warm start is ready within ${MAX_START_SECONDS} s`, async () => {
      const seconds: number[] = []
      for (let nth = 0; nth < STARTS; nth++) {
        await setUp.stopServer()
        await setUp.removeServer()
        const begun = performance.now()
        await setUp.startServer()
        seconds.push(secondsSince(begun))
      }
      console.log(`New containers were ready after ${seconds.map((one) => one.toFixed(2)).join(', ')} s.`)
      const median = seconds.toSorted((a, b) => a - b)[Math.floor(STARTS / 2)]
      expect(median).toBeLessThanOrEqual(MAX_START_SECONDS)
    })

    test('SIGTERM ends the server with code 0 within its grace time, although a request never ends', () =>
      bookings.whileBooking(async () => {
        const hanging = await openHangingRequest(setUp.origin)
        const begun = performance.now()
        expect(await setUp.stopServer()).toBe(0)
        expect(secondsSince(begun)).toBeLessThan(setUp.graceSeconds)
        hanging.destroy()
        await docker(['start', setUp.nameOf('server')])
        await waitUntilReady(setUp.origin)
      }))

    test('a new container replaces the old one under load, and no acknowledged booking is lost', () =>
      bookings.whileBooking(async () => {
        expect(await setUp.stopServer()).toBe(0)
        await setUp.removeServer()
        await setUp.startServer()
      }))

    test('kill -9 loses no acknowledged booking', () =>
      bookings.whileBooking(async () => {
        await docker(['kill', '--signal', 'KILL', setUp.nameOf('server')])
        await docker(['start', setUp.nameOf('server')])
        await waitUntilReady(setUp.origin)
      }))

    test('without its database, the server answers 503 with Retry-After; later it works again', async () => {
      const key = randomUUID()
      await docker(['kill', '--signal', 'KILL', setUp.nameOf('database')])
      const refused = await bookings.book(key)
      expect(refused.status).toBe(503)
      expect(refused.retryAfter).toBeGreaterThan(0)
      expect(await bookings.caller.statusOf('/readyz')).toBe(503)
      await docker(['start', setUp.nameOf('database')])
      await setUp.waitForDatabase()
      await waitUntilReady(setUp.origin)
      expect((await bookings.book(key)).status).toBe(201)
      await bookings.expectAllStored()
    })

    test('a backup that the server makes can be restored, and the ledger is correct', async () => {
      await inServer('usp', 'backup', BACKUP)
      await setUp.sql('create database restored', 'postgres')
      const restored = { DATABASE_NAME: 'restored' }
      expect(await setUp.runCommand(['usp', 'restore', BACKUP], restored)).toContain('is restored')
      await bookings.expectAllStored('restored')
      for (const settings of [{}, restored])
        expect(await setUp.runCommand(['usp', 'verify'], settings)).toContain('No instant was ever claimed twice')
    })
  },
)
