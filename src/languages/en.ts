/**
 * Everything that pages and mails say, in ICU message syntax. A test holds the other languages against this one: each has
 * every message, with the same parameters. What the business wrote itself stands nowhere here.
 */
export const en = {
  // On every page
  'page.untitled': 'Booking',
  'page.language': 'Language',
  'page.contact': 'Contact',
  'page.skip': 'Skip to the content',

  // What there is to book
  'book.title': 'Book an appointment',
} as const
