import pg from 'pg'
import { startPostgres } from '../../test/support/postgres.ts'

/** Starts one PostgreSQL for all test runs, because a start takes longer than most tests. */
export async function sharedPostgres(folder: string) {
  const { postgres, superuser, stop } = await startPostgres(folder)
  return {
    stop,
    /** Returns the environment variables for tests: the address of this PostgreSQL, and a prefix for database names. */
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
