import type { Selectable } from 'kysely'
import type { Bookings } from '../../infra/db/schema.generated.ts'
import type {
  Booking,
  BookingBuyer,
  Cancellation,
  DeliveryAddress,
  Dispute,
  Message,
  NoShow,
  PostPaymentReturnRequest,
  ServiceDefinition,
} from '../../protocol/types.generated.ts'
import type { Payment } from '../payments/payment.ts'

/** A booking as it is stored. */
export type BookingRow = Omit<Selectable<Bookings>, 'status' | 'record' | 'people' | 'buyer_account'> & {
  status: Booking['status']
  record: BookingRecord
  people: People
}

/** What was agreed when the booking was made, and what became of it since. Nothing here names a person. */
export interface BookingRecord {
  service: Pick<ServiceDefinition, 'name' | 'type' | 'channel' | 'media'>
  zone: string
  slot_id: string
  resources: { id: string; type: string; name: string }[]
  location?: { id: string; name: string }
  party_size: number
  confirmation_mode: Booking['confirmation_mode']
  policies: ServiceDefinition['policies']
  deposit_refundable: boolean
  /** Milliseconds that a payment may take. */
  payment_window: number
  /** The same once the business has agreed; missing in what was booked before there was such a time. */
  window_after_approval?: number
  payment?: Payment
  tasks: Task[]
  /** What has to be done before the booking stands; the buyer sees it once the staff, if they are asked, agree. */
  waiver?: ServiceDefinition['waiver']
  intake?: ServiceDefinition['intake']
  cancellation?: Cancellation
  no_show?: NoShow
  dispute?: Dispute
  messages?: Message[]
  reschedules: number
  /** Cancelling late costs nothing: a place the buyer queued for took its place. */
  fee_waived?: true
  /** How often its time changed or it was canceled, for calendars. */
  sequence: number
  return_request?: PostPaymentReturnRequest
  /** The language that the buyer was spoken to in, BCP 47. */
  locale?: string
  /** How often the staff renewed the links to the buyer's pages. */
  links_renewed?: number
  /** Digest of the form by which it was made on our pages, or of what an assistant sent: who sends that again made it. */
  sent_form?: string
  /** When the buyer said to have paid by hand. The booking keeps its time until the staff have looked, at the latest until it begins. */
  payment_claimed_at?: string
  /** Rules that the staff set aside for it. */
  overridden?: string[]
}

/** Who takes part: the only place where a booking names people. */
export interface People {
  buyer: BookingBuyer
  recipient?: BookingBuyer
  delivery_address?: DeliveryAddress
  notes?: string
  /** To the intake questions, by their ids. */
  answers?: Record<string, string>
  /** Who entered the buyer's number; when missing, who made the booking. */
  number_from?: 'staff' | 'buyer'
  /** Digests of the addresses of whoever stood here before: what was told then is erased with them. */
  earlier?: string[]
  /** The people were forgotten, and what stands here is nobody. */
  erased?: true
}

/** Something the buyer has to do. */
export interface Task {
  type: 'waiver' | 'intake' | 'payment'
  status: 'pending' | 'completed'
}
