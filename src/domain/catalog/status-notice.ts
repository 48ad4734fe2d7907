import type { Message, Service } from '../../protocol/types.generated.ts'

export function statusNotice({ name, status }: Pick<Service, 'name' | 'status'>): { messages?: Message[] } {
  if (status === 'suspended')
    return { messages: [{ type: 'info', code: 'service_suspended', content: `${name} cannot be booked at present.` }] }
  if (status === 'archived')
    return { messages: [{ type: 'info', code: 'service_archived', content: `${name} is no longer offered.` }] }
  return {}
}
