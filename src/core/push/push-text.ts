import type { Localizer } from '../../infra/i18n/localizer.ts'

/** The content of a push notification. */
export interface PushText {
  title: string
  /** The text below the title. It can be empty. */
  body: string
  /** The page of the desk that opens after a click, such as `/desk/inbox`. */
  url: string
  /** How urgent the message is (RFC 8030). `high` can wake the device. */
  urgency: 'normal' | 'high'
}

/** The news item that a notification is about, and the form of the notification. */
export interface PushInput {
  kind: string
  subject: string
  localizer: Localizer
  /** Whether the notification contains the customer and the service. */
  showsDetails: boolean
}

/** Writes a push notification. Returns undefined if there is nothing to say any more. */
export type WritePushText = (input: PushInput) => Promise<PushText | undefined>
