import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { sendDueMails } from '../../../../src/core/mails/mail-worker.ts'
import { postOffice } from '../../../mails/post-office.ts'
import { deskSalon } from '../receptionist.ts'

const [office, { shop, signedIn }] = await Promise.all([postOffice(), deskSalon()])
const owner = await signedIn('owner')
const PATH = '/desk/setup/mail-server'
const entered = {
  do: 'save',
  host: '127.0.0.1',
  port: new URL(office.url).port,
  security: 'starttls',
  username: 'book',
  password: 'right/@',
  sender: 'Salon <book@salon.example>',
}
const sendTest = (to: string) => owner.send(PATH, { do: 'test', to })

/** Sends what is due, as the background thread does. */
let isOver = false
const worker = (async () => {
  for (; !isOver; await sleep(100)) {
    shop.time.now = new Date(shop.time.now.getTime() + 1_000)
    await sendDueMails(shop.runtime)
  }
})()
afterAll(() => {
  isOver = true
  return worker
})

test('[mail server] an owner enters it, sends a test mail, reads the answer and removes it', async () => {
  expect((await owner.open('/desk/setup')).body).toContain(`<a href="${PATH}">Mail server</a>`)
  expect((await owner.open(PATH)).body).not.toContain('Send a test mail')
  const saved = await owner.send(PATH, entered)
  expect([saved.status, saved.headers.location]).toEqual([303, `${PATH}?saved`])
  const { body } = await owner.open(`${PATH}?saved`)
  expect(body).toContain('A password is stored.')
  expect(body).toContain('value="Salon &lt;book@salon.example&gt;"')
  expect(body).not.toContain('right/@')
  await sleep(1_100)
  expect((await sendTest('jo@example.com')).status).toBe(303)
  expect(office.arrivals.map(({ to, mail }) => [to, mail.subject])).toEqual([
    [['jo@example.com'], 'Test mail from Test Studio'],
  ])
  expect((await owner.open(PATH)).body).toContain('The mail server accepted the test mail.')
  await owner.send(PATH, { ...entered, password: 'wrong' })
  await sleep(1_100)
  await sendTest('jo@example.com')
  expect((await owner.open(PATH)).body).toContain('The test mail was not sent.')
  await owner.send(PATH, { do: 'remove' })
  expect((await owner.open(PATH)).body).not.toContain('A password is stored.')
})

test.each([
  [{ host: '10.1.2.3' }, 'host', 'This server cannot be found on the internet.'],
  [{ host: 'a b' }, 'host', 'This server cannot be found on the internet.'],
  [{ port: '0' }, 'port', 'Mail servers use one of these ports:'],
  [{ port: 'x' }, 'port', 'Mail servers use one of these ports:'],
  [{ username: 'someone', password: '' }, 'password', 'Enter the password of this user.'],
  [{ username: '' }, 'username', 'A password needs a user name.'],
  [{ sender: 'nobody' }, 'sender', 'Enter an email address, or a name'],
])('[mail server] what is wrong is said at its field: %j', async (wrong, field, text) => {
  const { status, body } = await owner.send(PATH, { ...entered, ...wrong })
  expect(status).toBe(409)
  expect(body).toContain(`<a href="#${field}">`)
  expect(body).toMatch(new RegExp(`id="${field}-error">${text}`))
})

test('[mail server] a form that was sent before is offered again without its password', async () => {
  const form = await owner.newToken()
  await owner.send(PATH, { ...entered, form })
  const { status, body } = await owner.send(PATH, { ...entered, form, sender: 'a@salon.example' })
  expect(status).toBe(409)
  expect(body).toContain('name="sender"')
  expect(body).not.toContain('right/@')
})

test('[mail server] a test mail goes to an email address only', async () => {
  await owner.send(PATH, entered)
  const { status, body } = await sendTest('nobody')
  expect([status, body.includes('<a href="#to">')]).toEqual([409, true])
})

test('[mail server] managers see neither the page nor its link', async () => {
  const manager = await signedIn('manager')
  expect((await manager.open('/desk/setup')).body).not.toContain(PATH)
  expect((await manager.open(PATH)).status).toBe(403)
  expect((await manager.send(PATH, entered)).status).toBe(403)
})

test('[mail server] where the operator chose it, the page says so and has no form for it', async () => {
  const other = await deskSalon({ SMTP_URL: office.url, MAIL_FROM: 'book@salon.example' })
  const one = await other.signedIn('owner')
  const { body } = await one.open(PATH)
  expect(body).toContain('The server administrator has set the mail server')
  expect(body).not.toContain('name="host"')
  expect(body).toContain('Send a test mail')
  const { status } = await one.send(PATH, entered)
  expect(status).toBe(409)
  expect(await other.shop.runtime.business.mailServer()).toBeUndefined()
})
