/**
 * A booking, waitlist entry or customer. The functions below return names of such records, such as `booking bkg_1`. To
 * erase a person, the server finds the stored answers with these names and clears them.
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
