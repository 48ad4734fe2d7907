import type { Speech } from '../../infra/i18n/speech.ts'
import type { Plan } from './plan.ts'
import type { Asked, Reason } from './reasons.ts'
import { namedResources } from './time-slot.ts'

export function sayReason(
  { say, locale }: Speech,
  plan: Plan,
  code: Reason,
  { resource }: Pick<Asked, 'resource'>,
): string {
  if (code === 'party_too_small') return say('why.party_too_small', { least: plan.service.capacity?.min ?? 1 })
  const [who] = resource !== undefined && isNamed(code) ? namedResources(plan, [resource], locale) : []
  return who && isNamed(code) ? say(named[code], { who: who.name }) : say(`why.${code}`)
}

/** Texts for a request with a certain resource. Other resources may be present or free. */
const named = {
  nobody_there: 'why.nobody_there.with',
  taken: 'why.taken.with',
  fully_booked: 'why.taken.with',
} as const

const isNamed = (code: Reason): code is keyof typeof named => code in named
