import type { Localizer } from '../../infra/i18n/localizer.ts'
import type { Plan } from './plan.ts'
import type { AvailabilityRequest, Reason } from './reasons.ts'
import { namedResources } from './time-slot.ts'

export function reasonText(
  { say, locale }: Localizer,
  plan: Plan,
  code: Reason,
  { resource }: Pick<AvailabilityRequest, 'resource'>,
): string {
  if (code === 'party_too_small') return say('why.party_too_small', { least: plan.service.capacity?.min ?? 1 })
  const [who] = resource !== undefined && isNamed(code) ? namedResources(plan, [resource], locale) : []
  return who && isNamed(code) ? say(TEXTS_WITH_NAME[code], { who: who.name }) : say(`why.${code}`)
}

/** Texts for a request with a certain resource. Other resources may be present or free. */
const TEXTS_WITH_NAME = {
  nobody_there: 'why.nobody_there.with',
  taken: 'why.taken.with',
  fully_booked: 'why.taken.with',
} as const

const isNamed = (code: Reason): code is keyof typeof TEXTS_WITH_NAME => code in TEXTS_WITH_NAME
