import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { addStaff } from '../../src/core/authentication/staff-members.ts'
import { restoreBackup } from '../../src/core/backup/restore-backup.ts'
import { writeBackup } from '../../src/core/backup/write-backup.ts'
import { verify } from '../../src/core/ledger/verify-ledger.ts'
import { fillEveryTable } from '../backup/rows-of-every-table.ts'
import { livedIn } from '../desk/lived-in.ts'
import { freshDatabase } from '../support/database.ts'
import { SECRET, testServer } from '../support/server.ts'

/** For each release, the backup that the release wrote of a database with rows in every table. */
const folder = join(import.meta.dirname, 'releases')
const secretKeys = [SECRET]

/** CONTRIBUTING.md says when to write the backup of a release. */
const kept = process.env.USP_KEEP_RELEASE

test.runIf(kept)(`the backup of ${kept} is written`, async () => {
  const { databaseUrl } = await livedIn()
  await fillEveryTable(databaseUrl)
  await writeBackup(databaseUrl, join(folder, `${kept}.backup`), { secretKey: SECRET, passphrase: undefined })
})

test.each(readdirSync(folder))(
  '[a database of a release] %s: this version keeps each row, and serves it',
  async (name) => {
    const databaseUrl = await freshDatabase({ migrated: false })
    const { rows } = await restoreBackup(databaseUrl, join(folder, name), { secretKeys })
    const server = await testServer(undefined, { databaseUrl })
    const { db } = server.runtime
    const counted = await Promise.all(
      Object.keys(rows).map(async (table) => {
        const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${sql.table(table)}`.execute(
          db,
        )
        return [table, rows[0]?.count]
      }),
    )
    // A start of the new version adds its migrations to their list, and nothing else.
    expect({ ...Object.fromEntries(counted), migrations: 0 }).toEqual({ ...rows, migrations: 0 })
    expect((await verify(db, server.time.now)).findings).toEqual({ listed: [], count: 0 })

    const authorization = `Bearer ${await addStaff(db, 'Manager', 'manager', server.time.now)}`
    const { bookings } = (await server.rest('POST', '/business/bookings/list', {}, { authorization })).body
    expect(bookings.length).toBeGreaterThan(3)
    const { services } = (await server.rest('POST', '/services/list', {})).body
    expect(services.length).toBeGreaterThan(3)
  },
)
