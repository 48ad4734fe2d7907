import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** Whether generated tests run all that they were generated for. */
    whole: boolean
  }
}

/** A prime, so that no row of a table is left out whatever the table is crossed with. */
const ONE_OF = 7

/** Of how many generated cases one is run: of all of them in `npm run test:long`. */
export const oneOf = () => (inject('whole') ? 1 : ONE_OF)

/** Some rows of each table it is given, one at least and every time others: of each thing that a table is crossed with there are some. */
export function sampling() {
  let asked = 0
  return <Row>(rows: readonly Row[]): Row[] => {
    const skipped = asked++
    const some = rows.filter((_, nth) => (nth + skipped) % oneOf() === 0)
    return some.length > 0 ? some : rows.slice(skipped % rows.length).slice(0, 1)
  }
}
