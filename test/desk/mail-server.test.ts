import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'
import { expect, test } from 'vitest'
import { sendDueMails } from '../../src/core/mails/mail-worker.ts'
import { setMailServer } from '../../src/domain/desk/setup/set-mail-server.ts'
import { fingerprintOf } from '../../src/pipeline/idempotency.ts'
import type { Operation } from '../../src/protocol/define-operation.ts'
import { type PostOffice, postOffice } from '../mails/post-office.ts'
import { expectProblem, onBothDesks, testShop, type Who } from '../support/desk.ts'
import { studio } from './studio.ts'

const [office, other] = await Promise.all([postOffice(), postOffice()])
const SENDER = 'Test Studio <book@studio.example>'
const serverAt = ({ url }: PostOffice, more: object = {}) => ({
  host: '127.0.0.1',
  port: Number(new URL(url).port),
  security: 'starttls',
  sender: SENDER,
  ...more,
})
const signedInAt = (one: PostOffice, more: object = {}) =>
  serverAt(one, { username: 'book', password: 'right/@', ...more })

/** The server looks for another mail server once a second. */
const NOTICED_MS = 1_100

await onBothDesks(
  () => testShop(studio),
  (desk, shop) => {
    const { db } = shop.runtime
    const call = async (what: string, input: Record<string, unknown> = {}, as?: Who) =>
      desk.call(`usp_business_mail_server_${what}`, input, { as: as ?? (await shop.staffAs('owner')) })
    const arrivedAt = async ({ arrivals }: PostOffice, work: () => Promise<unknown>) => {
      const before = arrivals.length
      await work()
      await sleep(NOTICED_MS)
      shop.minutesLater(1)
      await sendDueMails(shop.runtime)
      return arrivals.slice(before).map(({ to, mail }) => ({ to, from: mail.from?.text, subject: mail.subject }))
    }
    const testMail = () => call('test', { to: 'Owner@Example.com' })
    const arrived = [
      {
        to: ['owner@example.com'],
        from: expect.stringContaining('book@studio.example'),
        subject: 'Test mail from Test Studio',
      },
    ]

    test('[mail server] mails go out through the server that an owner enters, and through the next one at once', async () => {
      expect((await call('get')).data.source).toBe('none')
      const { data } = await call('set', signedInAt(office))
      expect(data).toMatchObject({
        source: 'desk',
        mail_server: { host: '127.0.0.1', username: 'book', has_password: true },
      })
      expect(await arrivedAt(office, testMail)).toEqual(arrived)
      expect((await call('get')).data.last_test).toEqual({ status: 'sent' })
      await call('set', serverAt(other))
      expect(await arrivedAt(other, testMail)).toEqual(arrived)
      // A test of another mail server says nothing about this one.
      await call('set', serverAt(office))
      expect((await call('get')).data).not.toHaveProperty('last_test')
      expect((await testMail()).data.last_test).toEqual({ status: 'waiting' })
      expect((await call('remove')).data.source).toBe('none')
      expect(await arrivedAt(other, testMail)).toEqual([])
    })

    test('[mail server] a failed test is tried once, and is in no inbox', async () => {
      await call('set', signedInAt(office, { password: 'wrong' }))
      await arrivedAt(office, testMail)
      expect((await desk.call('usp_business_inbox_given_up', {}, { as: shop.staff })).data.given_up).toEqual([])
      shop.minutesLater(24 * 60)
      expect(await arrivedAt(office, async () => call('set', signedInAt(office)))).toEqual([])
    })

    test('[mail server] of owners who change it at once each change is whole', async () => {
      const changes = Array.from({ length: 8 }, (_, nth) =>
        nth % 2 === 0 ? call('set', signedInAt(office)) : call('remove'),
      )
      await Promise.all(changes)
      await call('set', signedInAt(office))
      await Promise.all([call('remove'), call('set', serverAt(office, { username: 'book', sender: 'a@b.example' }))])
      const { data } = await call('get')
      expect(data.mail_server?.has_password ?? 'removed').toBe(data.source === 'none' ? 'removed' : true)
    })

    test('[mail server] the audit log names the host, and neither the user nor the password', async () => {
      await call('set', signedInAt(office))
      const entry = await db.selectFrom('changes').selectAll().orderBy('number', 'desc').executeTakeFirstOrThrow()
      expect(entry.detail).toMatchObject({ now: `127.0.0.1:${new URL(office.url).port}` })
      expect(JSON.stringify(entry)).not.toMatch(/right|"book"/)
    })

    test('[mail server] the organizer of an invitation is the sender, as calendar programs demand', async () => {
      await call('set', signedInAt(office))
      await sleep(NOTICED_MS)
      const [slot] = await desk.slots('svc_cut')
      const buyer = { first_name: 'Ann', email: 'ann@example.com' }
      const input = { service_id: 'svc_cut', slot_id: slot.id, buyer }
      const book = () => desk.call('usp_business_bookings_create', input, { as: shop.staff })
      expect(await arrivedAt(office, book)).toMatchObject([{ to: ['ann@example.com'] }])
      const [calendar] = office.arrivals.at(-1)?.mail.attachments ?? []
      expect(calendar?.content.toString()).toContain('ORGANIZER;CN="Test Studio":mailto:book@studio.example')
    })

    test('[mail server] the password is in no answer, no row, no log and no mail', async () => {
      await call('set', signedInAt(office))
      await arrivedAt(office, testMail)
      const stored = [
        await db.selectFrom('mail_server').selectAll().execute(),
        await db.selectFrom('changes').selectAll().execute(),
      ]
      const seen = JSON.stringify([stored, shop.logged, (await call('get')).data, office.arrivals])
      expect(seen).not.toContain('right/@')
      const [row] = await db.selectFrom('mail_server').select('password').execute()
      expect(row?.password?.toString('utf8')).not.toContain('right/@')
    })

    test('[mail server] a repeated call is recognized, and nobody can guess the password from what recognizes it', async () => {
      const [idempotencyKey, as, input] = [randomUUID(), await shop.staffAs('owner'), signedInAt(office)]
      const set = (more: object) =>
        desk.call('usp_business_mail_server_set', { ...input, ...more }, { as, idempotencyKey })
      expect((await set({})).code).toBeUndefined()
      expect((await set({})).code).toBeUndefined()
      expect((await set({ password: 'another' })).code).toBe('idempotency_conflict')
      const stored = await db
        .selectFrom('replies')
        .select('fingerprint')
        .where('key', '=', idempotencyKey)
        .executeTakeFirst()
      const { hasSecretInput: _, ...plain } = setMailServer
      expect(stored?.fingerprint).toEqual(fingerprintOf({ operation: setMailServer, input }, shop.runtime.replyKey))
      expect(stored?.fingerprint).not.toEqual(
        fingerprintOf({ operation: plain as Operation, input }, shop.runtime.replyKey),
      )
    })

    test('[mail server] a stored password stays for the same host and user, and goes to no other', async () => {
      await call('set', signedInAt(office))
      const kept = await call('set', serverAt(office, { username: 'book' }))
      expect(kept.data.mail_server.has_password).toBe(true)
      expect(await arrivedAt(office, testMail)).toEqual(arrived)
      for (const more of [{ username: 'other' }, { username: 'book', host: 'localhost' }]) {
        expectProblem(await call('set', serverAt(office, more)), 'validation_error', 'password')
      }
      expectProblem(await call('set', serverAt(office, { password: 'right/@' })), 'validation_error', 'username')
    })

    test('[mail server] what the mail server answers is told', async () => {
      await call('set', signedInAt(office, { password: 'wrong' }))
      expect(await arrivedAt(office, testMail)).toEqual([])
      expect((await call('get')).data.last_test).toMatchObject({
        status: 'given_up',
        problem: expect.stringContaining('AUTH'),
      })
    })

    test('[mail server] a certificate that nobody vouches for is refused, and the password is not sent', async () => {
      const seen: string[] = []
      const server = new SMTPServer({
        secure: true,
        onAuth: ({ username = '' }, _, done) => done(null, { user: seen.push(username) }),
      })
      server.on('error', () => {})
      server.listen(0, '127.0.0.1')
      await once(server.server, 'listening')
      const { port } = server.server.address() as AddressInfo
      await call('set', signedInAt(office, { port, security: 'tls' }))
      await arrivedAt(office, testMail)
      await new Promise<void>((resolve) => server.close(() => resolve()))
      expect((await call('get')).data.last_test.problem).toMatch(/certificate/)
      expect(seen).toEqual([])
    })

    test.each([
      ['10.0.0.1', 'not on the public internet'],
      ['169.254.169.254', 'not on the public internet'],
      ['nowhere.invalid', 'cannot be resolved'],
    ])('[mail server] %s is refused', async (host, why) => {
      const refused = await call('set', serverAt(office, { host }))
      expectProblem(refused, 'validation_error', 'host')
      expect(JSON.stringify(refused.data)).toContain(why)
    })

    test.each(['a b <x>', 'nobody', 'A\nB <a@b.example>'])('[mail server] the sender %j is refused', async (sender) => {
      expectProblem(await call('set', serverAt(office, { sender })), 'validation_error', 'sender')
    })

    test('[mail server] only owners see and change it: mails contain the links that sign an owner in', async () => {
      const manager = await shop.staffAs('manager')
      for (const [what, input] of [
        ['get', {}],
        ['set', serverAt(office)],
        ['test', { to: 'a@example.com' }],
        ['remove', {}],
      ] as const)
        expect((await call(what, input, manager)).code, what).toBe('authentication_required')
    })

    test('[mail server] ten test mails go out in an hour', async () => {
      shop.minutesLater(120)
      const codes = (await Promise.all(Array.from({ length: 12 }, testMail))).map(({ code }) => code)
      expect(codes.filter((code) => code === undefined)).toHaveLength(10)
      expect(codes.filter((code) => code === 'rate_limited')).toHaveLength(2)
      shop.minutesLater(61)
      expect((await testMail()).code).toBeUndefined()
    })
  },
)
