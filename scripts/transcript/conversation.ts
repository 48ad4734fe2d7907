import { daysLater } from '../../src/infra/time/time-zone.ts'

/** Calls a tool. Returns its text, its data, and whether the call failed. */
export type Call = (
  tool: string,
  input: object,
  // biome-ignore lint/suspicious/noExplicitAny: what a tool says is described in its text
) => Promise<{ text: string; data: any; isError: boolean }>

export interface Cast {
  /** Calls of an assistant that knows only the address of the server. */
  stranger: Call
  /** The person opens the link. Later they enter their details and book. */
  opens(link: string): Promise<unknown>
  books(link: string): Promise<unknown>
  readsCode(email: string): Promise<string>
  /** Returns the calls of an assistant whose person signs in when the server requires it. */
  signedIn(): Promise<Call>
}

const INTRODUCTION = `# A conversation with an AI assistant

This page shows the calls of an AI assistant to the demo business, and the answers of the server. The assistant knows only the address of
\`/mcp\`. Lines with \`→\` are calls of the assistant. The text boxes below them are the answers.

\`npm run transcript\` records the calls and answers, and writes this page. It starts the demo with \`npm start\`, calls it with the standard
TypeScript client, and opens its pages with Chromium. Only the words of the people are invented. Ids and references are replaced by numbers,
secrets by \`…\`, and the dates are always the same.`

/** Plays all ways to book on the given Tuesday, from the first question to the booking. Returns a page in Markdown. */
export async function conversation(
  { stranger, opens, books, readsCode, signedIn }: Cast,
  tuesday: string,
): Promise<string> {
  const lines = [INTRODUCTION]
  const say = (...more: string[]) => void lines.push('', ...more)
  const recorded =
    (call: Call): ((...parameters: Parameters<Call>) => Promise<Awaited<ReturnType<Call>>['data']>) =>
    async (tool, input) => {
      const { text, data, isError } = await call(tool, input)
      say(`→ **${tool}** \`${JSON.stringify(input)}\`${isError ? ' (refused)' : ''}`)
      say('```text', text, '```')
      return data
    }
  const wednesday = daysLater(tuesday, 1)

  say('## Without a sign-in: the person books on a page')
  const rosas = recorded(stranger)
  say('> **Rosa:** Get me a haircut at Glamour Salon, Tuesday around noon.')
  const { services } = await rosas('find_services', { query: 'haircut', limit: 1 })
  const service_ids = [services[0].service_id]
  const { times } = await rosas('find_times', { service_ids, from: `${tuesday}T12:00:00`, to: tuesday, limit: 3 })
  say('> **Rosa:** The first one, please.')
  const { link, status_code } = await rosas('book', { slot_id: times[0].slots[0].slot_id })
  say('> **Assistant:** The time is reserved for you. Open this link, enter your name, and press the button.')
  say('Rosa opens the link. The assistant asks for the status.')
  await opens(link)
  await rosas('booking_status', { status_code })
  say('Rosa enters her name and books. The assistant asks for the status again.')
  await books(link)
  await rosas('booking_status', { status_code })

  say('## Without a sign-in: the person tells the assistant a code from a mail')
  say(
    '> **Lee:** The same for me on that day, after two. I would rather stay in this chat; mail goes to lee@example.com.',
  )
  const lees = recorded(stranger)
  const after = await lees('find_times', { service_ids, from: `${tuesday}T14:00:00`, to: tuesday, limit: 1 })
  const lee = { first_name: 'Lee', last_name: 'Park', email: 'lee@example.com', phone: '+12125550187' }
  const bookInput = { slot_id: after.times[0].slots[0].slot_id, person: lee }
  const held = await lees('book', bookInput)
  say('> **Lee:** Here is the code.')
  await lees('book', { ...bookInput, status_code: held.status_code, code: await readsCode(lee.email) })

  say('## With a sign-in')
  say('> **Sam:** What have I booked there?')
  say(
    'The server answers the call `my_bookings` with 401 and the address of the sign-in page. The client opens this page. Sam signs in and allows access.',
  )
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
