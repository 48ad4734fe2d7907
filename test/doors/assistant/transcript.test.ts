import { afterAll, expect, test, vi } from 'vitest'
import { ROSA, salon, visitor } from '../../book/visitor.ts'
import { signedIn } from '../../oauth/assistant.ts'
import { START, testServer } from '../../support/server.ts'
import { assistant, pathOf } from './talk.ts'

// The authorization server goes by the clock of the machine.
vi.useFakeTimers({ toFake: ['Date'], now: START })
afterAll(() => void vi.useRealTimers())

const FILE = '../../../docs/assistant-conversation.md'
const shop = await testServer(salon())
const lines: string[] = []
const say = (...more: string[]) => void lines.push(...more, '')

/** Without what is made anew each time: ids and secrets. */
const settled = (text: string) =>
  text
    .replace(/(bkg|hold)_[\w-]{16}/g, '$1_…')
    .replace(/(hold_…\.|visit=)[\w-]+/g, '$1…')
    .replace(/\b[B-Z]{4}-[B-Z]{4}\b/g, 'BCDF-GHJK')

/** An assistant whose calls are written down. */
const recorded = (from: Parameters<typeof assistant>[1] = {}) => {
  const { call } = assistant(shop, from)
  return async (name: string, args: object = {}) => {
    const heard = await call(name, args)
    const refused = heard.isError ? ' (it was refused)' : ''
    say(`→ **${name}** \`${JSON.stringify(args)}\`${refused}`)
    say('```text', heard.text, '```')
    return heard.data
  }
}

test('[a conversation with an assistant] is written down as it goes', async () => {
  say('# A conversation')
  say(
    'What an assistant that knows nothing but the address of `/mcp` calls at the demo business, and what it is told. The people’s',
    'words are made up; all else is as it was answered, without secrets. `npm run transcript` writes it, and a test says when it is',
    'no longer so.',
  )

  say('## Nobody has signed in')
  const stranger = recorded()
  say('> **Rosa:** Get me a haircut at Glamour Salon, Tuesday around noon.')
  const { services } = await stranger('find_services', { query: 'haircut', limit: 1 })
  const { service_id } = services[0]
  const { times } = await stranger('find_times', {
    service_ids: [service_id],
    from: '2026-11-24T12:00:00-05:00',
    to: '2026-11-24',
    limit: 3,
  })
  say('> **Rosa:** The first one, please.')
  const { link, status_code } = await stranger('book', { slot_id: times[0].slots[0].slot_id })
  say('> **Assistant:** It is kept for you. Open the link, say who you are, and press the button.')
  say('Rosa opens it.')
  await visitor(shop).open(pathOf(link))
  await stranger('booking_status', { status_code })
  say('Rosa fills in her name and books.')
  await visitor(shop).fill(pathOf(link), ROSA)
  await stranger('booking_status', { status_code })

  say('## Signed in')
  say('> **Sam:** What have I booked there?')
  say('`my_bookings` is answered with 401 and where to sign in; the client shows the page, Sam signs in and allows it.')
  const { access } = await signedIn(shop)
  const sam = recorded({ headers: { authorization: `Bearer ${access}` } })
  await sam('my_bookings')
  say('> **Sam:** Then book me the same, a day later.')
  const next = await sam('find_times', { service_ids: [service_id], from: '2026-11-25', to: '2026-11-25', limit: 2 })
  const person = { first_name: 'Sam', last_name: 'Reed', phone: '+12125550199' }
  const { booking_id } = await sam('book', { slot_id: next.times[0].slots[0].slot_id, person })
  say('> **Sam:** A little later would be better.')
  await sam('move_booking', { booking_id, slot_id: next.times[1].slots[0].slot_id })
  say('> **Sam:** I cannot come after all.')
  await sam('cancel_booking', { booking_id })

  expect(shop.logged.join('\n')).not.toContain('Reed')
  await expect(settled(lines.join('\n'))).toMatchFileSnapshot(FILE)
})
