import { diag } from '@opentelemetry/api'
import { getNumberFromEnv } from '@opentelemetry/core'

/** The value of an OpenTelemetry variable, or the default. Warns about an unusable value. */
export function wholeNumber<Usual extends number | undefined>(
  name: string,
  least: number,
  usual: Usual,
): number | Usual {
  const said = getNumberFromEnv(name)
  if (said === undefined) return usual
  if (Number.isSafeInteger(said) && said >= least) return said
  const instead = usual === undefined ? 'ignoring it' : `defaulting to ${usual}`
  diag.warn(`${name}=${said} is not a whole number of at least ${least}, ${instead}.`)
  return usual
}
