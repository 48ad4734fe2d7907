import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll } from 'vitest'
import type { Certified } from './certificates.ts'

/** The values that an example needs: the address of the server, and the proxy's certificates. */
export interface Place {
  port: number
  server: number
  own: Certified
  authority: Certified
}

export interface ReverseProxy {
  /** The reason to skip it; empty where it can start. */
  missing: string
  certificates: boolean
  start(place: Place): Promise<void>
}

const PERL = '/usr/lib/nginx/modules/ngx_http_perl_module.so'
const repository = new URL('../../', import.meta.url)
const text = (path: string) => readFileSync(new URL(path, repository), 'utf8')

/** The proxies with an example in the repository. Each starts with its real example. */
export const proxies: Record<string, ReverseProxy> = {
  nginx: {
    missing: lack('nginx', ['-v']) || lack('nginx', ['-t', '-q', '-g', `load_module ${PERL};`, '-c', emptyFile()]),
    certificates: true,
    async start({ port, server, own, authority }) {
      const site = filled(text('examples/proxies/nginx.conf'), {
        'listen 443': `listen 127.0.0.1:${port}`,
        '127.0.0.1:8080': `127.0.0.1:${server}`,
        '/etc/usp/tls/cert.pem': own.certFile,
        '/etc/usp/tls/key.pem': own.keyFile,
        '/etc/usp/tls/clients.pem': authority.certFile,
      })
      const folder = newFolder()
      const bodies = `client_body_temp_path ${folder}/bodies; proxy_temp_path ${folder}/answers;`
      const others = ['fastcgi', 'uwsgi', 'scgi'].map((one) => `${one}_temp_path ${folder}/${one};`).join(' ')
      const main = `load_module ${PERL}; pid ${folder}/pid; events {}\nhttp { access_log off; ${bodies} ${others}\n${site}\n}`
      await started(port, 'nginx', ['-e', 'stderr', '-g', 'daemon off;', '-c', written(folder, 'nginx.conf', main)])
    },
  },
  HAProxy: {
    missing: lack('haproxy', ['-v']),
    certificates: true,
    async start({ port, server, own, authority }) {
      const folder = newFolder()
      const example = filled(text('examples/proxies/haproxy.cfg'), {
        'bind :443': `bind 127.0.0.1:${port}`,
        '127.0.0.1:8080': `127.0.0.1:${server}`,
        '/etc/usp/tls/both.pem': written(folder, 'both.pem', own.cert + own.key),
        '/etc/usp/tls/clients.pem': authority.certFile,
      })
      await started(port, 'haproxy', ['-db', '-f', written(folder, 'haproxy.cfg', example)])
    },
  },
  Caddy: {
    missing: lack('caddy', ['version']),
    certificates: true,
    start: (place) =>
      startCaddy(place, text('examples/proxies/Caddyfile'), {
        'tls {': `tls ${place.own.certFile} ${place.own.keyFile} {`,
        '/etc/usp/tls/clients.pem': place.authority.certFile,
      }),
  },
  'Caddy as the documentation has it': {
    missing: lack('caddy', ['version']),
    certificates: false,
    start(place) {
      const [, example = ''] = /With Caddy in front.*?```\n(.*?)```/s.exec(text('docs/running.md')) ?? []
      const name = 'book.example.com {'
      return startCaddy(place, example.replace(name, `${name}\n  tls ${place.own.certFile} ${place.own.keyFile}`), {})
    },
  },
}

async function startCaddy({ port, server }: Place, example: string, more: Record<string, string>) {
  const folder = newFolder()
  const site = filled(example, {
    ...more,
    'book.example.com': `https://localhost:${port}`,
    '127.0.0.1:8080': `127.0.0.1:${server}`,
  })
  const file = written(folder, 'Caddyfile', `{\n admin off\n auto_https disable_redirects\n}\n${site}`)
  const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
  await started(port, 'caddy', ['run', '--adapter', 'caddyfile', '--config', file], env)
}

/** Replaces the example values by those of this test. Throws when a value is missing in the example. */
function filled(example: string, places: Record<string, string>): string {
  return Object.entries(places).reduce((sofar, [from, to]) => {
    if (!sofar.includes(from)) throw new Error(`The example says nothing of ${from}`)
    return sofar.replaceAll(from, to)
  }, example)
}

function lack(program: string, args: string[]): string {
  try {
    execFileSync(program, args, { stdio: 'pipe' })
    return ''
  } catch {
    return ` (skipped: ${program} is not here, or not all of it; see .ci/run for what to install)`
  }
}

function emptyFile(): string {
  const folder = newFolder()
  return written(folder, 'empty.conf', `pid ${folder}/pid; error_log stderr; events {}`)
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'usp-proxy-'))
  chmodSync(folder, 0o755)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function written(folder: string, name: string, content: string): string {
  const file = join(folder, name)
  writeFileSync(file, content)
  return file
}

/** Resolves when the program listens. It ends with the tests of the file. */
async function started(port: number, program: string, args: string[], env = process.env) {
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk))
  afterAll(() => void child.kill('SIGTERM'))
  process.once('exit', () => child.kill('SIGTERM'))
  while (!(await listens(port))) {
    if (child.exitCode !== null) throw new Error(`${program} ended: ${said}`)
    await setTimeout(50)
  }
}

const listens = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })
