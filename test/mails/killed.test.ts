import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { freshDatabase } from '../support/database.ts'
import { nodeProcess, says } from '../support/process.ts'
import { FROM, mailingShop } from './mailing-shop.ts'
import { postOffice } from './post-office.ts'

const MAILS = 60

const folder = mkdtempSync(join(tmpdir(), 'usp-mails-'))
afterAll(() => rmSync(folder, { recursive: true }))
const databaseUrl = await freshDatabase()
const office = await postOffice()
const shop = await mailingShop(office, {}, {}, databaseUrl)

async function serve() {
  const running = nodeProcess(['test/mails/mailer.ts'], {
    DATABASE_URL: databaseUrl,
    SMTP_URL: office.url,
    MAIL_FROM: FROM,
    USP_DATA_DIR: folder,
    LOG_LEVEL: 'error',
  })
  await says(running, 'The mailer runs.')
  return running
}

test('[a crash loses no mail] a server that is killed while it sends loses none, and what comes twice has one Message-ID', async () => {
  for (let nth = 0; nth < MAILS; nth++) await shop.tell({ subject: `Mail ${nth}` })
  const first = await serve()
  await expect.poll(() => office.arrivals.length, { timeout: 30_000, interval: 1 }).toBeGreaterThan(3)
  first.process.kill('SIGKILL')
  await first.ended
  const left = await shop.runtime.db.selectFrom('mails').select('id').where('leased_until', 'is not', null).execute()
  expect(left.length).toBeGreaterThan(0)
  const next = await serve()
  const isSent = async () => (await shop.rows()).every(({ status }) => status === 'sent')
  await expect.poll(isSent, { timeout: 40_000 }).toBe(true)
  next.process.kill('SIGKILL')
  await next.ended
  const ids = Map.groupBy(office.arrivals, ({ mail }) => mail.subject)
  expect(ids.size).toBe(MAILS)
  for (const same of ids.values()) expect(new Set(same.map(({ mail }) => mail.messageId)).size).toBe(1)
}, 120_000)
