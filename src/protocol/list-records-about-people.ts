/**
 * These functions name the people in an answer by their booking, waitlist entry or customer, such as `booking bkg_1`.
 * When the server erases a person, it finds the stored answers by these names and clears them.
 */
type Thing = { id: string }

const all = (kind: string, things: readonly Thing[]) => things.map(({ id }) => `${kind} ${id}`)

export const peopleOfBooking = ({ booking }: { booking: Thing }): string[] => all('booking', [booking])

export const peopleOfBookings = ({ bookings }: { bookings: readonly Thing[] }): string[] => all('booking', bookings)

export const peopleOfEntry = ({ entry }: { entry: Thing }): string[] => all('entry', [entry])

export const peopleOfCustomer = (answer: { customer: Thing; bookings: readonly Thing[] }): string[] => [
  ...all('customer', [answer.customer]),
  ...peopleOfBookings(answer),
]

export const peopleOfOffer = (answer: { booking: Thing; entry: Thing }): string[] => [
  ...peopleOfBooking(answer),
  ...peopleOfEntry(answer),
]
