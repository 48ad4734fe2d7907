import {
  type AttemptRow,
  attemptsOf,
  type DeliveryRow,
  deliveriesReplay,
  deliveryFind,
  deliveryList,
  replayGivenUp,
} from '../core/events/deliveries/delivery-queries.ts'
import { STATUSES } from '../core/events/deliveries/delivery-response.ts'
import type { Database, OpenDatabase } from '../infra/db/database.ts'
import { runUnitOfWork } from '../infra/db/run-unit-of-work.ts'
import { PlainError, USP } from '../infra/util/command-line-error.ts'
import { changeInBatches } from '../protocol/change-in-batches.ts'
import { table } from './format-table.ts'
import { connect } from './open-database.ts'
import { parseArguments } from './parse-arguments.ts'

const USAGE = `Usage: ${USP} events list [--status ${STATUSES.join('|')}] [--receiver RECEIVER] [--subject SUBJECT]
       ${USP} events show ID
       ${USP} events replay ID
       ${USP} events replay --since 2026-11-20T09:00:00Z [--receiver RECEIVER]`

const text = { type: 'string' } as const
const options = { status: text, receiver: text, subject: text, since: text }

const SHOWN = 100

export async function run(args: string[]) {
  const command = commandOf(args)
  const { db, clock, close } = await connect()
  try {
    console.log(await command(db, clock()))
  } finally {
    await close()
  }
}

function commandOf(args: string[]): (db: OpenDatabase, now: Date) => Promise<string> {
  const { values, positionals } = parseArguments({ args, allowPositionals: true, options }, USAGE)
  const [action, id, ...more] = positionals
  const { status, receiver, subject } = values
  const since = values.since === undefined ? undefined : new Date(values.since)
  const isKnown = status === undefined || STATUSES.some((one) => one === status)
  if (more.length > 0 || !isKnown || Number.isNaN(since?.getTime() ?? 0)) throw new PlainError(USAGE)
  if (action === 'list' && id === undefined)
    return async (db) =>
      table((await deliveryList(db, { status, receiver, subject, before: undefined, limit: SHOWN })).map(listed))
  if (action === 'show' && id !== undefined) return (db) => shown(db, id)
  if (action === 'replay' && id !== undefined && since === undefined)
    return async (db, now) => sentAgain(await deliveriesReplay(db, [id], now))
  if (action === 'replay' && id === undefined && since !== undefined)
    return async (db, now) =>
      sentAgain(await changeInBatches((work) => runUnitOfWork(db, work), replayGivenUp({ since, receiver }, now)))
  throw new PlainError(USAGE)
}

const sentAgain = ({ length }: readonly string[]) => `${length} sent again.`

const listed = ({ id, event, subject, receiver, status, attempts, at }: DeliveryRow) => ({
  id,
  event,
  subject,
  receiver,
  status,
  attempts,
  at: at.toISOString(),
})

async function shown(db: Database, id: string): Promise<string> {
  const [delivery, attempts] = await Promise.all([deliveryFind(db, id), attemptsOf(db, id)])
  if (!delivery) throw new PlainError(`There is no delivery ${id}. See: ${USP} events list`)
  const { event_id, next_at } = delivery
  const next = delivery.status === 'waiting' ? { next: next_at.toISOString() } : {}
  return `${table([{ ...listed(delivery), event_id, ...next }])}\n\n${table(attempts.map(attempted))}`
}

const attempted = ({ at, status, milliseconds, problem }: AttemptRow) => ({
  at: at.toISOString(),
  answer: status ?? 'none',
  milliseconds,
  problem: problem ?? '',
})
