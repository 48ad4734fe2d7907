import { sql } from 'kysely'
import { insertAuditEntry } from '../../../core/records/audit-log.ts'
import type { Database } from '../../../infra/db/database.ts'
import type { UnitOfWork } from '../../../infra/db/unit-of-work.ts'

/**
 * The audit log lists the rows of the demo data. The transaction that creates a row also writes the entry about it, so
 * the list is complete, and nobody can change it later.
 */
const SUBJECT = 'demo data'
const STEP = 'demo step '

type Action = 'begin_demo' | 'make_demo' | 'finish_demo' | 'remove_demo'

export interface DemoData {
  /** The start of the simulation. The times of all invented bookings are relative to this time. */
  begunAt: Date
  state: 'begun' | 'finished' | 'removed'
}

export interface DemoStep {
  step: string
  /** The rows that this step of the simulation created, such as `booking bkg_1`. */
  made: string[]
}

const entry = (action: Action, detail: object, subject = SUBJECT) => ({
  actor: 'system',
  action,
  subject,
  detail,
  from: null,
  to: null,
})

export const logBegin = (tx: UnitOfWork, now: Date): void =>
  insertAuditEntry(tx, entry('begin_demo', { begun_at: now }), now)
export const logStep = (tx: UnitOfWork, { step, made }: DemoStep, now: Date): void =>
  insertAuditEntry(tx, entry('make_demo', { made }, STEP + step), now)
export const logFinish = (tx: UnitOfWork, now: Date): void => insertAuditEntry(tx, entry('finish_demo', {}), now)
export const logRemoval = (tx: UnitOfWork, actor: string, rows: number, now: Date): void =>
  insertAuditEntry(tx, { ...entry('remove_demo', { rows }), actor }, now)

/** Finds the state of the demo data. Undefined if this database never had demo data. */
export async function findDemoData(db: Database): Promise<DemoData | undefined> {
  const { rows } = await sql<{ begun_at: Date; removed: boolean; finished: boolean }>`
    select min(detail ->> 'begun_at')::timestamptz as begun_at, bool_or(action = 'remove_demo') as removed,
      bool_or(action = 'finish_demo') as finished
    from changes where subject = ${SUBJECT} having count(*) > 0`.execute(db)
  const [found] = rows
  if (!found) return undefined
  return { begunAt: found.begun_at, state: found.removed ? 'removed' : found.finished ? 'finished' : 'begun' }
}

export async function demoSteps(db: Database): Promise<DemoStep[]> {
  const { rows } = await sql<DemoStep>`
    select substr(subject, ${STEP.length + 1}) as step, detail -> 'made' as made from changes
    where action = 'make_demo' and starts_with(subject, ${STEP}) order by number`.execute(db)
  return rows
}

/** Takes a lock until the transaction ends, so that only one transaction at a time creates or removes demo data. */
export async function demoLock(tx: UnitOfWork): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${SUBJECT}, 0))`.execute(tx)
}

/** Whether the server may still run this step: it is not completed yet, and the owner has not removed the demo data. */
export async function isStepOpen(tx: UnitOfWork, step: string): Promise<boolean> {
  const { rows } = await sql`
    select from changes where subject = ${STEP + step} or subject = ${SUBJECT} and action = 'remove_demo' limit 1`.execute(
    tx,
  )
  return rows.length === 0
}
