import type { Service } from '../../src/protocol/types.generated.ts'
import { service } from '../support/definitions.ts'

const { type, duration, pricing, channel, policies } = service('any')

/** A service as a business's feed has it. */
export const fed = (id: string, more: Partial<Service> = {}): Service => ({
  id,
  business_id: 'biz_listed',
  name: `Service ${id}`,
  type,
  duration,
  pricing,
  channel,
  policies,
  ...more,
})
