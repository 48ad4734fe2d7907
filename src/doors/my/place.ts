import type { Speech } from '../../languages/speech.ts'
import type { ServiceDefinition } from '../../protocol/types.generated.ts'

export const locationText = ({ name, address }: { name: string; address?: string }): string =>
  address === undefined ? name : `${name}, ${address}`

/** Where something takes place that has no place of the business. */
export function channelText(type: ServiceDefinition['channel']['type'], { say }: Speech): string | undefined {
  if (type === 'virtual') return say('my.online')
  if (type === 'phone') return say('my.by_phone')
  return type === 'at_buyer_location' ? say('my.at_yours') : undefined
}
