import { execFile, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { rmSync, statSync } from 'node:fs'
import { get } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { loopbackCertificate } from '../../src/core/egress/development/loopback-certificate.ts'
import { businessWith, service } from '../support/definitions.ts'
import { freePort } from '../support/process.ts'
import { callback, openBusiness } from './business.ts'

const { policies } = service('svc_b')
const business = await openBusiness(
  businessWith([
    service('svc_a', { name: 'Haircut', description: 'With a wash.' }),
    service('svc_b', { name: 'Massage', policies: { ...policies, payment_timing: 'at_booking' } }),
  ]),
)
const root = fileURLToPath(new URL('../..', import.meta.url))
const data = join(tmpdir(), `usp-agent-${randomUUID()}`)
const env = { PATH: process.env.PATH, USP_DATA_DIR: data, AGENT_PORT: String(await freePort()) }
afterAll(() => rmSync(data, { recursive: true, force: true }))

interface Said {
  code: unknown
  output: string
  complaint: string
}

const agent = (...args: string[]) =>
  new Promise<Said>((resolve) => {
    const all = ['packages/client/run-agent-command.ts', '--url', business.url, ...args]
    execFile(join(root, 'node_modules/.bin/node'), all, { cwd: root, env }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, output: stdout.trim(), complaint: stderr.trim() }),
    )
  })

describe.each([[[]], [['--mcp']], [['--sign']], [['--mcp', '--sign']]])('with the flags %j', (flags) => {
  test('the catalogue is shown', async () => {
    expect((await agent('services', 'hiarcut', ...flags)).output).toMatch(/^svc_a +Haircut$/)
    expect((await agent('service', 'svc_a', ...flags)).output).toBe('Haircut (svc_a)\nfixed $75.00\nWith a wash.')
  })

  test('a subscription is made, found again by the next process, and ended', async () => {
    const { output } = await agent('subscribe', callback, ...flags)
    expect(output).toMatch(new RegExp(`^sub_\\S+  active  ${callback}$`))
    const [id = ''] = output.split(' ')
    expect((await agent('pause', id, ...flags)).output).toContain('paused')
    expect((await agent('resume', id, ...flags)).output).toContain('active')
    expect(JSON.parse((await agent('subscription', id, '--json', ...flags)).output).subscription.id).toBe(id)
    expect((await agent('unsubscribe', id, ...flags)).output).toContain('canceled')
  })
})

test.each([[[]], [['--mcp', '--sign']]])(
  'with the flags %j a slot is found, held, booked, paid, moved and canceled, one process after the other',
  async (flags) => {
    const say = async (...args: string[]) => (await agent(...args, ...flags)).output
    const day = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10)
    const slots = (await say('slots', 'svc_b', day, day)).split('\n').map((line) => line.split(/\s+/).at(-1) ?? '')
    const [slot = '', , , other = ''] = slots
    const [hold = ''] = (await say('hold', 'svc_b', slot)).split(' ')
    const [booking = ''] = (await say('book', 'svc_b', slot, hold)).split(' ')
    const waiting = await say('booking', booking)
    expect(waiting).toMatch(/^bkg_\S+ {2}requires action {2}Massage/)
    expect(waiting).toContain('due: $75.00')
    expect(waiting).toMatch(/^payment: http/m)
    expect(await say('pay', booking)).toMatch(/confirmed {2}Massage/)
    expect((await agent('pay', booking, ...flags)).complaint).toBe('Nothing is due.')
    expect(await say('reschedule', booking, other)).toContain('confirmed')
    expect(await say('cancel', booking)).toContain('refunded: $75.00')
    const [again = ''] = (await say('hold', 'svc_b', slot)).split(' ')
    expect(await say('release', again)).toContain('released')
    expect((await agent('booking', 'bkg_none', ...flags)).complaint).toMatch(/^booking_not_found: /)
  },
)

test('a week of slots is all there, though it takes several pages', async () => {
  const slots = (await agent('slots', 'svc_a')).output.trim().split('\n')
  expect(slots.length).toBeGreaterThan(50)
  const first = (await agent('slots', 'svc_a', '--mcp')).output.trim().split('\n')
  expect(first).toEqual(slots)
})

test('the key is kept where nobody else reads it', async () => {
  await agent('services')
  expect(statSync(join(data, 'agent-key.json')).mode & 0o777).toBe(0o600)
})

test.each([
  [['service', 'svc_none'], /^service_not_found: /],
  [['subscription', 'sub_none'], /^subscription_not_found: /],
  [
    ['services', '--url', 'http://127.0.0.1:1'],
    /^http:\/\/127.0.0.1:1 did not answer\. Start a business with npm start/,
  ],
  [['services', '--url', 'nowhere'], /^--url nowhere is not a URL\.$/],
  [['services', '--loud'], /--loud/],
])('%j fails with one line', async (args, line) => {
  const { code, output, complaint } = await agent(...args)
  expect(complaint).toMatch(line)
  expect(complaint.split('\n')).toHaveLength(1)
  expect([code, output]).toEqual([1, ''])
})

test('its profile is there for other clients until it is stopped', async () => {
  const all = ['packages/client/run-agent-command.ts', '--url', business.url, 'profile']
  const running = spawn(join(root, 'node_modules/.bin/node'), all, { cwd: root, env })
  const [said] = await once(running.stdout, 'data')
  const [answer] = await once(get(String(said).trim(), { ca: loopbackCertificate().cert }), 'response')
  expect(JSON.parse(await text(answer))).toMatchObject({ keys: [{ kty: expect.any(String) }] })
  running.kill('SIGINT')
  expect(await once(running, 'close')).toEqual([0, null])
})

test('without a command, and with a wrong one, it tells what there is', async () => {
  expect((await agent()).output).toMatch(/^Usage: npm run agent -- COMMAND/)
  expect(await agent('book')).toMatchObject({ code: 1, complaint: expect.stringMatching(/^Usage: /) })
  expect(await agent('service')).toMatchObject({ code: 1, complaint: expect.stringMatching(/^Usage: /) })
})
