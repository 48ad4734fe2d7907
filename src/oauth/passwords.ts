import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'

/** As slow as one may ask a buyer to wait; each hash says how it was made, so that this can be raised. */
const COST = { N: 2 ** 15, r: 8, p: 3 }
const BYTES = 32

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const key = await derive(password, salt, COST)
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64url'), key.toString('base64url')].join('$')
}

export async function isPassword(password: string, stored: string): Promise<boolean> {
  const [, N, r, p, salt = '', key = ''] = stored.split('$')
  const expected = Buffer.from(key, 'base64url')
  const found = await derive(password, Buffer.from(salt, 'base64url'), { N: Number(N), r: Number(r), p: Number(p) })
  return timingSafeEqual(found, expected)
}

/** The same letters are the same password, however a keyboard composes them. */
const derive = (password: string, salt: Buffer, cost: ScryptOptions): Promise<Buffer> =>
  new Promise((done, failed) => {
    const maxmem = 256 * (cost.N ?? 0) * (cost.r ?? 0)
    scrypt(password.normalize('NFKC'), salt, BYTES, { ...cost, maxmem }, (error, key) =>
      error ? failed(error) : done(key),
    )
  })
