const MANY = 1_000_000

/** Tests call more often than any platform may; those of the limits put their own into the definition. */
export const plenty = {
  catalogue: MANY,
  availability: MANY,
  holds: MANY,
  live_holds: MANY,
  bookings: MANY,
  staff: MANY,
  other: MANY,
  messages: MANY,
  failed_authentications: MANY,
  profiles: MANY,
  callbacks: MANY,
  strangers: {
    ...{ calls: MANY, holds: MANY, bookings: MANY, waitlist: MANY, mails: MANY, mails_to_one: MANY },
    ...{ beside_keys: MANY, listings: MANY },
  },
  visitors: { calls: MANY, holds: MANY, bookings: MANY, waitlist: MANY, mails: MANY, mails_to_one: MANY },
}
