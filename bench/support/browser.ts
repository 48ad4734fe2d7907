import type { Answer, PreparedRequest } from './load.ts'

export const page = (path: string): PreparedRequest => ({ method: 'GET', path, headers: { 'accept-language': 'en' } })

export const form = (path: string, values: Record<string, string>): PreparedRequest => ({
  method: 'POST',
  path,
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams(values).toString(),
})

export const fieldIn = ({ body }: Answer, name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(body)?.[1] ?? ''

/** Returns the address of the first link on the page that contains this text. */
export const linkIn = ({ body }: Answer, part: string): string =>
  new RegExp(`href="([^"]*${part}[^"]*)"`).exec(body)?.[1]?.replaceAll('&amp;', '&') ?? ''

/** A free time of a service, with the request that a visitor's button would send to hold the time. */
export interface TimeButton {
  day: string
  time: string
  button: PreparedRequest
}

export async function timeButtons(origin: string, service: string, days: string[]): Promise<TimeButton[]> {
  const found: TimeButton[] = []
  for (const day of days) {
    const path = `/book/${service}?day=${day}`
    const body = await (await fetch(origin + path)).text()
    const token = fieldIn({ body, location: '' }, 'form')
    for (const [, time = ''] of body.matchAll(/<button name="time" value="([^"]*)"/g))
      found.push({ day, time, button: form(path, { time, form: token }) })
  }
  return found
}

/** Sends the request as if each visitor had another network address, because the server limits requests by network. */
export const fromElsewhere = (shot: PreparedRequest, index: number): PreparedRequest => ({
  ...shot,
  headers: { ...shot.headers, 'x-forwarded-for': `198.18.${index >> 8}.${index & 255}` },
})

/** Sends one request, and follows no redirects. Throws an error for an error status. */
export async function open(
  origin: string,
  { method, path, headers, body }: PreparedRequest,
): Promise<Answer & { cookie: string }> {
  const answer = await fetch(origin + path, {
    method,
    headers,
    ...(body !== undefined && { body }),
    redirect: 'manual',
  })
  if (answer.status >= 400) throw new Error(`${path} answered ${answer.status}`)
  const [cookie = ''] = (answer.headers.get('set-cookie') ?? '').split(';')
  return { body: await answer.text(), location: answer.headers.get('location') ?? '', cookie }
}
