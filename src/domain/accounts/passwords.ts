import { randomBytes, type ScryptOptions, scrypt } from 'node:crypto'
import { limitConcurrency } from '../../infra/util/concurrency-limit.ts'
import { ProtocolError } from '../../protocol/errors.ts'

/** As slow as one may ask a buyer to wait; each salt says how it is used, so that this can be raised. */
const COST = { N: 2 ** 15, r: 8, p: 3 }
const BYTES = 32
/** At the same time: each keeps one of four threads busy, and the others are for whoever proves by a signature who calls. */
const inTurn = limitConcurrency(2)
/** With more, the last would wait longer than anybody does. */
const MOST = 24
const RETRY_AFTER = 5

let underway = 0

export const newSalt = (): string => ['scrypt', COST.N, COST.r, COST.p, randomBytes(16).toString('base64url')].join('$')

/** The same password under the same salt is the same text. */
export async function hashPassword(password: string, salted: string): Promise<string> {
  if (underway >= MOST)
    throw new ProtocolError('service_unavailable', 'Too many sign in at this moment.', { retryAfter: RETRY_AFTER })
  const [, N, r, p, salt = ''] = salted.split('$')
  const cost = { N: Number(N), r: Number(r), p: Number(p) }
  underway++
  try {
    const key = await inTurn(() => derive(password, Buffer.from(salt, 'base64url'), cost))
    return `${salted}$${key.toString('base64url')}`
  } finally {
    underway--
  }
}

/** The same letters are the same password, however a keyboard composes them. */
const derive = (password: string, salt: Buffer, cost: ScryptOptions): Promise<Buffer> =>
  new Promise((done, failed) => {
    const maxmem = 256 * (cost.N ?? 0) * (cost.r ?? 0)
    scrypt(password.normalize('NFKC'), salt, BYTES, { ...cost, maxmem }, (error, key) =>
      error ? failed(error) : done(key),
    )
  })
