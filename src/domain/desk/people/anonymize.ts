import { asRecord } from '../../../infra/util/records.ts'
import { ERASED_BUYER } from '../../bookings/anonymized.ts'

const PERSONAL_MEMBERS = ['recipient', 'delivery_address', 'notes', 'answers', 'return_request', 'search_text']

export function withoutPeople(stored: unknown, within = ''): unknown {
  if (Array.isArray(stored)) return stored.map((one) => withoutPeople(one, within))
  if (typeof stored !== 'object' || stored === null) return stored
  const kept = Object.entries(stored).filter(
    ([name]) => !PERSONAL_MEMBERS.includes(name) && !(name === 'reason' && within === 'cancellation'),
  )
  return Object.fromEntries(
    kept.map(([name, value]) => {
      if (name === 'buyer') return [name, ERASED_BUYER]
      if (name === 'messages' && Array.isArray(value))
        return [name, value.filter((one) => asRecord(one).code !== 'business_note')]
      return [name, withoutPeople(value, name)]
    }),
  )
}
