/**
 * How long until the first byte of an answer: of a tool call at `/usp/mcp` and of an assistant's at `/mcp`, each beside the
 * same over REST, in turns with one connection, so that a busy machine slows all of them.
 */
import { Agent, request } from 'node:http'
import { median } from './support/load.ts'
import { business, service, staff, WEEK } from './support/salon.ts'
import { openStage } from './support/stage.ts'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 1500)
/** Until then the server is still being compiled. */
const WARM_UP = 600

const stage = await openStage()
const { origin } = await stage.serve('assistant', business([service('svc_cut', staff(3))], 3))
const agent = new Agent({ keepAlive: true, maxSockets: 1 })

/** Milliseconds until the first byte; the rest is read before anything else is asked. */
const firstByte = (method: string, path: string, input?: object): Promise<number> =>
  new Promise((resolve, reject) => {
    const body = input && JSON.stringify(input)
    const headers = body ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) } : {}
    const began = performance.now()
    request(origin + path, { method, agent, headers }, (answer) => {
      const took = performance.now() - began
      let text = ''
      answer.setEncoding('utf8').on('data', (chunk) => (text += chunk))
      answer.on('end', () => {
        if (answer.statusCode === 200 && !/"error":|"isError":true/.test(text)) resolve(took)
        else reject(new Error(`${path} answered ${answer.statusCode}: ${text}`))
      })
    })
      .on('error', reject)
      .end(body)
  })

const call = (path: string, name: string, given: object) =>
  firstByte('POST', path, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } })

const week = { service_id: 'svc_cut', ...WEEK }
const wish = { service_ids: ['svc_cut'], from: WEEK.start_date, to: WEEK.end_date }
const twins = {
  'a service': {
    rest: () => firstByte('GET', '/usp/v1/services/svc_cut'),
    '/usp/mcp': () => call('/usp/mcp', 'usp_services_get', { service_id: 'svc_cut' }),
    '/mcp': () => call('/mcp', 'service_details', { service_id: 'svc_cut' }),
  },
  'free times': {
    rest: () => firstByte('POST', '/usp/v1/availability/query', week),
    '/usp/mcp': () => call('/usp/mcp', 'usp_availability_query', week),
    '/mcp': () => call('/mcp', 'find_times', wish),
  },
}

for (const [what, { rest, ...tools }] of Object.entries(twins)) {
  const took = new Map<string, number[]>()
  for (let round = 0; round < WARM_UP + ROUNDS; round++)
    for (const [name, ask] of Object.entries({ rest, ...tools })) {
      const one = await ask()
      if (round >= WARM_UP) took.set(name, [...(took.get(name) ?? []), one])
    }
  const middle = (name: string) => median(took.get(name) ?? [])
  console.log(`${what}, over REST ${middle('rest').toFixed(2)} ms to the first byte`)
  for (const name of Object.keys(tools))
    console.log(
      `  ${name.padEnd(9)} ${middle(name).toFixed(2)} ms, ratio ${(middle(name) / middle('rest')).toFixed(2)} (under 1.15)`,
    )
}
agent.destroy()
await stage.close()
