import { execFileSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { readConfig, settingNames } from '../../src/infra/config/read-config.ts'
import { testServer } from '../support/server.ts'

interface Probe {
  httpGet: { path: string; port: string }
}
interface Container {
  name: string
  image: string
  command?: string[]
  args?: string[]
  ports?: { name: string; containerPort: number }[]
  env?: { name: string; value?: string }[]
  envFrom?: { configMapRef?: { name: string }; secretRef?: { name: string } }[]
  volumeMounts?: { name: string; mountPath: string }[]
  resources?: object
  startupProbe?: Probe
  livenessProbe?: Probe
  readinessProbe?: Probe
}
interface PodSpec {
  enableServiceLinks?: boolean
  containers: Container[]
  volumes: { name: string; configMap?: { name: string }; persistentVolumeClaim?: { claimName: string } }[]
}
interface Template {
  metadata?: { labels: Record<string, string> }
  spec: PodSpec
}
interface Thing {
  kind: string
  metadata: { name: string }
  data?: Record<string, string>
  spec: {
    selector?: Record<string, unknown>
    template?: Template
    jobTemplate?: { spec: { template: Template; activeDeadlineSeconds?: number } }
    podSelector?: { matchLabels?: { app: string }; matchExpressions?: { values: string[] }[] }
    policyTypes?: string[]
    ingress?: { from: object[]; ports: { port: string }[] }[]
    ports?: { name: string; port: number; targetPort: string }[]
  }
}

const things: Thing[] = globSync('deploy/kubernetes/*.yaml').flatMap((path) =>
  parseAllDocuments(readFileSync(path, 'utf8')).map((one) => one.toJS({ maxAliasCount: 0 })),
)
const named = (kind: string) => things.filter((thing) => thing.kind === kind).map(({ metadata }) => metadata.name)
const one = (kind: string, name: string) => {
  const found = things.find((thing) => thing.kind === kind && thing.metadata.name === name)
  if (!found) throw new Error(`There is no ${kind} ${name}`)
  return found
}
const podOf = ({ spec }: Thing) => (spec?.template ?? spec?.jobTemplate?.spec.template)?.spec
const pods = things.flatMap((thing) => podOf(thing) ?? [])
const containers = pods.flatMap((pod) => pod.containers)
const server = one('Deployment', 'usp').spec.template?.spec.containers[0]
const text = (path: string) => readFileSync(path, 'utf8')

test('[deploy/kubernetes] what is set there is a setting, and what the README has put into the secret', () => {
  const set = [
    ...Object.keys(one('ConfigMap', 'usp').data ?? {}),
    ...containers.flatMap(({ env = [] }) => env.map(({ name }) => name)),
  ]
  const secret = [...text('deploy/README.md').matchAll(/--from-literal=(\w+)=/g)].map(([, name = '']) => name)
  expect(secret).toEqual(['DATABASE_URL', 'USP_SECRET_KEY', 'METRICS_TOKEN'])
  expect([...set, ...secret].filter((name) => !settingNames.includes(name))).toEqual([])
  for (const { name, envFrom = [] } of containers) {
    const from = envFrom.map(({ configMapRef, secretRef }) => configMapRef?.name ?? `secret ${secretRef?.name}`)
    expect([name, from]).toEqual([name, ['usp', 'secret usp']])
  }
})

test('[deploy/kubernetes] what the name of the service would put into the environment is no setting, and is kept out', () => {
  const [service = ''] = named('Service')
  expect(() => readConfig({ [`${service.toUpperCase()}_SERVICE_HOST`]: '10.0.0.1' })).toThrow('no such setting')
  expect(pods.map(({ enableServiceLinks }) => enableServiceLinks)).toEqual(pods.map(() => false))
})

test('[deploy/kubernetes] what is probed is answered, at the port at which the image listens', async () => {
  const { raw } = await testServer()
  const probes = [server?.startupProbe, server?.livenessProbe, server?.readinessProbe]
  for (const probe of probes) {
    expect((await raw({ method: 'GET', url: probe?.httpGet.path ?? '' })).status).toBe(200)
    expect(probe?.httpGet.port).toBe('http')
  }
  const [, port] = /^ +PORT=(\d+)/m.exec(text('Dockerfile')) ?? []
  const [, metrics] = /:(\d+)$/.exec(server?.env?.find(({ name }) => name === 'METRICS_ADDRESS')?.value ?? '') ?? []
  expect(server?.ports).toEqual([
    { name: 'http', containerPort: Number(port) },
    { name: 'metrics', containerPort: Number(metrics) },
  ])
  expect(one('Service', 'usp').spec.ports).toEqual([{ name: 'http', port: 80, targetPort: 'http' }])
})

test('[deploy/kubernetes] the server is started as the image starts it, and commands as in the image', () => {
  expect([server?.command, server?.args]).toEqual([undefined, undefined])
  expect(new Set(containers.map(({ image }) => image)).size).toBe(1)
  const scripts = containers.flatMap(({ args = [] }) => args).join('\n')
  expect(scripts).toMatch(/\busp backup /)
  // The image does not contain the sources, which the repository runs with Node.
  expect(scripts).not.toMatch(/\bnode /)
})

test('[deploy/kubernetes] what is mounted is there, and what calls who is meant', () => {
  const made = [...text('deploy/README.md').matchAll(/create configmap (\S+)/g)].map(([, name = '']) => name)
  for (const { volumes, containers: mounting } of pods) {
    const mounted = mounting.flatMap(({ volumeMounts = [] }) => volumeMounts.map(({ name }) => name))
    expect(mounted.sort()).toEqual(volumes.map(({ name }) => name).sort())
    for (const { configMap, persistentVolumeClaim } of volumes) {
      if (configMap) expect([...named('ConfigMap'), ...made]).toContain(configMap.name)
      if (persistentVolumeClaim) expect(named('PersistentVolumeClaim')).toContain(persistentVolumeClaim.claimName)
    }
  }
  for (const name of named('Deployment')) {
    const { selector, template } = one('Deployment', name).spec
    expect(selector?.matchLabels).toEqual(template?.metadata?.labels)
  }
  expect(one('Service', 'usp').spec.selector).toEqual(one('Deployment', 'usp').spec.template?.metadata?.labels)
})

test('[deploy/kubernetes] each pod asks for what it takes, and has a bound', () => {
  for (const { name, resources } of containers)
    expect([name, resources]).toEqual([
      name,
      { requests: { cpu: expect.any(String), memory: expect.any(String) }, limits: { memory: expect.any(String) } },
    ])
})

test('[deploy/kubernetes] each pod is reached by those who call it alone, at ports that it has', () => {
  const policies = things.filter(({ kind }) => kind === 'NetworkPolicy').map(({ spec }) => spec)
  const chosen = policies.flatMap(({ podSelector }) => [
    ...(podSelector?.matchLabels ? [podSelector.matchLabels.app] : []),
    ...(podSelector?.matchExpressions ?? []).flatMap(({ values }) => values),
  ])
  const labels = things.flatMap(
    ({ spec }) => (spec?.template ?? spec?.jobTemplate?.spec.template)?.metadata?.labels.app ?? [],
  )
  expect(labels).toHaveLength(pods.length)
  expect(chosen.sort()).toEqual(labels.sort())
  const open = policies.flatMap(({ ingress = [] }) =>
    ingress.flatMap(({ from, ports }) => (from.length > 0 ? ports : [])),
  )
  expect(open.map(({ port }) => port)).toEqual(server?.ports?.map(({ name }) => name))
  expect(policies.every(({ policyTypes }) => policyTypes?.includes('Ingress'))).toBe(true)
})

test('[deploy/kubernetes] a pod that is not ready keeps no node from being drained, and a backup that hangs is ended', () => {
  expect(one('PodDisruptionBudget', 'usp').spec).toMatchObject({ unhealthyPodEvictionPolicy: 'AlwaysAllow' })
  expect(one('CronJob', 'usp-backup').spec.jobTemplate?.spec.activeDeadlineSeconds).toBeGreaterThan(600)
})

test('[deploy/kubernetes] the headers of few are believed: a range no larger than that of one node', () => {
  const [, bits] = /\/(\d+)$/.exec(one('ConfigMap', 'usp').data?.TRUST_PROXY ?? '') ?? []
  expect(Number(bits)).toBeGreaterThanOrEqual(24)
})

test('[deploy/kubernetes] of the backups fourteen are kept, also where one may not be checked', () => {
  const folder = mkdtempSync(join(tmpdir(), 'usp-kubernetes-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const [backups, programs] = [join(folder, 'backups'), join(folder, 'bin')]
  for (const path of [backups, programs]) mkdirSync(path)
  for (let day = 10; day < 30; day++) writeFileSync(join(backups, `usp-2026-10-${day}T02-17-00Z.backup`), '')
  // Backs up, and may not make a database.
  writeFileSync(join(programs, 'usp'), '#!/bin/sh\n[ "$2" = --check ] && exit 1\ntouch "$2"\n', { mode: 0o755 })
  const [container] = podOf(one('CronJob', 'usp-backup'))?.containers ?? []
  const [program = '', ...options] = container?.command ?? []
  const [script = ''] = container?.args ?? []
  const env = { PATH: `${programs}:${process.env.PATH}` }
  const run = () => execFileSync(program, [...options, script.replaceAll('/backups', backups)], { env, stdio: 'pipe' })
  expect(run, 'a check that fails is a job that fails').toThrow()
  const kept = readdirSync(backups).sort()
  expect(kept).toHaveLength(14)
  expect(kept[0]).toBe('usp-2026-10-17T02-17-00Z.backup')
  expect(kept.at(-1)).not.toMatch(/2026-10/)
})
