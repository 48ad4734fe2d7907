import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

test('docs/scale.md has the tables that bench/simulate.ts prints', () => {
  const { status, stdout } = spawnSync(process.execPath, ['bench/simulate.ts'], { encoding: 'utf8' })
  expect(status).toBe(0)
  const page = readFileSync('docs/scale.md', 'utf8')
  const tables = (text: string) => text.split('\n').filter((line) => /^\| /.test(line))
  expect(tables(page)).toEqual(tables(stdout))
  const [, together] = /^(\d+) bookings\/s on any machines/m.exec(stdout) ?? []
  expect(page.replaceAll('\n', ' ')).toContain(`${together} bookings a second on any machines`)
})
