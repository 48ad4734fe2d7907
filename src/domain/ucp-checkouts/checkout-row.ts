import type { Selectable } from 'kysely'
import type { UcpCheckouts } from '../../infra/db/schema.generated.ts'
import type {
  Booking,
  DeliveryAddress,
  Message,
  ServiceDefinition,
  UcpBuyer,
  UcpTerm,
} from '../../protocol/types.generated.ts'
import type { Payment } from '../pricing/payment.ts'
import type { CheckoutStatus } from './lifecycle.ts'

export type CheckoutRow = Omit<Selectable<UcpCheckouts>, 'status' | 'request' | 'people' | 'agreed' | 'faults'> & {
  status: CheckoutStatus
  request: CheckoutRequest
  people: CheckoutPeople | null
  agreed: Agreed
  faults: Message[]
}

/** What the platform sent about the purchase. It names no person. */
export interface CheckoutRequest {
  line_id: string
  /** The price that the platform showed the buyer. */
  shown_price?: number
  resource_ids: string[]
}

/** The people as the platform sent them. They may be incomplete. */
export interface CheckoutPeople {
  buyer: UcpBuyer
  recipient?: UcpBuyer
  delivery_address?: DeliveryAddress
  notes?: string
  /** Answers to the intake questions, by question id. */
  answers?: Record<string, string>
}

/** What the checkout sells. Amounts are in minor units. */
export interface Agreed {
  service: { id: string; name: string; type: string }
  slot: Booking['slot']
  zone: string
  resources: { id: string; type: string; name: string }[]
  party: number
  confirmation_mode: NonNullable<Booking['confirmation_mode']>
  currency: string
  price: ShownPrice
  /** Undefined if the booking is free. */
  payment?: Payment
  /** When the price is due. Undefined if all of it is due at completion. */
  term?: UcpTerm
  /** Whether the term is paid on the spot, wholly. */
  is_offline: boolean
  /** What the buyer does on a page of this server before the checkout can be completed. */
  tasks: CheckoutTask[]
  waiver?: ServiceDefinition['waiver']
  intake?: ServiceDefinition['intake']
}

export interface CheckoutTask {
  type: 'waiver' | 'intake'
  status: 'pending' | 'completed'
}

export interface ShownPrice {
  /** The price of one unit, as the catalogue shows it. */
  unit: number
  quantity: number
  subtotal: number
  tax: number
  /** Whether the subtotal contains the tax. */
  isTaxIncluded: boolean
  total: number
}

/** The amount that is charged at completion. */
export const dueNow = ({ agreed: { payment } }: Pick<CheckoutRow, 'agreed'>): number => payment?.due ?? 0
