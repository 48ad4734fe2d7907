import type { ObjectSchema } from '../../protocol/operation.ts'
import { shape } from '../../protocol/schemas.ts'
import type { WaitlistEntry } from '../../protocol/types.generated.ts'

export const entryOutput: ObjectSchema = {
  type: 'object',
  required: ['entry'],
  properties: { entry: shape('WaitlistEntry') },
}

export const entryInput: ObjectSchema = {
  type: 'object',
  required: ['entry_id'],
  properties: { entry_id: { type: 'string', minLength: 1, description: 'Id of the entry.' } },
}

export const entrySummary = ({ entry }: { entry: WaitlistEntry }): string => {
  const { id, status, position, offered_slot, offer_expires_at } = entry
  if (offered_slot) return `Entry ${id} is offered ${offered_slot.start}, until ${offer_expires_at}.`
  return status === 'waiting' ? `Entry ${id} waits at position ${position}.` : `Entry ${id} is ${status}.`
}

export const onEntry = {
  capability: 'dev.usp-protocol.services.waitlist',
  access: 'privileged_scoped',
  resource: ({ entry_id }: { entry_id: string }) => ({ kind: 'waitlist_entry' as const, id: entry_id }),
} as const
