import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { fillVariables } from './fill-variables.ts'

interface Service {
  image: string
  command?: string[]
  user?: string
  network_mode?: string
  read_only?: boolean
  stop_grace_period?: string
  tmpfs?: string[]
  security_opt?: string[]
  cap_drop?: string[]
  ports?: string[]
  environment?: Record<string, string>
  volumes?: (string | { source: string; target: string; read_only?: boolean })[]
  healthcheck?: { test: string[] }
}

export interface Values {
  /** The variables of the file `.env`. */
  settings: NodeJS.ProcessEnv
  /** The volume or path of the test, by its name in docker-compose.yml. */
  sources: Record<string, string>
}

/** A service of docker-compose.yml as arguments of `docker run`. */
export interface ComposeService {
  image: string
  options: string[]
  command: string[]
  /** The options without the published ports, as `docker compose run` uses them. */
  optionsOfCommand: string[]
  /** The command that checks inside the container whether the service answers. */
  healthCommand: string[]
  graceSeconds: number
}

/** Compose itself handles these members, or the test replaces them. */
type Replaced = 'build' | 'logging' | 'depends_on' | 'env_file' | 'restart'

export function readService(name: string, { settings, sources }: Values): ComposeService {
  const { services }: { services: Record<string, Service & Record<Replaced, unknown>> } = parse(
    readFileSync('docker-compose.yml', 'utf8'),
    { merge: true },
  )
  const service = services[name]
  if (!service) throw new Error(`docker-compose.yml has no service ${name}`)
  const { build, logging, depends_on, env_file, restart, image, command = [], healthcheck, ports, ...known } = service
  const { user, network_mode, read_only, stop_grace_period, tmpfs, security_opt, cap_drop, ...rest } = known
  const { environment = {}, volumes = [], ...unknown } = rest
  if (Object.keys(unknown).length > 0)
    throw new Error(`The test does not know these members of ${name}: ${Object.keys(unknown)}`)

  const graceSeconds = Number.parseInt(stop_grace_period ?? '10s', 10)
  const list = (flag: string, values: string[] = []) =>
    values.flatMap((value) => [flag, fillVariables(value, settings)])
  const optionsOfCommand = [
    ...(user ? ['--user', user] : []),
    ...(network_mode ? ['--network', network_mode] : []),
    ...(read_only ? ['--read-only'] : []),
    ...['--stop-timeout', String(graceSeconds)],
    ...list('--tmpfs', tmpfs),
    ...list('--security-opt', security_opt),
    ...list('--cap-drop', cap_drop),
    ...list(
      '--env',
      Object.entries(environment).map(([key, value]) => `${key}=${value}`),
    ),
    ...volumes.flatMap((volume) => ['--volume', mountOf(volume, sources)]),
  ]
  const options = [...optionsOfCommand, ...list('--publish', ports)]
  return { image, options, command, optionsOfCommand, healthCommand: healthcheck?.test.slice(1) ?? [], graceSeconds }
}

function mountOf(volume: NonNullable<Service['volumes']>[number], sources: Record<string, string>): string {
  const [source = '', target] = typeof volume === 'string' ? volume.split(':') : [volume.source, volume.target]
  const ours = sources[source]
  if (ours === undefined) throw new Error(`The test has no volume for ${source}`)
  return `${ours}:${target}${typeof volume !== 'string' && volume.read_only ? ':ro' : ''}`
}
