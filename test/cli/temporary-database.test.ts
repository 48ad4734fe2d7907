import { expect, inject, test } from 'vitest'
import { withScratchDatabase } from '../../src/cli/temporary-database.ts'
import { withClient } from '../../src/core/backup/open-backup-connection.ts'
import { missing, startPgbouncer } from '../support/pgbouncer.ts'

test.skipIf(missing)(
  `[a backup is checked by restoring it] behind a pooler that does not know of the scratch database it says what to set${missing}`,
  async () => {
    const url = inject('superuser')
    const pooled = await startPgbouncer(url)
    const work = (scratch: string) => withClient(scratch, (client) => client.query('select 1'))
    await expect(withScratchDatabase(pooled, work)).rejects.toThrow(/DATABASE_DIRECT_URL/)
    const left = await withClient(url, (client) =>
      client.query("select from pg_database where datname like 'usp_check_%'"),
    )
    expect(left.rows).toEqual([])
  },
)
