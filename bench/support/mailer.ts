/** What a server runs that sends mails, with a letter of its own. */
import { createServer } from 'node:http'
import { open } from '../../src/cli/open.ts'
import { applyDefinition } from '../../src/definition/apply-definition.ts'
import { readDefinitionFile } from '../../src/definition/read-definition.ts'
import { startMailWorker } from '../../src/mails/mail-worker.ts'

const { runtime, databaseUrl, beforeClose } = await open()
const { config, db, clock } = runtime
await applyDefinition(db, readDefinitionFile(config.businessFile ?? '').definition, clock())
const letter = () => ({
  subject: 'Booked',
  heading: 'You are booked',
  paragraphs: ['We look forward to it.'],
  rows: [['When', 'Tuesday at 10:00']] as const,
  actions: [{ label: 'See the booking', url: 'https://salon.example/b/1' }],
})
const letters = { booking: letter, entry: letter, account: letter }
beforeClose(startMailWorker({ ...runtime, letters }, databaseUrl).close)
const health = createServer((_, response) => response.end()).listen(config.port, config.host)
beforeClose(async () => void health.close())
