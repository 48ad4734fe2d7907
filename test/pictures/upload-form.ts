import type { Answer, TestServer } from '../support/server.ts'

/** A person in a browser at the desk. */
interface Person {
  jar: Map<string, { value: string }>
  newToken(): Promise<string>
}

interface Upload {
  file?: Buffer
  fields?: Record<string, string>
  headers?: object
}

/** Sends the form for a picture, as a browser does without scripts. */
export async function upload(server: TestServer, person: Person, url: string, sent: Upload): Promise<Answer> {
  const { headers, payload } = await uploadRequest(person, sent)
  return server.raw({ method: 'POST', url, headers, payload })
}

/** The headers and the body of such a form. */
export async function uploadRequest(person: Person, { file, fields = {}, headers = {} }: Upload) {
  const form = new FormData()
  const all = { form: await person.newToken(), do: 'save', ...fields }
  for (const [name, value] of Object.entries(all)) form.append(name, value)
  form.append('picture', new Blob(file ? [new Uint8Array(file)] : []), file ? 'photo.exe' : '')
  const request = new Request('https://a.example', { method: 'POST', body: form })
  const cookie = [...person.jar].map(([key, { value }]) => `${key.split(' ')[0]}=${value}`).join('; ')
  const type = request.headers.get('content-type') ?? ''
  return {
    headers: { cookie, accept: 'text/html', 'content-type': type, ...headers },
    payload: Buffer.from(await request.arrayBuffer()),
  }
}
