import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { testServer } from '../support/server.ts'

const FOLDER = 'deploy/observability'
const read = (file: string) => readFileSync(`${FOLDER}/${file}`, 'utf8')
const server = await testServer()

/** What Prometheus knows by itself. */
const ITS_OWN = ['up']

/** The names of a kind of metric, as they are asked for. */
const namesOf = (name: string, type: string) =>
  type === 'histogram' ? ['bucket', 'count', 'sum'].map((part) => `${name}_${part}`) : [name]

const served = async () => {
  const { body } = await server.raw({ method: 'GET', url: '/metrics', remoteAddress: '127.0.0.1' })
  return [...String(body).matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name = '', type = '']) => namesOf(name, type))
}

const expressions = {
  'alerts.yml': [...read('alerts.yml').matchAll(/expr: (.*?)\n {8}\w+:/gs)].map(([, text = '']) => text),
  'dashboard.json': [...read('dashboard.json').matchAll(/"expr": "(.*)"/g)].map(([, text = '']) => text),
}
const asked = (text: string) => [...text.matchAll(/\b([a-z]\w+)\{/g)].map(([, name = '']) => name)

test.each(Object.entries(expressions))('each metric that %s asks for is served', async (_, all) => {
  expect(all.length).toBeGreaterThan(10)
  const known = [...(await served()), ...ITS_OWN]
  expect(all.flatMap(asked).filter((name) => !known.includes(name))).toEqual([])
  expect(all.filter((text) => asked(text).length === 0)).toEqual([])
})

test('what the server itself counts is on the dashboard', async () => {
  const shown = new Set(expressions['dashboard.json'].flatMap(asked))
  const ours = (await served()).filter((name) => name.startsWith('usp_') && !name.endsWith('_sum'))
  expect(ours.filter((name) => !shown.has(name))).toEqual([])
})

const alertsOf = (file: string, name: RegExp) => [...read(file).matchAll(name)].map(([, alert]) => alert)

test('each alert is made to fire by the tests of the alerts, and kept from it', () => {
  const all = alertsOf('alerts.yml', /- alert: (\w+)/g)
  const told = (exp: string) => new RegExp(`alertname: (\\w+)\\n +eval_time: \\w+\\n +exp_alerts:${exp}\\n`, 'g')
  expect(all.length).toBeGreaterThan(10)
  expect(all.filter((alert) => !alertsOf('alerts.test.yml', told('')).includes(alert))).toEqual([])
  expect(all.filter((alert) => !alertsOf('alerts.test.yml', told(' \\[\\]')).includes(alert))).toEqual([])
})

const hasPromtool = spawnSync('promtool', ['--version']).status === 0

test.runIf(hasPromtool)('promtool finds the rules and the configuration right', () => {
  for (const args of [
    ['check', 'config', 'prometheus.yml'],
    ['test', 'rules', 'alerts.test.yml'],
  ]) {
    const { status, stdout, stderr } = spawnSync('promtool', args, { cwd: FOLDER })
    expect([args, status, status === 0 ? '' : `${stdout}${stderr}`]).toEqual([args, 0, ''])
  }
})
