import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { backupsToDelete, startDailyBackup } from '../../src/core/backup/daily-backup.ts'
import { tailOf } from '../../src/core/backup/read-backup.ts'
import { lastBackupFind, lastBackupUpsert } from '../../src/core/backup/write-backup.ts'
import { recurringFind } from '../../src/core/jobs/recurring-job-queries.ts'
import { freshDatabase } from '../support/database.ts'
import { SECRET, START, testServer } from '../support/server.ts'

const folder = mkdtempSync(join(tmpdir(), 'usp-daily-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('[a backup a day] is taken by one of several servers, known of, and the oldest make room', async () => {
  const databaseUrl = await freshDatabase()
  const env = { USP_BACKUP_DIR: join(folder, 'new'), USP_BACKUP_KEEP: '2' }
  const [one, other] = [
    await testServer(undefined, { databaseUrl, env }),
    await testServer(undefined, { databaseUrl, env }),
  ]
  const servers = [one, other]
  const { db } = one.runtime
  const took: string[][] = []
  for (const day of [0, 1, 2, 3]) {
    for (const { time } of servers) time.now = new Date(START.getTime() + day * 86_400_000)
    const running = servers.map(({ runtime }) =>
      startDailyBackup(runtime, { directUrl: databaseUrl, secretKey: SECRET }),
    )
    await expect.poll(async () => (await lastBackupFind(db))?.taken_at).toEqual(one.time.now)
    await Promise.all(running.map(({ close }) => close()))
    took.push(readdirSync(env.USP_BACKUP_DIR).sort())
  }
  expect(took.map((names) => names.length)).toEqual([1, 2, 2, 2])
  const [older = '', newest = ''] = took[3] ?? []
  expect([older, newest]).toEqual(['usp-2026-11-22T12-00-00.000Z.backup', 'usp-2026-11-23T12-00-00.000Z.backup'])
  expect((await tailOf(join(env.USP_BACKUP_DIR, newest))).rows).toMatchObject({ signing_keys: 1 })
  expect(await recurringFind(db)).toMatchObject([{ job: 'back up', failures: 0, isUnderway: false }])
})

test('[a folder that cannot be used] is told of in the log, and tried again', async () => {
  const databaseUrl = await freshDatabase()
  writeFileSync(join(folder, 'file'), '')
  const { runtime, logged } = await testServer(undefined, {
    databaseUrl,
    env: { USP_BACKUP_DIR: join(folder, 'file/in') },
  })
  const running = startDailyBackup(runtime, { directUrl: databaseUrl, secretKey: SECRET })
  await expect.poll(() => logged.join('')).toContain('USP_BACKUP_DIR cannot be used (ENOTDIR)')
  await running.close()
  expect(await lastBackupFind(runtime.db)).toBeUndefined()
})

test('[a folder without room for what the last one took] is told of, and not filled to find out', async () => {
  const databaseUrl = await freshDatabase()
  const env = { USP_BACKUP_DIR: join(folder, 'small') }
  const { runtime, logged } = await testServer(undefined, { databaseUrl, env })
  await lastBackupUpsert(runtime.db, { taken_at: new Date(0), bytes: 1e15 })
  const running = startDailyBackup(runtime, { directUrl: databaseUrl, secretKey: SECRET })
  await expect
    .poll(() => logged.join(''))
    .toMatch(/USP_BACKUP_DIR has [\d,]+ MB of free disk space, but a backup needs about 1,250,000,000 MB/)
  await running.close()
  expect(readdirSync(env.USP_BACKUP_DIR)).toEqual([])
})

test('[a server that ends] waits for no backup, and the next takes it', async () => {
  const databaseUrl = await freshDatabase()
  const env = { USP_BACKUP_DIR: join(folder, 'ended') }
  const { runtime, logged } = await testServer(undefined, { databaseUrl, env })
  const source = { directUrl: databaseUrl, secretKey: SECRET }
  const client = new pg.Client(databaseUrl)
  await client.connect()
  onTestFinished(() => client.end())
  await client.query('begin; lock table bookings in access exclusive mode')
  const running = startDailyBackup(runtime, source)
  await expect.poll(() => readdirSync(env.USP_BACKUP_DIR)).toEqual([expect.stringContaining('.part-')])
  const closed = running.close()
  await client.query('commit')
  await closed
  expect(readdirSync(env.USP_BACKUP_DIR)).toEqual([])
  expect(logged.join('')).toContain('The server stopped before its backup was complete')
  expect(await recurringFind(runtime.db)).toMatchObject([{ job: 'back up', ran_at: null, isUnderway: false }])
})

test('[nothing that was put there otherwise is removed]', () => {
  const name = (day: number) => `usp-2026-11-0${day}T12-00-00.000Z.backup`
  const others = ['before-upgrade.backup', 'notes.txt', `${name(1)}.gpg`, `usp-${name(1)}`]
  expect(backupsToDelete([name(3), name(1), ...others, name(2), `${name(2)}.part-12`], 2, name(3))).toEqual([
    `${name(2)}.part-12`,
    name(1),
  ])
  expect(backupsToDelete([name(1), name(2)], 3, name(2))).toEqual([])
})

test('[a clock that was ahead] leaves backups of later, which cost none that was just taken', () => {
  const name = (day: number) => `usp-2026-11-0${day}T12-00-00.000Z.backup`
  const later = ['usp-2031-01-01T00-00-00.000Z.backup', 'usp-2031-01-02T00-00-00.000Z.backup']
  expect(backupsToDelete([...later, name(1), name(2), name(3)], 2, name(3))).toEqual([name(1)])
  expect(backupsToDelete([...later, name(1)], 2, name(1))).toEqual([])
})
