import { execFile } from 'node:child_process'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pass } from 'node:timers/promises'
import { promisify } from 'node:util'
import { type Browser, chromium } from 'playwright-core'
import { simulatedDays } from '../src/cli/demo/simulated-days.ts'
import { readDefinitionFile } from '../src/domain/definition/read-definition.ts'
import { dateIn } from '../src/infra/time/time-zone.ts'
import { withDemo } from './transcript/demo.ts'
import { usualTuesday } from './transcript/usual-tuesday.ts'

/**
 * Writes the pictures for README.md: the booking pages and the desk of the demo salon with its invented bookings. Needs
 * the Debian package `chromium`.
 */
const FOLDER = 'docs/images'
const SIZE = { width: 1200, height: 1000 }
/** The inbox of the demo salon has this number of things to do when all bookings are made. */
const INBOX_TOTAL = 3
const { definition } = readDefinitionFile('examples/glamour-salon.yaml')
const now = Date.now()
const busyDay = simulatedDays(definition, dateIn(definition.business.timezone, now)).findLast(
  ({ isBusy }) => isBusy,
)?.date

await withDemo(
  async (origin, env) => {
    await demoDataMade(origin, env)
    const { stdout } = await promisify(execFile)(process.execPath, ['src/main.ts', 'staff', 'link', 'Owner'], { env })
    const [link = ''] = /http\S+/.exec(stdout) ?? []
    await mkdir(FOLDER, { recursive: true })
    const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
    try {
      await takePictures(browser, origin, link)
    } finally {
      await browser.close()
    }
  },
  { demoData: 'on' },
)

/** Waits until the server has made the last invented booking. */
async function demoDataMade(origin: string, env: NodeJS.ProcessEnv): Promise<void> {
  const token = (await readFile(join(env.USP_DATA_DIR ?? '', 'owner-token'), 'utf8')).trim()
  const headers = { authorization: `Bearer ${token}` }
  for (let total = 0; total < INBOX_TOTAL; await pass(1_000)) {
    const answer = await fetch(`${origin}/usp/v1/business/inbox`, { headers })
    const { inbox } = (await answer.json()) as { inbox: { total: number } }
    total = inbox.total
  }
}

async function takePictures(browser: Browser, origin: string, link: string): Promise<void> {
  const context = await browser.newContext({ viewport: SIZE, locale: 'en-US' })
  const page = await context.newPage()
  const picture = async (name: string, path: string) => {
    await page.goto(origin + path)
    // The pictures of the services and the scripts of the page need a moment.
    await page.waitForTimeout(1_000)
    await page.screenshot({ path: join(FOLDER, `${name}.png`) })
  }
  await picture('services', '/book')
  await picture('times', `/book/svc_haircut?day=${usualTuesday(definition, now)}`)
  await page.goto(link)
  // A desk link signs in only after the person presses a button, because mail programs open links too.
  await Promise.all([page.waitForURL(/\/desk$/), page.locator('form button').first().click()])
  await picture('desk', `/desk?date=${busyDay}`)
  await picture('reports', '/desk/reports')
  await context.close()
}
