import { globSync, readFileSync, statSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { usp } from '../support/process.ts'

interface Service {
  command?: string[]
  user?: string
  environment?: Record<string, string | number>
  logging?: { driver: string; options: Record<string, string> }
  volumes?: (string | { source: string; target: string })[]
  depends_on?: string[] | Record<string, { condition: string }>
}
interface Compose {
  services: Record<string, Service>
}

const read = (path: string): Compose => parse(readFileSync(path, 'utf8'), { merge: true })
const files = ['docker-compose.yml', 'deploy/ha/compose.yaml']

test.each(files)('[%s] the log of each service is bounded', (path) => {
  const services = Object.entries(read(path).services)
  expect(services.length).toBeGreaterThan(1)
  for (const [name, { logging }] of services)
    expect([name, logging]).toEqual([
      name,
      { driver: 'json-file', options: { 'max-size': expect.stringMatching(/^\d+m$/), 'max-file': expect.any(String) } },
    ])
})

test.each(files)(
  '[%s] backups are taken unless the setting is left empty, into a folder that the image may write to',
  (path) => {
    const { services } = read(path)
    const servers = Object.entries(services).filter(([name]) => name.startsWith('server'))
    expect(servers.length).toBeGreaterThan(0)
    for (const [, { environment, volumes = [], depends_on = {} }] of servers) {
      // Without a colon: set and left empty it stays empty.
      expect(environment?.USP_BACKUP_DIR).toBe(`\${USP_BACKUP_DIR-/var/backups/usp}`)
      const mounted = volumes.map((one) => (typeof one === 'string' ? one : `${one.source}:${one.target}`))
      expect(mounted).toContain('./backups:/var/backups/usp')
      expect(depends_on).toMatchObject({ 'backups-folder': { condition: 'service_completed_successfully' } })
    }
    const owner = /^USER (\S+)/m.exec(readFileSync('Dockerfile', 'utf8'))?.[1]
    expect(services['backups-folder']).toMatchObject({
      user: 'root',
      command: ['chown', owner, '/var/backups/usp'],
      volumes: ['./backups:/var/backups/usp'],
    })
  },
)

test('[.env.example] leaves backups on, and is copied so that its owner alone reads it', () => {
  expect(readFileSync('.env.example', 'utf8')).not.toMatch(/^USP_BACKUP_DIR=/m)
  for (const path of ['README.md', 'docs/running.md', 'docker-compose.yml'])
    expect(readFileSync(path, 'utf8')).toMatch(/^(?:# )?install -m 600 \.env\.example \.env\b/m)
})

test('[deploy/systemd] backups are taken into a folder that systemd makes, unless the settings say otherwise', () => {
  const unit = readFileSync('deploy/systemd/usp.service', 'utf8')
  expect(unit).toMatch(/^Environment=USP_BACKUP_DIR=\/var\/lib\/usp\/backups$/m)
  expect(unit).toMatch(/^StateDirectory=usp$/m)
})

test('[deploy/systemd] the command usp is what the drills go by, and the image has it as well', () => {
  const [, line] = /^usp\(\) \{ (sudo systemd-run .*); \}$/m.exec(readFileSync('deploy/drills.md', 'utf8')) ?? []
  expect(line).toBeDefined()
  expect(readFileSync('deploy/systemd/usp', 'utf8')).toContain(`\nexec ${line}\n`)
  expect(readFileSync('Dockerfile', 'utf8')).toMatch(/^RUN ln -s \/app\/bin\/usp \/usr\/local\/bin\/usp$/m)
  for (const file of ['bin/usp', 'deploy/systemd/usp']) expect(statSync(file).mode & 0o111).toBe(0o111)
})

test('[messages] name the command by its name here, and through npm where it was started by npm', async () => {
  for (const [event, name] of [
    [undefined, 'usp'],
    ['start', 'npm run usp --'],
    ['usp', 'npm run usp --'],
    ['npx', 'npx usp-server'],
  ]) {
    const running = usp(['keys'], event ? { npm_lifecycle_event: event } : {})
    await running.ended
    expect(running.output()).toContain(`Usage: ${name} keys list`)
  }
  const sources = globSync('src/**/*.ts').filter((path) => readFileSync(path, 'utf8').includes('npm run usp --'))
  expect(sources).toEqual(['src/infra/util/command-line-error.ts'])
})
