import type { Insertable } from 'kysely'
import type { DB } from './schema.generated.ts'

/** What somebody is told of a change. */
export interface NewMail {
  /** Such as `booking.confirmed`. */
  kind: string
  /** Such as `booking bkg_…`: what is told of one to one recipient is told in its order. */
  subject: string
  to: MailedBuyer | 'staff'
  /** By this way alone, where whoever reads along on another would be let in. */
  by?: 'mail'
  /** When it may be sent; at once when left out. */
  notBefore?: Date | undefined
  /** What the letter is made of. */
  snapshot: object
  /** What else of the same change is told to the same in one mail, and what stands in the first of them for this one. */
  together?: { what: string; as: object }
}

export interface MailedBuyer {
  email: string
  phone?: string | undefined
  /** BCP 47; that of the business when left out. */
  locale?: string | undefined
  /** Who booked through a platform gets no more than the business wants: this says what such a mail is. */
  platform?: 'needed' | 'told anyway' | undefined
}

/** One row for each way and recipient; none where nothing can be sent. */
export type Outbox = (mail: NewMail, now: Date) => Insertable<DB['mails']>[]

export const noOutbox: Outbox = () => []
