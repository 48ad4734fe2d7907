import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'

const file = (name: string) => new URL(`../../deploy/ha/${name}`, import.meta.url)
const text = (name: string) => readFileSync(file(name), 'utf8')

interface Service {
  command?: string[]
  environment?: Record<string, string>
}
const { services }: { services: Record<string, Service> } = parse(text('compose.yaml'), { merge: true })

test('[deploy/ha] compose starts each program with its file, and with all that the file leaves to the environment', () => {
  const demanded: Record<string, RegExp> = {
    'haproxy.cfg': /\$\{(\w+)\}/g,
    'balancer.cfg': /\$\{(\w+)\}/g,
    Caddyfile: /\{\$(\w+)\}/g,
    'patroni.yml': /(?<=^#.*)\b((?:PATRONI|USP)_\w+)/gm,
  }
  for (const [name, { command = [], environment = {} }] of Object.entries(services)) {
    const own = /\/etc\/usp\/(\S+\.\w+|Caddyfile)$/.exec(command.join(' '))?.[1]
    if (own) expect([name, existsSync(file(own))]).toEqual([name, true])
    const names = [...text(own ?? 'etcd.env').matchAll(demanded[own ?? ''] ?? /$^/g)].map(([, found = '']) => found)
    expect([name, names.filter((wanted) => !(wanted in environment))]).toEqual([name, []])
  }
})

test('[deploy/ha] every part that the picture names is a service, twice or three times where one may fail', () => {
  const parts = ['etcd-one', 'etcd-two', 'etcd-three', 'one', 'two', 'three', 'haproxy', 'pgbouncer', 'server-one']
  expect(Object.keys(services).sort()).toEqual([...parts, 'server-two', 'balancer', 'caddy', 'backups-folder'].sort())
})

test('[deploy/ha] a change waits for a standby, and for none is it acknowledged without', () => {
  const { dcs } = parse(text('patroni.yml')).bootstrap
  expect(dcs).toMatchObject({ synchronous_mode: true, synchronous_mode_strict: true, primary_start_timeout: 0 })
  // Patroni from 3.2 on does not take less, nor waits longer than its lease.
  expect(dcs.ttl).toBeGreaterThanOrEqual(20)
  expect(dcs.loop_wait + 2 * dcs.retry_timeout).toBeLessThanOrEqual(dcs.ttl)
})

test('[deploy/ha] Caddy tells the servers what they learn of it elsewhere', () => {
  const told = (caddyfile: string) => [...caddyfile.matchAll(/header_up (.*)/g)].map(([, header = '']) => header).sort()
  const [, handbook = ''] = /With Caddy in front.*?```\n(.*?)```/s.exec(readFileSync('docs/running.md', 'utf8')) ?? []
  expect(told(handbook)).toHaveLength(2)
  expect(told(text('Caddyfile'))).toEqual(told(handbook))
})

test('[deploy/ha] the balancer notices the end of a server within the time for which that still answers', () => {
  const [, every = '', times = ''] = /inter (\d+)ms fall (\d+)/.exec(text('balancer.cfg')) ?? []
  const drain = Number(services['server-one']?.environment?.USP_DRAIN_SECONDS) * 1_000
  expect(Number(every) * Number(times)).toBeGreaterThan(0)
  // Twice as long, for a check that begins late and is answered late.
  expect(drain).toBeGreaterThan(2 * Number(every) * Number(times))
  expect(text('README.md')).toContain(`USP_DRAIN_SECONDS=${drain / 1_000}`)
})

test('[deploy/ha] PgBouncer is told to be as impatient as the handbook says', () => {
  const handbook = readFileSync(new URL('../../docs/running.md', import.meta.url), 'utf8')
  const impatience = /^(?:query|server|tcp)_\w+ = \d+$/gm
  const said = [...handbook.matchAll(impatience)].map(([setting]) => setting)
  expect(said).toHaveLength(4)
  const lines = text('pgbouncer.ini').split('\n')
  expect(said.filter((setting) => !lines.includes(setting))).toEqual([])
  // As the drill has it, in which a backup goes into another database.
  const drills = readFileSync(new URL('../../deploy/drills.md', import.meta.url), 'utf8')
  const [, anyOther = 'none'] = /`(\* = [^`]+)` into/.exec(drills) ?? []
  expect(lines).toContain(anyOther)
})
