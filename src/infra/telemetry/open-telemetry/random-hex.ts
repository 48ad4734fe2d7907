import { randomBytes } from '../../util/random-bytes.ts'

/** Bytes of one call to the random generator: enough for some two hundred ids. */
const SUPPLY_BYTES = 4_096

let supply = ''

/** Random hexadecimal digits. Each supplied digit is used once. */
export function randomHex(digits: number): string {
  if (supply.length < digits) supply = randomBytes(SUPPLY_BYTES).toString('hex')
  const given = supply.slice(0, digits)
  supply = supply.slice(digits)
  return given
}
