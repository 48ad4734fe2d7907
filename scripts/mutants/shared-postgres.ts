import pg from 'pg'
import { startPostgres } from '../../test/support/postgres.ts'

/** One PostgreSQL for all runs: starting one takes longer than most tests. */
export async function sharedPostgres(folder: string) {
  const { postgres, superuser, stop } = await startPostgres(folder)
  return {
    stop,
    /** The environment for tests: the address of this PostgreSQL, and the prefix of database names. */
    envFor: (prefix: string) => ({
      USP_TEST_POSTGRES: postgres,
      USP_TEST_SUPERUSER: superuser,
      USP_TEST_PREFIX: prefix,
    }),
    async drop(prefix: string): Promise<void> {
      const admin = new pg.Client(superuser)
      await admin.connect()
      const databases = await admin.query<{ name: string }>(
        'select quote_ident(datname) as name from pg_database where starts_with(datname, $1)',
        [`${prefix}_`],
      )
      for (const { name } of databases.rows) await admin.query(`drop database if exists ${name} with (force)`)
      await admin.end()
    },
  }
}
