import type { Speech } from '../languages/speech.ts'
import type { Plan } from './plan.ts'
import type { Asked, Reason } from './reasons.ts'
import { namedResources } from './time-slot.ts'

/** A reason in words for the buyer. */
export function sayReason(
  { say, locale }: Speech,
  plan: Plan,
  code: Reason,
  { resource }: Pick<Asked, 'resource'>,
): string {
  if (code === 'party_too_small') return say('why.party_too_small', { least: plan.service.capacity?.min ?? 1 })
  const [who] = code === 'nobody_there' && resource !== undefined ? namedResources(plan, [resource], locale) : []
  return who ? say('why.nobody_there.with', { who: who.name }) : say(`why.${code}`)
}
