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

  // When something goes wrong
  'failure.not_found': 'We cannot find this page',
  'failure.not_found.text': 'The link may be incomplete. Please open it once more from where you found it.',
  'failure.foreign': 'This was not sent from our page',
  'failure.foreign.text':
    'Nothing was changed. Please open the link to your booking again and send the form from there.',
  'failure.unreadable': 'This cannot be read',
  'failure.unreadable.text': 'The form was not sent as we expect it. Please try again.',
  'failure.too_often': 'One moment please',
  'failure.too_often.text':
    'This page was opened very often. Please wait {seconds, plural, one {# second} other {# seconds}}.',
  'failure.not_now': 'We cannot do this just now',
  'failure.not_now.text': 'Please open this page again in a moment: it shows what was done.',
  'failure.ours': 'Something went wrong',
  'failure.ours.text': 'That was our fault, and nothing was changed. Please try again shortly.',
  'failure.refused': 'This cannot be answered',

  // The buyer’s side of a booking

  // Accounts

  // Waiting for what is full

  // What there is to book
  'book.title': 'Book an appointment',

  // Letters
} as const
