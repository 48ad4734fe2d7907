import { readFileSync } from 'node:fs'
import { afterAll, expect, test, vi } from 'vitest'
import { conversation } from '../../../scripts/transcript/conversation.ts'
import { stable } from '../../../scripts/transcript/stable.ts'
import { usualTuesday } from '../../../scripts/transcript/usual-tuesday.ts'
import { ROSA, salon, visitor } from '../../booking-flow/visitor.ts'
import { signedIn } from '../../oauth/assistant.ts'
import { START, testServer } from '../../support/server.ts'
import { assistant, pathOf } from './talk.ts'

// The authorization server goes by the clock of the machine.
vi.useFakeTimers({ toFake: ['Date'], now: START })
afterAll(() => void vi.useRealTimers())

const PAGE = 'docs/assistant-conversation.md'
const shop = await testServer(salon())

test('[a conversation with an assistant] goes as the page of it says', async () => {
  const tuesday = usualTuesday(salon(), START.getTime())
  const cast = {
    stranger: assistant(shop).call,
    opens: (link: string) => visitor(shop).open(pathOf(link)),
    books: (link: string) => visitor(shop).fill(pathOf(link), ROSA),
    async readsCode(email: string) {
      const { body: mails } = await shop.raw({ method: 'GET', url: '/mails' })
      const [, id] = new RegExp(`${email}[^]*?/mails/([^"]+)"`).exec(mails) ?? []
      const { body: mail } = await shop.raw({ method: 'GET', url: `/mails/${id}/html` })
      return /<h1[^>]*>\D*(\d{8})/.exec(mail)?.[1] ?? ''
    },
    async signedIn() {
      const { access } = await signedIn(shop)
      return assistant(shop, { headers: { authorization: `Bearer ${access}` } }).call
    },
  }
  const went = stable(await conversation(cast, tuesday), tuesday)
  expect(went, 'npm run transcript').toBe(readFileSync(PAGE, 'utf8'))
  expect(shop.logged.join('\n')).not.toMatch(/Reed|Park|lee@|Díaz/)
})

test.each([
  ['2026-11-26', '2026-12-01'],
  ['2026-12-20', '2027-01-05'],
])('[a conversation with an assistant] that is had on %s is about %s, when nobody is away', (today, tuesday) => {
  expect(usualTuesday(salon(), Date.parse(today))).toBe(tuesday)
})
