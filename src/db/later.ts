import { CompiledQuery, type Insertable } from 'kysely'
import { isRefusal, KEPT, LAST } from './connection.ts'
import type { Database } from './database.ts'
import type { DB } from './schema.generated.ts'

/** Something that must be true for a transaction to take effect, by the function of the database that knows. */
interface Demand {
  name: string
  values: readonly unknown[]
  /** What the caller is told then; the function may have something to say. */
  refusal(said: string): Error
}

/** What a transaction has yet to write and to demand. */
interface Rest {
  /** By the statement they will be part of: of which table and columns they are. */
  rows: Map<string, Record<string, unknown>[]>
  demands: Demand[]
}

const nothing = (): Rest => ({ rows: new Map(), demands: [] })

/** Of one table in one statement: each number of them is a statement that the connection keeps. */
const MOST_ROWS = 20

const rests = new WeakMap<Database, Rest>()

/** From now on what is written and demanded later waits for `writeNow`; whoever reads it or refers to it calls that first. */
export const writeTogether = (tx: Database): void => void rests.set(tx, nothing())

/** From now on everything is done at once. */
export async function writeAtOnce(tx: Database): Promise<void> {
  await writeNow(tx)
  rests.delete(tx)
}

export const writesTogether = (tx: Database): boolean => rests.has(tx)

/** Inserts a row, at the end of a transaction that writes together, and elsewhere at once. */
export async function writeLater<T extends keyof DB & string>(tx: Database, table: T, row: Insertable<DB[T]>) {
  const rest = rests.get(tx) ?? nothing()
  const into = `"${table}" (${Object.keys(row).map((column) => `"${column}"`)})`
  const rows = rest.rows.get(into) ?? []
  rows.push(row)
  rest.rows.set(into, rows)
  if (!rests.has(tx)) await send(tx, rest, '')
  else if (rows.length === MOST_ROWS) await writeNow(tx)
}

/** Demands likewise. What is refused ends the transaction, here or at its end. */
export async function demandLater(tx: Database, demand: Demand): Promise<void> {
  const rest = rests.get(tx)
  if (rest) rest.demands.push(demand)
  else await send(tx, { ...nothing(), demands: [demand] }, '')
}

/** Writes and demands what has gathered. */
export async function writeNow(tx: Database): Promise<void> {
  await sendGathered(tx, '')
}

/** Likewise, as the last that is done in the transaction: where it is the only thing too, that takes no further calls. */
export async function writeLast(tx: Database): Promise<void> {
  await sendGathered(tx, LAST)
}

async function sendGathered(tx: Database, mark: string) {
  const rest = rests.get(tx) ?? nothing()
  if (rest.rows.size === 0 && rest.demands.length === 0) return
  rests.set(tx, nothing())
  await send(tx, rest, mark)
}

/** Everything in one statement. Rows of one table keep their order. */
async function send(tx: Database, { rows, demands }: Rest, mark: string) {
  const values: unknown[] = []
  const list = (all: readonly unknown[]) => `(${all.map((value) => `$${values.push(value)}`)})`
  const inserts = [...rows].map(([into, some], index) => {
    return `w${index} as (insert into ${into} values ${some.map((row) => list(Object.values(row)))})`
  })
  const calls = demands.map(
    ({ name, values: given }) => `case when ${name}${list(given)} then true else refuse('${name}') end`,
  )
  const text = `${inserts.length > 0 ? `with ${inserts} ` : ''}select ${calls} ${mark}${KEPT}`
  await tx.executeQuery(CompiledQuery.raw(text, values)).catch((error: unknown) => {
    const demand = isRefusal(error) && demands.find(({ name }) => name === error.message)
    throw demand ? demand.refusal(error.detail ?? '') : error
  })
}
