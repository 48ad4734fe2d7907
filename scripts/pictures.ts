import { execFile } from 'node:child_process'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Browser, chromium } from 'playwright-core'
import { readDefinitionFile } from '../src/domain/definition/read-definition.ts'
import { withDemo } from './transcript/demo.ts'
import { usualTuesday } from './transcript/usual-tuesday.ts'

/**
 * Writes the pictures for README.md: the booking page and the desk of the demo salon on a busy day. Needs the Debian
 * package `chromium`.
 */
const FOLDER = 'docs/images'
const SIZE = { width: 1200, height: 1000 }
const { definition } = readDefinitionFile('examples/glamour-salon.yaml')
const tuesday = usualTuesday(definition, Date.now())

/** Each row: the service, the staff member, which free time of the day to book, and the name of the buyer. */
const BOOKINGS: [service: string, staff: string | undefined, nth: number, name: string][] = [
  ['svc_haircut', 'staff_jane', 0, 'Rosa Díaz'],
  ['svc_haircut', 'staff_jane', 5, 'Amara Okafor'],
  ['svc_color', 'staff_jane', 8, 'Lena Fischer'],
  ['svc_haircut', 'staff_alex', 2, 'Tom Becker'],
  ['svc_haircut', 'staff_alex', 9, 'Jonas Weber'],
  ['svc_massage', undefined, 1, 'Mira Novak'],
  ['svc_massage', undefined, 4, 'Paul Martin'],
  ['svc_massage', undefined, 7, 'Sofia Rossi'],
  ['svc_yoga', undefined, 0, 'Yuki Tanaka'],
  ['svc_yoga', undefined, 0, 'Noah Klein'],
]

await withDemo(async (origin, env) => {
  const token = (await readFile(join(env.USP_DATA_DIR ?? '', 'owner-token'), 'utf8')).trim()
  for (const booking of BOOKINGS) await book({ origin, token }, booking)
  const { stdout } = await promisify(execFile)(process.execPath, ['src/main.ts', 'staff', 'link', 'Owner'], { env })
  const [link = ''] = /http\S+/.exec(stdout) ?? []
  await mkdir(FOLDER, { recursive: true })
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
  try {
    await picture(browser, 'booking', [`${origin}/book/svc_haircut?day=${tuesday}`])
    await picture(browser, 'desk', [link, `${origin}/desk?date=${tuesday}`])
  } finally {
    await browser.close()
  }
})

async function book(
  { origin, token }: { origin: string; token: string },
  [service_id, staff, nth, name]: (typeof BOOKINGS)[number],
): Promise<void> {
  const [first_name, last_name] = name.split(' ')
  const call = async (path: string, body: object) => {
    const answer = await fetch(`${origin}/usp/v1${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    })
    return answer.json() as Promise<{ slots?: Slot[]; messages?: object[] }>
  }
  const day = { start_date: tuesday, end_date: tuesday }
  const { slots = [] } = await call('/availability/query', { service_id, ...day, limit: 200 })
  const free = slots.filter(({ resources }) => staff === undefined || resources?.some(({ id }) => id === staff))
  const booked = await call('/business/bookings', {
    service_id,
    slot_id: free[nth]?.id,
    party_size: 1,
    buyer: { first_name, last_name, phone_number: '+12125550143' },
  })
  if (booked.messages) throw new Error(`${service_id} for ${name}: ${JSON.stringify(booked.messages)}`)
}

interface Slot {
  id: string
  resources?: { id: string }[]
}

/** Opens the pages one after another, and takes a picture of the last page. */
async function picture(browser: Browser, name: string, urls: string[]): Promise<void> {
  const page = await browser.newPage({ viewport: SIZE })
  for (const url of urls) {
    await page.goto(url)
    // A desk link signs in only after the person presses a button, because mail programs open links too.
    const enter = page.locator('form button').first()
    if (url !== urls.at(-1)) await Promise.all([page.waitForURL(/\/desk/), enter.click()])
  }
  await page.screenshot({ path: join(FOLDER, `${name}.png`) })
  await page.close()
}
