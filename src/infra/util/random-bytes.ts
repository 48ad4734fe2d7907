import { randomBytes as fromSystem } from 'node:crypto'

/** The random bytes of one call to the operating system. The call costs the same for one id as for hundreds of ids. */
const SUPPLY = 4_096

let supply: Buffer = Buffer.alloc(0)

/** Returns random bytes that are unpredictable. No byte is returned twice. */
export function randomBytes(count: number): Buffer {
  if (supply.length < count) supply = fromSystem(Math.max(SUPPLY, count))
  const bytes = supply.subarray(0, count)
  supply = supply.subarray(count)
  return bytes
}

export const newId = (prefix: string): string => `${prefix}_${randomBytes(12).toString('base64url')}`
