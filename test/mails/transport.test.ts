import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { smtpTransport } from '../../src/core/mails/smtp.ts'
import { FROM, mailingShop } from './mailing-shop.ts'
import { postOffice } from './post-office.ts'

// Of this machine, but by no name that says so.
const [here, elsewhere] = await Promise.all([postOffice(), postOffice('127.0.0.2')])

async function handed(url: string, mode: 'development' | 'production') {
  const transport = smtpTransport({ url, from: FROM }, { mode })
  const message = { from: FROM, to: 'alice@example.com', subject: 'x', text: 'x' }
  return transport.send(message).finally(() => transport.close())
}

test('in production a server that offers no STARTTLS gets nothing, but on this machine', async () => {
  expect(await handed(here.url, 'production')).toEqual({ result: 'sent' })
  expect(await handed(elsewhere.url, 'development')).toEqual({ result: 'sent' })
  expect(await handed(elsewhere.url, 'production')).toMatchObject({
    result: 'failed',
    problem: expect.stringContaining('TLS'),
  })
  expect(elsewhere.arrivals).toHaveLength(1)
})

const withPassword = (password: string) => here.url.replace('smtp://', `smtp://book:${password}@`)

test('name and password are shown to the mail server, and stand in no log and no row', async () => {
  expect(await handed(withPassword('right%2F%40'), 'production')).toEqual({ result: 'sent' })
  const shop = await mailingShop({ url: withPassword('swordfish') })
  await shop.tell()
  await shop.sendAfter()
  expect(await shop.rows()).toMatchObject([
    { status: 'waiting', attempts: 1, problem: expect.stringContaining('AUTH') },
  ])
  const written = JSON.stringify([shop.logged, await shop.rows()])
  for (const secret of ['swordfish', Buffer.from('\0book\0swordfish').toString('base64')])
    expect(written).not.toContain(secret)
})

test('what the mail server answers is stored without characters that no database takes', async () => {
  const server = createServer((socket) => socket.on('error', () => {}).end('J\0\0\0\n\x02'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const { result, problem } = Object(await handed(`smtp://127.0.0.1:${port}`, 'development'))
  server.close()
  expect([result, problem]).toEqual(['failed', expect.stringContaining('J')])
  expect(problem).not.toMatch(/\p{Cc}/u)
})

test('a mail server that nobody reaches is asked again', async () => {
  expect(await handed('smtp://127.0.0.1:9', 'development')).toMatchObject({ result: 'failed' })
})
