import { isPhoneNumber } from '../core/business/contact-channels.ts'
import { type DataSubject, exportBuyer } from '../domain/desk/people/export-buyer.ts'
import { PlainError, USP } from '../infra/util/command-line-error.ts'
import { isEmail } from '../infra/util/email-address.ts'
import { connect } from './open-database.ts'
import { parseArguments } from './parse-arguments.ts'

const USAGE = `Usage: ${USP} export --buyer EMAIL|NUMBER > FILE

A telephone number finds only people who gave no mail address. Find all others by their address.`

export async function run(args: string[]) {
  const subject = read(args)
  const { db, clock, close } = await connect({ logTo: process.stderr, schema: 'known' })
  try {
    console.log(JSON.stringify(await exportBuyer(db, subject, clock()), null, 2))
  } finally {
    await close()
  }
}

function read(args: string[]): DataSubject {
  const { buyer = '' } = parseArguments({ args, options: { buyer: { type: 'string' } } }, USAGE).values
  if (isEmail(buyer)) return { email: buyer }
  if (isPhoneNumber(buyer)) return { phone_number: buyer }
  throw new PlainError(USAGE)
}
