import { expect, test } from 'vitest'
import { commandLine } from '../definition/command.ts'
import { freshDatabase } from '../support/database.ts'
import { mailingShop } from './mailing-shop.ts'

const databaseUrl = await freshDatabase()
const shop = await mailingShop(undefined, {}, {}, databaseUrl)
const { usp } = commandLine(databaseUrl)
const mails = (...args: string[]) => usp('mails', ...args)

test('mails are listed, shown, and sent again under the id they had', async () => {
  await shop.tell({}, { subject: 'booking bkg_1' })
  await shop.tell({}, { subject: 'booking bkg_2' })
  await shop.sendAfter()
  const id = (await shop.rows())[0]?.id ?? ''
  // What these tests tell is no booking, and the command puts it into words as the server does.
  await shop.runtime.db
    .updateTable('mails')
    .set({ snapshot: { people: { erased: true } } })
    .execute()
  const { out } = await mails('list', '--status', 'sent')
  expect(out.split('\n')[0]).toMatch(/^id +channel +kind +subject +to +status +attempts +at$/)
  expect(out).toMatch(new RegExp(`${id} +mail +booking\\.confirmed +booking bkg_1 +alice@example\\.com +sent +1 `))
  expect((await mails('list', '--subject', 'booking bkg_2')).out.trim().split('\n')).toHaveLength(2)
  expect((await mails('list', '--status', 'given_up')).out).toBe('None.\n')
  expect((await mails('show', id)).out).toContain('booking bkg_1')
  expect((await mails('replay', id)).out).toBe(`${id} is sent again, with the same Message-ID.\n`)
  expect(await shop.rows()).toMatchObject([{ id, status: 'waiting', first: true }, { status: 'sent' }])
  expect(await mails('replay', id)).toMatchObject({ code: 1, err: expect.stringContaining('it still waits') })
})

test.each([
  ['nothing', []],
  ['an unknown status', ['list', '--status', 'lost']],
  ['no id', ['show']],
  ['another option', ['list', '--all']],
])('with %s it says how it is called', async (_, args) => {
  expect(await mails(...args)).toEqual({
    code: 1,
    out: '',
    err: expect.stringMatching(/^Usage: usp mails list/),
  })
})
