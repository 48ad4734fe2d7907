import type { Insertable } from 'kysely'
import type { DB } from './schema.generated.ts'

/** A notification that the server queues in the same transaction as the change that caused it. */
export interface NewMail {
  /** The kind of the notification, such as `booking.confirmed`. */
  kind: string
  /**
   * The object that the notification is about, such as `booking bkg_…`. A recipient gets all notifications about one
   * object in their order.
   */
  subject: string
  to: MailedBuyer | 'staff'
  /**
   * If set, the server sends the notification only through this channel, for example only by email because its text
   * contains a secret link.
   */
  onlyChannel?: 'mail' | 'text'
  /**
   * The channel that the business chose for a reminder. `text` means a mail if the buyer can get no text message. The
   * webhook gets the reminder in any case.
   */
  by?: 'mail' | 'text' | undefined
  /** The earliest time to send the notification. Undefined means that the server sends it now. */
  notBefore?: Date | undefined
  /** Whether the server stores the notification without sending it. The staff can have it sent later. */
  isWithheld?: boolean | undefined
  snapshot: object
  /**
   * Notifications with the same `group`, kind and recipient become one mail. The mail contains the first notification,
   * and lists the `entry` of each later one.
   */
  mergeWith?: { group: string; entry: object }
}

export interface MailedBuyer {
  /** No mail can reach an address that ends with `.invalid`. Such a buyer can still get text messages. */
  email: string
  phone?: string | undefined
  /** The phone number for text messages, as a person entered it. Present only if the buyer agreed to text messages. */
  textNumber?: string | undefined
  /**
   * The language of the notification as a BCP 47 tag, such as `de-AT`. Undefined means the language of the business.
   */
  locale?: string | undefined
  /**
   * Present if the buyer booked through a platform (a program that books for its users). `needed` means that only the
   * business notifies the buyer. `told anyway` means that the platform does it too, so the business can choose to send
   * nothing.
   */
  platform?: 'needed' | 'told anyway' | undefined
}

/**
 * Converts a notification to rows of the table `mails`, one for each channel and recipient. Returns no rows if there is
 * no channel or no recipient, for example because the server cannot send mails.
 */
export type MailRows = (mail: NewMail, now: Date) => Insertable<DB['mails']>[]

export interface Outbox {
  mailRows: MailRows
  /** Whether a notification for the staff also goes to their browsers as a push notification. */
  isPushed: boolean
}

export const noOutbox: Outbox = { mailRows: () => [], isPushed: false }
