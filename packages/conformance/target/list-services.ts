import type { Members } from '../caller/answer.ts'
import { Caller } from '../caller/caller.ts'
import type { Target } from './target.ts'

/** A catalogue with more services is read only so far. */
const MAX_PAGES = 50

/** Every service of the catalogue. */
export async function listAllServices(target: Target): Promise<Members[]> {
  const binding = target.firstBinding
  const caller = new Caller({ target, binding, identity: undefined, authentication: 'none', record: () => {} })
  const services: Members[] = []
  let cursor: unknown = null
  for (let page = 0; page < MAX_PAGES; page++) {
    const { result } = await caller.call('listServices', { pagination: { cursor } })
    if (!Array.isArray(result?.services)) return services
    services.push(...result.services)
    const { cursor: next } = (result.pagination ?? {}) as Members
    if (typeof next !== 'string' || next === cursor) return services
    cursor = next
  }
  return services
}
