import { randomBytes as fromSystem } from 'node:crypto'

/** The bytes that one call to the operating system gets. A call costs the same for one id as for hundreds. */
const SUPPLY = 4_096

let supply: Buffer = Buffer.alloc(0)

/** Returns unpredictable bytes. Each byte is used only once. */
export function randomBytes(count: number): Buffer {
  if (supply.length < count) supply = fromSystem(Math.max(SUPPLY, count))
  const bytes = supply.subarray(0, count)
  supply = supply.subarray(count)
  return bytes
}

export const newId = (prefix: string): string => `${prefix}_${randomBytes(12).toString('base64url')}`
