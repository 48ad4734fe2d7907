import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** Whether generated tests run all generated cases. */
    whole: boolean
  }
}

/** A prime: combined with a table of any other size, the sample still covers every row. */
const ONE_OF = 7

/** One of this number of generated cases runs. `npm run test:long` runs all. */
export const oneOf = () => (inject('whole') ? 1 : ONE_OF)

/** Returns a part of each table, at least one row. Each call starts at another row, to cover different rows. */
export function sampling() {
  let asked = 0
  return <Row>(rows: readonly Row[]): Row[] => {
    const skipped = asked++
    const some = rows.filter((_, nth) => (nth + skipped) % oneOf() === 0)
    return some.length > 0 ? some : rows.slice(skipped % rows.length).slice(0, 1)
  }
}
