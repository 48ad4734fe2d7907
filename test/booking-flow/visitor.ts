import { readDefinitionFile } from '../../src/domain/definition/read-definition.ts'
import type { BusinessDefinition } from '../../src/protocol/types.generated.ts'
import type { Answer, TestServer } from '../support/server.ts'

/** The demo business, as a test wants it. */
export const salon = (more: Partial<BusinessDefinition> = {}): BusinessDefinition => ({
  ...readDefinitionFile('examples/glamour-salon.yaml').definition,
  ...more,
})

export const ROSA = { first_name: 'Rosa', last_name: 'Díaz', email: 'rosa@example.com', phone: '212 555 0143' }

const textOf = (markup: string) =>
  markup
    .replace(/&#39;/g, "'")
    .replace(/&quot;/g, '"')
    .replace(/&lt;/g, '<')
    .replace(/&amp;/g, '&')

/** What somebody does with a browser that runs no scripts, one page after the other. */
export function visitor(shop: TestServer, headers: Record<string, string> = {}) {
  const open = (url: string): Promise<Answer> => shop.raw({ method: 'GET', url, headers })
  const send = (url: string, form: Record<string, string>, more: Record<string, string> = {}): Promise<Answer> =>
    shop.raw({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers, ...more },
      payload: new URLSearchParams(form).toString(),
    })
  const formOf = ({ body }: Answer) => ({
    action: textOf(/<form method="post" action="([^"]*)"/.exec(body)?.[1] ?? ''),
    token: textOf(/name="form" value="([^"]*)"/.exec(body)?.[1] ?? ''),
    terms: textOf(/name="terms" value="([^"]*)"/.exec(body)?.[1] ?? ''),
  })
  return {
    open,
    send,
    formOf,
    /** The times of the day that a page shows, as its buttons say them. */
    times: ({ body }: Answer) =>
      [...String(body).matchAll(/<button name="time" value="((\d+)-\d+)">([^<]*)/g)].map(
        ([, time = '', start = '', clock = '']) => ({ time, start, clock }),
      ),
    /** Presses a time; the answer leads to the details. */
    async press(page: Answer, time: string) {
      const { action, token } = formOf(page)
      return send(action, { time, form: token })
    },
    /** Fills in the details and sends them, as slowly as a person does. */
    async fill(address: string, values: Record<string, string>) {
      const { token } = formOf(await open(address))
      shop.time.now = new Date(shop.time.now.getTime() + 5_000)
      return send(address, { form: token, ...values })
    },
    /** From a service to its booking, by the first time that is shown or the one that is named. */
    async book(url: string, values: Record<string, string> = ROSA, wish?: string) {
      const page = await open(url)
      const time = this.times(page).find(({ start, clock }) => wish === undefined || start === wish || clock === wish)
      const held = await this.press(page, time?.time ?? '')
      return { start: time?.start ?? '', held, done: await this.fill(held.headers.location ?? '', values) }
    },
  }
}
