import { daysLater } from '../../src/infra/time/zone.ts'

/** Calls a tool. Returns its text, its data, and whether it failed. */
export type Call = (
  tool: string,
  input: object,
  // biome-ignore lint/suspicious/noExplicitAny: what a tool says is described in its text
) => Promise<{ text: string; data: any; isError: boolean }>

export interface Cast {
  /** An assistant that knows only the address. */
  stranger: Call
  /** A person opens the link, then enters their details and books. */
  opens(link: string): Promise<unknown>
  books(link: string): Promise<unknown>
  readsCode(email: string): Promise<string>
  /** An assistant whose person signed in when the server required it. */
  signedIn(): Promise<Call>
}

const INTRODUCTION = `# A conversation

What an assistant that knows nothing but the address of \`/mcp\` calls at the demo business, and what it is told. The people’s
words are made up. All else was said: \`npm run transcript\` runs \`npm start\`, calls it with the stock TypeScript client, goes
through its pages with Chromium, and writes this page. What differs each time is named: ids and references by a number, secrets
by \`…\`, and the dates are always those of this week.`

/** The complete path to a booking for each way to book, on the given Tuesday: a page of Markdown. */
export async function conversation(
  { stranger, opens, books, readsCode, signedIn }: Cast,
  tuesday: string,
): Promise<string> {
  const lines = [INTRODUCTION]
  const say = (...more: string[]) => void lines.push('', ...more)
  const recorded =
    (call: Call): ((...asked: Parameters<Call>) => Promise<Awaited<ReturnType<Call>>['data']>) =>
    async (tool, input) => {
      const { text, data, isError } = await call(tool, input)
      say(`→ **${tool}** \`${JSON.stringify(input)}\`${isError ? ' (it was refused)' : ''}`)
      say('```text', text, '```')
      return data
    }
  const wednesday = daysLater(tuesday, 1)

  say('## Nobody has signed in')
  const rosas = recorded(stranger)
  say('> **Rosa:** Get me a haircut at Glamour Salon, Tuesday around noon.')
  const { services } = await rosas('find_services', { query: 'haircut', limit: 1 })
  const service_ids = [services[0].service_id]
  const { times } = await rosas('find_times', { service_ids, from: `${tuesday}T12:00:00`, to: tuesday, limit: 3 })
  say('> **Rosa:** The first one, please.')
  const { link, status_code } = await rosas('book', { slot_id: times[0].slots[0].slot_id })
  say('> **Assistant:** It is held for you. Open the link, say who you are, and press the button.')
  say('Rosa opens it.')
  await opens(link)
  await rosas('booking_status', { status_code })
  say('Rosa fills in her name and books.')
  await books(link)
  await rosas('booking_status', { status_code })

  say('## By a code from the mail')
  say(
    '> **Lee:** The same for me on that day, after two. I would rather stay in this chat; mail goes to lee@example.com.',
  )
  const lees = recorded(stranger)
  const after = await lees('find_times', { service_ids, from: `${tuesday}T14:00:00`, to: tuesday, limit: 1 })
  const lee = { first_name: 'Lee', last_name: 'Park', email: 'lee@example.com', phone: '+12125550187' }
  const wish = { slot_id: after.times[0].slots[0].slot_id, person: lee }
  const kept = await lees('book', wish)
  say('> **Lee:** Here is the code.')
  await lees('book', { ...wish, status_code: kept.status_code, code: await readsCode(lee.email) })

  say('## Signed in')
  say('> **Sam:** What have I booked there?')
  say('`my_bookings` is answered with 401 and where to sign in; the client shows the page, Sam signs in and allows it.')
  const sams = recorded(await signedIn())
  await sams('my_bookings', {})
  say('> **Sam:** Then book me the same, a day later.')
  const next = await sams('find_times', { service_ids, from: wednesday, to: wednesday, limit: 2 })
  const [early, later] = next.times
  const person = { first_name: 'Sam', last_name: 'Reed', phone: '+12125550199' }
  const { booking_id } = await sams('book', { slot_id: early.slots[0].slot_id, person })
  say('> **Sam:** A little later would be better.')
  await sams('move_booking', { booking_id, slot_id: later.slots[0].slot_id })
  say('> **Sam:** I cannot come after all.')
  await sams('cancel_booking', { booking_id })
  return `${lines.join('\n')}\n`
}
