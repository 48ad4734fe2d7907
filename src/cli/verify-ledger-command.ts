import { type Verified, verify } from '../core/ledger/verify-ledger.ts'
import { PlainError, USP } from '../infra/util/command-line-error.ts'
import { connect } from './open-database.ts'

export async function run(args: string[]) {
  if (args.length > 0) throw new PlainError(`Usage: ${USP} verify`)
  const { db, clock, close } = await connect()
  try {
    const verified = await verify(db, clock())
    console.log(summary(verified))
    if (verified.findings.count > 0) process.exitCode = 1
  } finally {
    await close()
  }
}

function summary({ findings: { listed, count }, claims, seats, holders, payments, charges }: Verified): string {
  const lines = [
    `Claims:   ${many(claims.entries, 'entry', 'entries')} about ${many(claims.resources, 'resource')}`,
    `Places:   ${many(seats.entries, 'entry', 'entries')} about ${many(seats.sessions, 'class', 'classes')}`,
    `Holders:  ${many(holders, 'booking, block, class or offer', 'bookings, blocks, classes and offers')} compared with their claims and places`,
    `Payments: ${many(payments, 'payment')} compared with bookings and refunds`,
    ...(charges > 0
      ? [`Charges:  ${many(charges, 'charge')} of UCP checkouts compared with bookings and payments`]
      : []),
  ]
  if (count === 0)
    return [...lines, 'No instant was ever claimed twice, no class was ever overfull, and no money is missing.'].join(
      '\n',
    )
  const rest = count > listed.length ? [`  and ${many(count - listed.length, 'more', 'more')}`] : []
  return [...lines, `${many(count, 'fault')}:`, ...listed.map((text) => `  ${text}`), ...rest].join('\n')
}

const many = (count: number, one: string, more = `${one}s`) =>
  `${count.toLocaleString('en')} ${count === 1 ? one : more}`
