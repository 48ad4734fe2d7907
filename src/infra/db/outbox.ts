import type { Insertable } from 'kysely'
import type { DB } from './schema.generated.ts'

/** A notification that a unit of work queues. */
export interface NewMail {
  /** The kind of the notification, such as `booking.confirmed`. */
  kind: string
  /** The subject, such as `booking bkg_…`. A recipient gets the notifications about one subject in their order. */
  subject: string
  to: MailedBuyer | 'staff'
  /** If set, the notification is sent only on this channel, because its text contains a secret that gives access. */
  onlyChannel?: 'mail'
  /** The earliest time to send the notification. Undefined means now. */
  notBefore?: Date | undefined
  snapshot: object
  /** Mails with the same `group`, kind and recipient become one mail. It lists each further mail by its `entry`. */
  mergeWith?: { group: string; entry: object }
}

export interface MailedBuyer {
  email: string
  phone?: string | undefined
  /** The language as a BCP 47 tag. Undefined means the language of the business. */
  locale?: string | undefined
  /**
   * Only set for a buyer who booked through a platform, which may notify its buyers itself. The business can limit the
   * mails to such buyers to those with `needed`.
   */
  platform?: 'needed' | 'told anyway' | undefined
}

/**
 * Turns a notification into rows of the table `mails`: one for each channel and recipient. Returns no rows if the
 * server can send nothing.
 */
export type Outbox = (mail: NewMail, now: Date) => Insertable<DB['mails']>[]

export const noOutbox: Outbox = () => []
