import { omitUndefined } from '../../../infra/util/object-members.ts'
import type { BusinessDefinition, OpeningWindow, ServiceDefinition } from '../../../protocol/types.generated.ts'
import { anyOf, defaultPolicies } from './default-service-policies.ts'
import { idFor } from './id-from-name.ts'

export const CHANNELS = ['at_business_location', 'at_buyer_location', 'virtual', 'phone'] as const

export interface Answers {
  name: string
  /** The phone number in the international form E.164, such as `+493012345678`. */
  phone: string | undefined
  email: string | undefined
  address: string | undefined
  zone: string
  currency: string
  language: string
  hours: OpeningWindow[]
  service: string
  minutes: number
  /** The price in minor units of the currency, such as cents. The service is free if the price is 0. */
  price: number
  channel: (typeof CHANNELS)[number]
  people: string[]
}

export function firstDefinition(answers: Answers): BusinessDefinition {
  const { name, phone, email, address, zone, currency, language, hours, people, channel } = answers
  const staff: { id: string; type: 'staff'; name: string }[] = []
  for (const one of people) staff.push({ id: idFor('staff', one, staff), type: 'staff', name: one })
  const isThere = channel === 'at_business_location' && address !== undefined
  const contact = omitUndefined({ phone, email, address })
  return {
    business: { id: idFor('biz', name, []), name, timezone: zone, currency, language },
    ...(isThere && { locations: [{ id: 'loc_1', name, address }] }),
    hours,
    resources: staff,
    services: [firstService(answers, staff)],
    website: { contact },
    ...(email !== undefined && { mails: { staff: [email] } }),
  }
}

function firstService(
  { service, minutes, price, currency, channel }: Answers,
  staff: readonly { id: string }[],
): ServiceDefinition {
  return {
    id: idFor('svc', service, []),
    name: service,
    type: channel === 'at_buyer_location' ? 'field_service' : 'appointment',
    duration: { fixed: `PT${minutes}M` },
    pricing: price > 0 ? { model: 'fixed', amount: price, currency } : { model: 'free', currency },
    resources: [anyOf(staff)],
    channel: { type: channel },
    policies: defaultPolicies({ slot_interval: minutes % 30 === 0 ? 'PT30M' : 'PT15M', isPaid: price > 0 }),
  }
}
