/** `node --import ./test/support/shifted-clock.ts` shifts the clock of the process by CLOCK_SHIFT milliseconds. */
const shift = Number(process.env.CLOCK_SHIFT)
const Right = Date

class Shifted extends Right {
  constructor(...given: [] | [number | string | Date]) {
    super(given.length === 0 ? Right.now() + shift : given[0])
  }
  static override now() {
    return Right.now() + shift
  }
}
Object.assign(globalThis, { Date: Shifted })
