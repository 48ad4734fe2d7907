import { diag } from '@opentelemetry/api'
import { getNumberFromEnv } from '@opentelemetry/core'

/** What one of OpenTelemetry's variables says; as is usual where it says nothing, or what cannot be meant, which is told. */
export function wholeNumber<Usual extends number | undefined>(
  name: string,
  least: number,
  usual: Usual,
): number | Usual {
  const said = getNumberFromEnv(name)
  if (said === undefined) return usual
  if (Number.isSafeInteger(said) && said >= least) return said
  const instead = usual === undefined ? 'leaving it' : `defaulting to ${usual}`
  diag.warn(`${name}=${said} is no whole number from ${least} on, ${instead}.`)
  return usual
}
