/** What a server runs that sends mails, with the letters of these tests. */
import { open } from '../../src/cli/open.ts'
import { startMailWorker } from '../../src/mails/mail-worker.ts'
import { letters } from './letters.ts'

const { runtime, databaseUrl, beforeClose } = await open()
beforeClose(startMailWorker({ ...runtime, letters }, databaseUrl).close)
console.log('The mailer runs.')
