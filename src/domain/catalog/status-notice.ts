import type { Message, Service } from '../../protocol/types.generated.ts'

/** Tells a reader that a service it looks at cannot be booked now. */
export function statusNotice({ name, status }: Pick<Service, 'name' | 'status'>): { messages?: Message[] } {
  if (status === 'suspended')
    return { messages: [{ type: 'info', code: 'service_suspended', content: `${name} cannot be booked at present.` }] }
  if (status === 'archived')
    return { messages: [{ type: 'info', code: 'service_archived', content: `${name} is no longer offered.` }] }
  return {}
}
