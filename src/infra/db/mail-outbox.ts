import type { Insertable } from 'kysely'
import type { DB } from './schema.generated.ts'

/** A notification that a unit of work queues together with its changes. */
export interface NewMail {
  /** The kind of the notification, such as `booking.confirmed`. */
  kind: string
  /**
   * The subject of the notification, such as `booking bkg_…`. A recipient gets all notifications about one subject in
   * their order.
   */
  subject: string
  to: MailedBuyer | 'staff'
  /** If set, only this channel gets the notification, because its text contains a secret link or code. */
  onlyChannel?: 'mail'
  /** The earliest time to send the notification. Undefined means that the server sends it now. */
  notBefore?: Date | undefined
  snapshot: object
  /**
   * Notifications with equal `group`, kind and recipient become one mail. The mail lists the `entry` of each
   * notification after the first.
   */
  mergeWith?: { group: string; entry: object }
}

export interface MailedBuyer {
  email: string
  phone?: string | undefined
  /** The language of the notification as a BCP 47 tag. Undefined means the language of the business. */
  locale?: string | undefined
  /**
   * Set for a buyer who booked through a platform, because the platform can notify the buyer itself. The business can
   * choose to send such buyers only the notifications with the value `needed`.
   */
  platform?: 'needed' | 'told anyway' | undefined
}

/**
 * Converts a notification to rows of the table `mails`, one for each channel and recipient. Returns no rows if the
 * server cannot send mails.
 */
export type Outbox = (mail: NewMail, now: Date) => Insertable<DB['mails']>[]

export const noOutbox: Outbox = () => []
