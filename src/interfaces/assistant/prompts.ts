interface Wish {
  what: string
  when: string
}

const when = { name: 'when', description: 'Such as: next Tuesday after work.' }

/** Prompts for the menu of the assistant. The host sends them as a message of the person. */
export const prompts = [
  {
    name: 'book',
    title: 'Book',
    description: 'Find a time and book it.',
    arguments: [{ name: 'what', description: 'Such as: a haircut.' }, when],
    say: ({ what, when }: Wish) =>
      `Please book ${what || 'something'} for me${when && `, ${when}`}. Search with find_services, then with ` +
      'find_times. Tell me the times and what they cost, and let me choose before you call book. If it returns ' +
      'a link, give it to me unchanged.',
  },
  {
    name: 'move',
    title: 'Move a booking',
    description: 'Give one of your bookings another time.',
    arguments: [when],
    say: ({ when }: Wish) =>
      `Please move a booking of mine${when && ` to ${when}`}. Find it with my_bookings, and ask me if there ` +
      'are several. Then let me choose from find_times of the same service, and say what moving costs before ' +
      'you call move_booking.',
  },
]
