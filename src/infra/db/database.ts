import {
  DefaultConnectionProvider,
  DefaultQueryExecutor,
  Kysely,
  type KyselyProps,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type Transaction,
} from 'kysely'
import { ConnectionPool } from './connection-pool.ts'
import type { DB } from './schema.generated.ts'

export type Database = Kysely<DB>
export type Tx = Transaction<DB>

export class OpenDatabase extends Kysely<DB> {
  readonly driver: ConnectionPool
  readonly props: KyselyProps

  constructor(driver: ConnectionPool) {
    const [compiler, adapter] = [new PostgresQueryCompiler(), new PostgresAdapter()]
    const dialect = {
      createDriver: () => driver,
      createAdapter: () => adapter,
      createQueryCompiler: () => compiler,
      createIntrospector: (db: Kysely<unknown>) => new PostgresIntrospector(db),
    }
    const executor = new DefaultQueryExecutor(compiler, adapter, new DefaultConnectionProvider(driver))
    const props = { config: { dialect }, dialect, driver, executor }
    super(props)
    this.driver = driver
    this.props = props
  }
}

interface Options {
  /** The name of the connections, which PostgreSQL shows in the view `pg_stat_activity`. */
  name?: string
  assertChangesAllowed?: () => void
  keepIdle?: boolean
  isForReading?: boolean
}

/**
 * The name that a running server gives its database connections. Some commands need all servers to be stopped, and
 * search for connections with this name.
 */
export const SERVER_APPLICATION_NAME = 'usp-server serving'

export const openDatabase = (
  url: string,
  connections: number,
  onError: (error: Error) => void,
  { name = 'usp-server', assertChangesAllowed = () => {}, keepIdle = true, isForReading = false }: Options = {},
): OpenDatabase =>
  new OpenDatabase(
    new ConnectionPool({
      url,
      name,
      connections,
      onError,
      assertChangesAllowed: assertChangesAllowed,
      keepIdle,
      isForReading,
    }),
  )

export function onlyRow<Row>({ rows: [row] }: { rows: Row[] }): Row {
  if (row === undefined) throw new Error('A statement that always returns a row returned none')
  return row
}
