import { parseArgs } from 'node:util'
import { deliveriesReplay, deliveryList } from '../events/delivery-queries.ts'
import { PlainError } from '../plain-error.ts'
import { connect } from './open.ts'
import { table } from './table.ts'

const USAGE = `Usage: npm run usp -- events list [--status waiting|delivered|given_up] [--receiver WHO]
       npm run usp -- events replay ID
       npm run usp -- events replay --since 2026-11-20T09:00:00Z [--receiver WHO]`

const SHOWN = 100

export async function run(args: string[]) {
  const { values, positionals } = parsed(args)
  const [action, id] = positionals
  const { status, receiver } = values
  const since = values.since === undefined ? undefined : new Date(values.since)
  if (since && Number.isNaN(since.getTime())) throw new PlainError(USAGE)
  if (action !== 'list' && (action !== 'replay' || (id === undefined) === (since === undefined)))
    throw new PlainError(USAGE)
  const { db, close } = await connect()
  try {
    if (action === 'list') {
      const rows = await deliveryList(db, { status, receiver, subject: undefined, before: undefined, limit: SHOWN })
      console.log(
        table(
          rows.map(({ id, event, subject, receiver, status, attempts, at }) => ({
            id,
            event,
            subject,
            receiver,
            status,
            attempts,
            at,
          })),
        ),
      )
    } else console.log(`${await deliveriesReplay(db, { id, since, receiver }, new Date())} sent again.`)
  } finally {
    await close()
  }
}

function parsed(args: string[]) {
  try {
    const text = { type: 'string' } as const
    return parseArgs({ args, allowPositionals: true, options: { status: text, receiver: text, since: text } })
  } catch {
    throw new PlainError(USAGE)
  }
}
