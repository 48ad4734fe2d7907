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
import { PostgresConnections } from './driver.ts'
import type { DB } from './schema.generated.ts'

export type Database = Kysely<DB>
export type Tx = Transaction<DB>

/** The database that a process has opened: where changes begin. */
export class OpenDatabase extends Kysely<DB> {
  readonly driver: PostgresConnections
  readonly props: KyselyProps

  constructor(driver: PostgresConnections) {
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
  /** As whom it is known to PostgreSQL. */
  name?: string
  mayBegin?: () => void
  keepIdle?: boolean
  isForReading?: boolean
}

/** A server is known by it from its first moment on, to whoever may not do something beside one. */
export const SERVING = 'usp-server serving'

export const openDatabase = (
  url: string,
  connections: number,
  onError: (error: Error) => void,
  { name = 'usp-server', mayBegin = () => {}, keepIdle = true, isForReading = false }: Options = {},
): OpenDatabase =>
  new OpenDatabase(new PostgresConnections({ url, name, connections, onError, mayBegin, keepIdle, isForReading }))
