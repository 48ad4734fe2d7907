import type { Insertable } from 'kysely'
import type { DB } from './schema.generated.ts'

/** A notification about a unit of work. */
export interface NewMail {
  /** Such as `booking.confirmed`. */
  kind: string
  /** Such as `booking bkg_…`. A recipient gets the notifications about one subject in order. */
  subject: string
  to: MailedBuyer | 'staff'
  /** Only on this channel, when the text contains a secret that lets its reader in. */
  onlyChannel?: 'mail'
  /** The earliest time to send it; now when absent. */
  notBefore?: Date | undefined
  snapshot: object
  /** Mails with the same `group`, kind and recipient become one mail. `entry` represents this mail in the first one. */
  mergeWith?: { group: string; entry: object }
}

export interface MailedBuyer {
  email: string
  phone?: string | undefined
  /** BCP 47; the language of the business when absent. */
  locale?: string | undefined
  /**
   * Only for a buyer who booked through a platform. The business may limit mails to such buyers to those with `needed`.
   */
  platform?: 'needed' | 'told anyway' | undefined
}

/** Returns one row for each channel and recipient; none when the server can send nothing. */
export type Outbox = (mail: NewMail, now: Date) => Insertable<DB['mails']>[]

export const noOutbox: Outbox = () => []
