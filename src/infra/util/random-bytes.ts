import { randomBytes as fromSystem } from 'node:crypto'

/** What one question to the system brings: hundreds of ids take it as long as one. */
const SUPPLY = 4_096

let supply: Buffer = Buffer.alloc(0)

/** So many bytes that nobody can guess, none of them given out twice. */
export function randomBytes(count: number): Buffer {
  if (supply.length < count) supply = fromSystem(Math.max(SUPPLY, count))
  const given = supply.subarray(0, count)
  supply = supply.subarray(count)
  return given
}
