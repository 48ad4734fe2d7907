import { chromium, type Page } from 'playwright-core'

/** A person with a browser. The methods are their actions on the pages of a business. */
export async function person(origin: string) {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  })
  const page = await browser.newPage({ locale: 'en-US' })
  page.setDefaultTimeout(300_000)
  async function mailTo(email: string) {
    await page.goto(`${origin}/mails`)
    await page.locator('tr', { hasText: email }).locator('a').first().click()
    return page.frameLocator('iframe')
  }

  return {
    opens: (link: string) => page.goto(link),

    /** Books on the page that is open now. */
    async books() {
      await fill(page, { first_name: 'Rosa', last_name: 'Díaz', email: 'rosa@example.com', phone: '212 555 0143' })
      // The server refuses a form that a person cannot have filled in so quickly.
      await page.waitForTimeout(3_000)
      await page.locator('main form button').last().click()
      await page.waitForURL(/\/booking\//)
    },

    /** Signs in as a new person. The mailed sign-in link leads back to the page on which the person allows access. */
    async signsIn(address: string, email: string) {
      await page.goto(address)
      await fill(page, { 'link-email': email })
      await page.locator('button[value=ask]').click()
      const link = await (await mailTo(email)).locator('a.button').getAttribute('href')
      await page.goto(link ?? '')
      await page.locator('main form button').first().click()
      await page.locator('button[value=allow]').click()
    },

    async readsCode(email: string) {
      const heading = await (await mailTo(email)).locator('h1').innerText()
      return /\d{8}/.exec(heading)?.[0] ?? ''
    },

    leaves: () => browser.close(),
  }
}

async function fill(page: Page, values: Record<string, string>): Promise<void> {
  for (const [id, value] of Object.entries(values)) await page.locator(`#${id}`).fill(value)
}
