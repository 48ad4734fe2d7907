import { MINUTE } from '../../src/infra/time/time-units.ts'
import { toLocalInput } from '../../src/interfaces/desk/local-time-input.ts'
import type { Press, Step } from './at-desk.ts'
import type { daySalon } from './day-salon.ts'

type Salon = Awaited<ReturnType<typeof daySalon>>
type Row = Awaited<ReturnType<Salon['rowOf']>>

/** Something to be done, by the words that lead to it. */
interface Task {
  task: string
  /** Who has booked today, what and with whom, and what has happened until then. */
  guest?: string
  books?: string
  with?: string
  before?(salon: Salon): Promise<unknown>
  /** Since the booking began, where it is done then. */
  minutesLater?: number
  /** From Today to where it is done, or where its form is. */
  presses: Press[]
  /** What is done there. */
  form?: Step[] | ((row: Row) => Step[])
  /** What is read afterwards, and what has become of the booking. */
  reads?: RegExp
  becomes?: object | ((before: Row) => object)
}

export const later = (instant: Date, minutes: number) => new Date(instant.getTime() + minutes * MINUTE)
const clock = (instant: Date, minutes: number) => toLocalInput('America/New_York', later(instant, minutes).getTime())

export const tasks: Task[] = [
  { task: '1. the week', guest: 'Mia', presses: ['Week'], reads: /Nov 20.*Mia Klein/s },
  { task: '1. the week of one person', presses: ['Ann', 'Week of Ann'], reads: /Ann,.*Mia Klein/s },
  {
    task: '2. book for who calls',
    presses: ['Ben', 'Add booking with Ben', 'Haircut'],
    form: [{ 'First name': 'Nora', 'Phone number': '+1 212 555 0199' }, 'Add booking'],
    reads: /Nora.*Confirmed.*Ben/s,
  },
  {
    task: '2. book for a customer who is known',
    guest: 'Olga',
    presses: ['Add booking', 'Haircut'],
    form: [{ 'Customer name, phone or email': 'Olgga' }, 'Search', 'Olga', 'Add booking'],
    reads: /Olga Klein.*Confirmed/s,
  },
  {
    task: '3. put elsewhere',
    guest: 'Pia',
    presses: ['Pia', 'Move', ['Ben', '7:00 PM']],
    reads: /Rescheduled from/,
    becomes: { resource_ids: ['staff_ben'] },
  },
  {
    task: '3. put elsewhere, and taken back',
    guest: 'Paul',
    presses: ['Paul', 'Move', ['Ben', '6:00 PM']],
    form: ['Undo'],
    becomes: { resource_ids: ['staff_ann'] },
  },
  {
    task: '4. another person alone',
    guest: 'Quin',
    presses: ['Quin', 'Change time'],
    form: [{ With: 'Ben' }, 'Reschedule booking'],
    reads: /Rescheduled from/,
    becomes: { resource_ids: ['staff_ben'] },
  },
  {
    task: '4. another length',
    guest: 'Rita',
    presses: ['Rita', 'Change duration'],
    form: ({ ends_at }) => [{ Until: clock(ends_at, -15) }, 'Change duration'],
    becomes: ({ ends_at }) => ({ ends_at: later(ends_at, -15) }),
  },
  {
    task: '4. more of them',
    guest: 'Sofia',
    books: 'svc_dinner',
    presses: ['Sofia', 'Edit details'],
    form: [{ 'Number of people': '3' }, 'Save'],
    reads: /3 people/,
  },
  {
    task: '4. another place',
    guest: 'Tara',
    books: 'svc_facial',
    presses: ['Tara', 'Change time'],
    form: [{ Location: 'Uptown' }, 'Reschedule booking'],
    reads: /Uptown/,
  },
  {
    task: '5. arrived, and done',
    guest: 'Uma',
    presses: ['Uma', 'Mark as arrived', 'Mark as completed'],
    becomes: { status: 'completed' },
  },
  {
    task: '5. did not come, with the fee that is due',
    guest: 'Vera',
    minutesLater: 20,
    presses: ['Vera', 'Mark as no-show', 'Mark as no-show'],
    reads: /No-show.*\$20\.00/s,
    becomes: { status: 'no_show' },
  },
  {
    task: '5. ends late',
    guest: 'Wanda',
    books: 'svc_wash',
    minutesLater: 20,
    presses: ['Wanda', 'Mark as arrived', 'Change duration'],
    form: ({ ends_at }) => [{ Until: clock(ends_at, 15) }, 'Change duration'],
    becomes: ({ ends_at }) => ({ status: 'in_progress', ends_at: later(ends_at, 15) }),
  },
  {
    task: '6. approve a request',
    guest: 'Xenia',
    books: 'svc_advice',
    presses: ['Inbox', 'Xenia', 'Accept booking'],
    form: [{ 'Message to the customer': 'See you then.' }, 'Accept booking'],
    becomes: { status: 'confirmed' },
  },
  {
    task: '6. decline a request',
    guest: 'Yara',
    books: 'svc_advice',
    presses: ['Inbox', 'Yara', 'Decline booking'],
    form: [{ 'Reason (the customer sees it)': 'We are full.' }, 'Decline booking'],
    becomes: { status: 'canceled' },
  },
  {
    task: '7. a sick day with six bookings',
    guest: 'Ivy',
    books: 'svc_facial',
    with: 'staff_dora',
    async before({ comes }) {
      for (const name of ['Ada', 'Bo', 'Cy', 'Di', 'Ed']) await comes(name, 'svc_facial', 'staff_dora')
    },
    presses: ['Dora', 'Block time for Dora', 'Block time'],
    reads: /Blocked/,
    becomes: { resource_ids: ['staff_eve'] },
  },
  {
    task: '8. who was told what; tell again',
    guest: 'Zoe',
    async before({ rowOf, staff, mailed }) {
      await staff('bookings_adjust', 'Zoe', { end: later((await rowOf('Zoe')).ends_at, -15).toISOString() })
      await mailed()
    },
    presses: ['Zoe', 'Notifications', 'Send again'],
    form: ['Notifications'],
    reads: /Waiting/,
  },
  {
    task: '9. note what to know of a customer',
    guest: 'Abby',
    presses: ['Abby', 'Customer details'],
    form: [{ 'Note for the team': 'Likes tea', 'Tags, separated by commas (such as an allergy)': 'Nuts' }, 'Save'],
    reads: /Abby Klein\s+Nuts/,
  },
  {
    task: '9. find a customer though a letter is wrong',
    presses: ['Customers'],
    form: [{ 'Customer name, phone or email': 'Abbi Klein' }, 'Search', 'Abby'],
    reads: /Visits/,
  },
  {
    task: '9. make one of two, and two of one',
    guest: 'Bella',
    before: ({ comes }) => comes('Belinda'),
    presses: ['Bella', 'Customer details', 'Merge with another customer'],
    form: [
      { 'Customer name, phone or email': 'Belinda' },
      ...['Search', 'Merge with:', 'Split this customer', 'belinda@example.com belongs to someone else'],
    ],
    reads: /Belinda Klein/,
  },
  {
    task: '10. correct name, number and note',
    guest: 'Cleo',
    presses: ['Cleo', 'Edit details'],
    form: [{ 'Last name': 'Schmidt', 'Phone number': '+1 212 555 0188', Note: 'By bicycle' }, 'Save'],
    reads: /Cleo Schmidt.*\+1 212 555 0188.*By bicycle/s,
  },
  {
    task: '11. book again',
    guest: 'Dina',
    presses: ['Dina', 'Book again'],
    form: ['Add booking'],
    reads: /Dina.*Confirmed/s,
  },
  {
    task: '11. every week, and this and the following canceled',
    guest: 'Elsa',
    presses: ['Elsa', 'Repeat booking'],
    form: [
      'Book selected dates',
      'Repeat booking',
      'Cancel this and all following bookings',
      'Cancel this and all following bookings',
    ],
    becomes: { status: 'canceled' },
  },
  {
    task: '12. take cash, with a tip and change',
    guest: 'Fia',
    presses: ['Fia', 'Take payment'],
    form: [{ Tip: '5', 'Cash received': '100' }, 'Cash'],
    reads: /Change: \$20\.00/,
  },
  {
    task: '12. give money back',
    guest: 'Gaby',
    before: ({ staff }) => staff('bookings_mark_paid', 'Gaby', { kind: 'card', amount: 7500 }),
    presses: ['Gaby', 'Refund payment'],
    form: ['Refund payment', 'Refund $75.00'],
    reads: /Refunded\s+\$75\.00/,
  },
  {
    task: '12. a payment that was entered wrong',
    guest: 'Nora',
    before: ({ staff }) => staff('bookings_mark_paid', 'Nora', { kind: 'voucher', amount: 7500 }),
    presses: ['Nora', 'Correct payment', 'Card'],
    reads: /Voucher: \$75\.00 corrected.*Card: \$75\.00/s,
  },
  { task: '12. the takings, as a file too', presses: ['More', 'Takings', 'Download as CSV'], reads: /Cash\s+\$75\.00/ },
  {
    task: '13. who comes to a class is there',
    guest: 'Hana',
    books: 'svc_yoga',
    presses: ['Yoga', ['Hana', 'Mark as arrived']],
    becomes: { status: 'in_progress' },
  },
  {
    task: '13. a class for more',
    presses: ['Yoga', 'Change number of spots'],
    form: [{ Spots: '5' }, 'Change number of spots'],
    reads: /1\/5/,
  },
  {
    task: '13. somebody comes to another class as well',
    presses: ['Yoga', 'Hana', 'Book again'],
    form: ['Add booking'],
    reads: /Hana Klein.*Confirmed/s,
  },
  {
    task: '13. a class canceled, with everyone told',
    guest: 'Ida',
    books: 'svc_pilates',
    presses: ['Pilates', 'Cancel this class'],
    form: [{ 'Reason (the customer sees it)': 'Cat is ill.' }, 'Cancel this class'],
    becomes: { status: 'canceled' },
  },
  {
    task: '14. another order in line',
    presses: ['More', 'Waitlist', ['Juna', 'Move down']],
    reads: /Kaya.*Juna.*Lena/s,
  },
  {
    task: '14. offer a place',
    presses: ['More', 'Waitlist', ['Kaya', 'Offer a spot']],
    form: ['4:00 PM'],
    reads: /Kaya.*Offered/s,
  },
  {
    task: '14. take off the list',
    presses: ['More', 'Waitlist', ['Juna', 'Remove from waitlist']],
    form: [['Juna', 'Remove from waitlist']],
    reads: /^(?!.*Juna).*Lena/s,
  },
  {
    task: '15. a break',
    guest: 'Moe',
    books: 'svc_massage',
    presses: ['Gus', 'Block time for Gus'],
    form: ({ starts_at }) => [{ Until: clock(starts_at, -5), 'Reason (for the team)': 'Dentist' }, 'Block time'],
    reads: /Moe Klein.*Dentist|Dentist.*Moe Klein/s,
    becomes: { status: 'confirmed', revision: 1 },
  },
  {
    task: '15. open that time again',
    presses: ['More', 'Blocked times', ['Dentist', 'Unblock time']],
    form: [['Dentist', 'Unblock time']],
    reads: /^(?!.*Dentist)/s,
  },
  { task: 'a buyer’s link', presses: ['Mia', 'Copy link for the customer'], reads: /Copied/ },
  { task: 'what happened to a booking', presses: ['Mia', 'History'], reads: /History\s+Booked/ },
  { task: 'sign out elsewhere', presses: ['More', 'Devices', 'Sign out this device'], reads: /^(?!.*Another)/s },
  { task: '1. people alone, remembered', presses: ['Columns', 'Rooms', ['Rooms', 'Show']], reads: /Columns \d\/\d/ },
]
