import { randomBytes } from '../../util/random-bytes.ts'

/** What one question brings, written out once for some two hundred ids. */
const SUPPLY = 4_096

let supply = ''

/** So many hexadecimal digits, none of them given out twice. */
export function randomHex(digits: number): string {
  if (supply.length < digits) supply = randomBytes(SUPPLY).toString('hex')
  const given = supply.slice(0, digits)
  supply = supply.slice(digits)
  return given
}
