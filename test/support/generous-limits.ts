const MANY = 1_000_000

/** Limits that no test reaches. Tests of the limits set lower ones in the definition. */
export const generousLimits = {
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
    calls: MANY,
    holds: MANY,
    bookings: MANY,
    waitlist: MANY,
    mails: MANY,
    mails_to_one: MANY,
    beside_keys: MANY,
    listings: MANY,
  },
  visitors: { calls: MANY, holds: MANY, bookings: MANY, waitlist: MANY, mails: MANY, mails_to_one: MANY },
}
