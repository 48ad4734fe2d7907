import { planOf } from '../../domain/availability/service-scheduling-plan.ts'
import type { WaitlistEntry } from '../../protocol/types.generated.ts'
import { momentText, quoted, whenText } from './quote-untrusted-text.ts'
import type { ToolContext } from './tool-definition.ts'

export function entryText({ id, service_id, position, ...entry }: WaitlistEntry, { definition }: ToolContext): string {
  const { timezone } = definition.business
  const name = quoted(planOf(definition, service_id)?.service.name ?? service_id)
  const { start, end } = entry.offered_slot ?? {}
  if (entry.status !== 'offered' || !start || !end) return `- ${id}: number ${position} on the waitlist of ${name}`
  const until = entry.offer_expires_at ? ` until ${momentText(timezone, Date.parse(entry.offer_expires_at))}` : ''
  return `- ${id}: a place in ${name} on ${whenText(timezone, Date.parse(start), Date.parse(end))} (${timezone}) is offered${until}. Ask the person and call answer_offer.`
}

export const entryData = ({ id, service_id, status, position, offered_slot, offer_expires_at }: WaitlistEntry) => ({
  entry_id: id,
  service_id,
  status,
  position,
  ...(offered_slot && { offered: { start: offered_slot.start, end: offered_slot.end } }),
  ...(offer_expires_at !== undefined && { offer_expires_at }),
})
