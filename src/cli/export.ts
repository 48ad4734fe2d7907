import { isEmail } from '../basics/email-address.ts'
import { PlainError } from '../basics/plain-error.ts'
import { exportBuyer } from '../desk/people/export-buyer.ts'
import { connect } from './open.ts'
import { parsed } from './parsed.ts'

const USAGE = 'Usage: npm run usp -- export --buyer EMAIL > FILE'

/** Whoever asks what is known of them is to have it as data. */
export async function run(args: string[]) {
  const email = read(args)
  const { db, clock, close } = await connect({ logTo: process.stderr, schema: 'known' })
  try {
    console.log(JSON.stringify(await exportBuyer(db, email, clock()), null, 2))
  } finally {
    await close()
  }
}

function read(args: string[]): string {
  const { buyer } = parsed({ args, options: { buyer: { type: 'string' } } }, USAGE).values
  if (buyer === undefined || !isEmail(buyer)) throw new PlainError(USAGE)
  return buyer
}
