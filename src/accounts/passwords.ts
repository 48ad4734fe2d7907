import { randomBytes, type ScryptOptions, scrypt } from 'node:crypto'

/** As slow as one may ask a buyer to wait; each salt says how it is used, so that this can be raised. */
const COST = { N: 2 ** 15, r: 8, p: 3 }
const BYTES = 32

export const newSalt = (): string => ['scrypt', COST.N, COST.r, COST.p, randomBytes(16).toString('base64url')].join('$')

/** The same password under the same salt is the same text. */
export async function hashPassword(password: string, salted: string): Promise<string> {
  const [, N, r, p, salt = ''] = salted.split('$')
  const key = await derive(password, Buffer.from(salt, 'base64url'), { N: Number(N), r: Number(r), p: Number(p) })
  return `${salted}$${key.toString('base64url')}`
}

/** The same letters are the same password, however a keyboard composes them. */
const derive = (password: string, salt: Buffer, cost: ScryptOptions): Promise<Buffer> =>
  new Promise((done, failed) => {
    const maxmem = 256 * (cost.N ?? 0) * (cost.r ?? 0)
    scrypt(password.normalize('NFKC'), salt, BYTES, { ...cost, maxmem }, (error, key) =>
      error ? failed(error) : done(key),
    )
  })
