/** The notifications that can also go out as text messages. The owner chooses some of them. */
export const TEXT_TOPICS = ['confirmed', 'moved', 'canceled', 'reminder', 'waitlist_offer'] as const
export type TextTopic = (typeof TEXT_TOPICS)[number]

export const TEXT_ADAPTERS = ['twilio', 'bird', 'http'] as const
export type TextAdapterName = (typeof TEXT_ADAPTERS)[number]

/**
 * The provider of text messages that an owner entered on the staff pages. The database stores the secret only encrypted.
 */
export interface StoredTextProvider {
  adapter: TextAdapterName
  url: string
  /** The account at the provider. Empty if the provider needs only the secret. */
  account: string
  sender: string
  secret: Buffer
  /** The countries (ISO 3166-1 codes) to whose phone numbers the server sends text messages. */
  countries: string[]
  topics: string[]
  /** The local time, such as `21:00`, from which the server sends no text messages. */
  quiet_from: string | null
  quiet_until: string | null
  /** The maximum number of text messages that the server sends in 24 hours. */
  daily_limit: number
  /** The price of one segment in the currency of the business, as a decimal number. */
  price: string | null
}

/** Whether buyers can answer the messages. They can answer a phone number or a messaging service, but not a name. */
export const canBeAnswered = ({ sender }: Pick<StoredTextProvider, 'sender'>): boolean =>
  /^(?:\+?\d+|MG[0-9a-f]{32})$/.test(sender)
