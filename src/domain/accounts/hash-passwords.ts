import { randomBytes, type ScryptOptions, scrypt } from 'node:crypto'
import { limitConcurrency } from '../../infra/util/semaphore.ts'
import { ProtocolError } from '../../protocol/errors.ts'

/**
 * The cost parameters of the password hash function scrypt. A higher cost would make the sign-in too slow for buyers.
 * Each stored hash contains its own cost parameters. Therefore the server can use a higher cost for new hashes and
 * still check old hashes.
 */
const COST = { N: 2 ** 15, r: 8, p: 3 }
const BYTES = 32
/**
 * The server computes at most two password hashes in parallel. Each computation occupies one of the four threads in the
 * thread pool of Node.js. The other two threads stay free for signature checks.
 */
const limitHashing = limitConcurrency(2)
/**
 * The server computes or queues at most this many password hashes at a time, and refuses further sign-ins. With a
 * longer queue, the last caller would wait too long.
 */
const MAX_UNDERWAY = 24
const RETRY_AFTER = 5

let inProgress = 0

export const newSalt = (): string => ['scrypt', COST.N, COST.r, COST.p, randomBytes(16).toString('base64url')].join('$')

/**
 * Computes the hash of a password as text. The same password and salt always give the same text. Therefore the server
 * can find an account by its email address and this text.
 */
export async function hashPassword(password: string, salted: string): Promise<string> {
  if (inProgress >= MAX_UNDERWAY)
    throw new ProtocolError('service_unavailable', 'Too many sign in at this moment.', { retryAfter: RETRY_AFTER })
  const [, N, r, p, salt = ''] = salted.split('$')
  const cost = { N: Number(N), r: Number(r), p: Number(p) }
  inProgress++
  try {
    const key = await limitHashing(() => derive(password, Buffer.from(salt, 'base64url'), cost))
    return `${salted}$${key.toString('base64url')}`
  } finally {
    inProgress--
  }
}

/**
 * Derives a key from a password. Different keyboards can encode the same character differently. The Unicode
 * normalization NFKC removes these differences, so the same password gives the same key.
 */
const derive = (password: string, salt: Buffer, cost: ScryptOptions): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const maxmem = 256 * (cost.N ?? 0) * (cost.r ?? 0)
    scrypt(password.normalize('NFKC'), salt, BYTES, { ...cost, maxmem }, (error, key) =>
      error ? reject(error) : resolve(key),
    )
  })
