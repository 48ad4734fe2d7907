import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { checkSettings, refuseUnclearMode } from '../../src/cli/check-settings.ts'
import { startTracing } from '../../src/cli/start-tracing.ts'
import { readConfig } from '../../src/infra/config/read-config.ts'
import { openDatabase } from '../../src/infra/db/database.ts'
import { freshDatabase } from '../support/database.ts'
import { freePort } from '../support/process.ts'

const folder = mkdtempSync(join(tmpdir(), 'usp-settings-'))
afterAll(() => rmSync(folder, { recursive: true }))
const databaseUrl = await freshDatabase()

function opened(url: string) {
  const db = openDatabase(url, 2, () => {})
  onTestFinished(() => db.destroy())
  return db
}

const warningsOf = (env: NodeJS.ProcessEnv, standbyUrl?: string) =>
  checkSettings(readConfig(env), { db: opened(databaseUrl), standby: standbyUrl ? opened(standbyUrl) : undefined })

test('[settings] an https BASE_URL without USP_MODE does not start, for development asks for no proof', () => {
  const BASE_URL = 'https://book.example'
  for (const env of [{ BASE_URL }, { BASE_URL, USP_MODE: '' }])
    expect(() => refuseUnclearMode(env)).toThrow('Set USP_MODE=production')
  for (const env of [{}, { BASE_URL: 'http://book.example' }, { BASE_URL: 'https://localhost:8443' }])
    expect(() => refuseUnclearMode(env)).not.toThrow()
  for (const USP_MODE of ['production', 'development'])
    expect(() => refuseUnclearMode({ BASE_URL, USP_MODE })).not.toThrow()
})

test('[settings] what is right is not warned of', async () => {
  const file = join(folder, 'business.yaml')
  writeFileSync(file, '')
  const env = { USP_BUSINESS_FILE: file, USP_BACKUP_DIR: join(folder, 'made', 'backups') }
  expect(await warningsOf(env, databaseUrl)).toEqual([])
  expect(readdirSync(env.USP_BACKUP_DIR), 'the folder is made, and nothing stays in it').toEqual([])
})

test('[settings] a USP_BUSINESS_FILE that is not there is warned of, also where a business is set up', async () => {
  const USP_BUSINESS_FILE = join(folder, 'none.yaml')
  expect(await warningsOf({ USP_BUSINESS_FILE })).toEqual([
    expect.stringContaining(`USP_BUSINESS_FILE ${USP_BUSINESS_FILE} cannot be read (ENOENT)`),
  ])
})

test('[settings] a USP_BACKUP_DIR that cannot be written to is warned of at the start', async () => {
  const file = join(folder, 'a-file')
  writeFileSync(file, '')
  const USP_BACKUP_DIR = join(file, 'backups')
  expect(await warningsOf({ USP_BACKUP_DIR })).toEqual([
    expect.stringContaining(
      `USP_BACKUP_DIR ${USP_BACKUP_DIR} cannot be used (ENOTDIR), so the server takes no backups.`,
    ),
  ])
})

test('[settings] a DATABASE_POOL above what PostgreSQL has is warned of, but not through a pooler', async () => {
  const [warning] = await warningsOf({ DATABASE_POOL: '500' })
  expect(warning).toMatch(/^DATABASE_POOL is 500, so this server may open 751 connections, but PostgreSQL allows \d+\./)
  expect(await warningsOf({ DATABASE_POOL: '500', DATABASE_DIRECT_URL: databaseUrl })).toEqual([])
})

test('[settings] a DATABASE_READ_URL where nobody answers is warned of, and one to another database is refused', async () => {
  const [warning] = await warningsOf({}, `postgres://usp:pw@127.0.0.1:${await freePort()}/usp`)
  expect(warning).toContain('DATABASE_READ_URL is not used at present (no standby answers there)')
  await expect(warningsOf({}, await freshDatabase())).rejects.toThrow(
    'DATABASE_READ_URL leads to a database that is not a standby',
  )
})

test.each(['collector:4318', 'grpc://collector:4317', '127.0.0.1:4318', 'http://'])(
  '[settings] an OTLP endpoint %s is refused, and not repeated',
  async (endpoint) => {
    for (const name of ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'])
      await expect(startTracing({ [name]: endpoint }, { warn() {} })).rejects.toThrow(
        `${name} is not usable: set it to an address such as http://127.0.0.1:4318.`,
      )
  },
)
