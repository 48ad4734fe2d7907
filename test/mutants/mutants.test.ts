import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openCompiler } from '../../scripts/mutants/compiler.ts'
import { type Fault, nameOf } from '../../scripts/mutants/fault.ts'
import { plant } from '../../scripts/mutants/plant.ts'
import { shuffled } from '../../scripts/mutants/random.ts'
import { folderOf, sample } from '../../scripts/mutants/sample.ts'
import { sqlFaults } from '../../scripts/mutants/sql-faults.ts'

const folder = mkdtempSync(join(tmpdir(), 'usp-mutants-test-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** What could be planted in a source, and what of it the compiler lets through. */
function planted(source: string): { all: string[]; let: string[] } {
  const settings = { compilerOptions: { strict: true, noEmit: true, target: 'es2025', types: [] }, include: ['one.ts'] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings))
  writeFileSync(join(folder, 'one.ts'), source)
  const compiler = openCompiler(folder)
  const faults = compiler.faultsIn('one.ts')
  const named = (some: typeof faults) => some.map((fault) => nameOf(fault).slice('one.ts: '.length))
  const told = { all: named(faults), let: named(faults.filter(compiler.lets)) }
  compiler.close()
  expect(readFileSync(join(folder, 'one.ts'), 'utf8')).toBe(source)
  return told
}

test('[a fault is one that could be made] comparisons, conditions, constants, operators and calls', () => {
  const source = `export function price(amounts: number[], isFree: boolean): number {
  if (isFree) return 0
  const most = Math.max(...amounts.filter((one) => one < 100))
  return most > 5 && amounts.length === 2 ? most - 1 : most
}
`
  expect(planted(source).all).toEqual([
    '`if ([isFree → !(isFree)]) return 0`',
    '`if (isFree) return [0 → 1]`',
    '`const most = Math.m[ax → in](...amounts.filter((one) => one < 100))`',
    '`const most = Math.max(...amounts[.filter((one) => one < 100) → ])`',
    '`const most = Math.max(...amounts.filter((one) => one <[ → =] 100))`',
    '`const most = Math.max(...amounts.filter((one) => one < [1 → 2]00))`',
    '`return [most > 5 && amounts.length === 2 → !(most > 5 && amounts.length === 2)] ? most - 1 : most`',
    '`return most > 5 [&& amounts.length === 2  → ]? most - 1 : most`',
    '`return [most > 5 &&  → ]amounts.length === 2 ? most - 1 : most`',
    '`return most >[ → =] 5 && amounts.length === 2 ? most - 1 : most`',
    '`return most > [5 → 6] && amounts.length === 2 ? most - 1 : most`',
    '`return most > 5 && amounts.length [= → !]== 2 ? most - 1 : most`',
    '`return most > 5 && amounts.length === [2 → 3] ? most - 1 : most`',
    '`return most > 5 && amounts.length === 2 ? most [- → +] 1 : most`',
    '`return most > 5 && amounts.length === 2 ? most - [1 → 2] : most`',
  ])
})

test('[a fault is one that could be made] what the compiler refuses is none', () => {
  const source = `export function first(text: string | undefined): string {
  if (text === undefined) return ''
  return text.trim()
}
`
  const told = planted(source)
  expect(told.all).toContain("`if (text [= → !]== undefined) return ''`")
  expect(told.let).toEqual(['`return text[.trim() → ]`'])
})

test('[a fault is one that could be made] a call that is dropped, though its import is idle then', () => {
  const source = `const told: number[] = []
function tell(what: number): void {
  told.push(what)
}
export const both = () => {
  tell(told.length)
}
`
  expect(planted(source).let).toEqual(['`[told.push(what) → ]`', '`[tell(told.length) → ]`'])
})

test('a fault is planted in a program too, and is on only where its number is in the environment', () => {
  mkdirSync(join(folder, 'src'), { recursive: true })
  const text = '#!/usr/bin/env node\nconsole.log(1 + 1)\n'
  writeFileSync(join(folder, 'src/program.ts'), text)
  const [from, original] = [text.indexOf('1 + 1'), '1 + 1']
  const place = {
    file: 'src/program.ts',
    line: 2,
    from,
    to: from + original.length,
    around: ['', ''] as [string, string],
  }
  plant(folder, [{ ...place, original, changed: '1 - 1', kind: 'expression', atLoad: true }])
  const run = (PLANTED?: string) =>
    execFileSync(process.execPath, [join(folder, 'src/program.ts')], {
      env: { ...process.env, PLANTED, PLANTED_SEEN: undefined },
      encoding: 'utf8',
    }).trim()
  expect([run(), run('0'), run('1')]).toEqual(['2', '0', '2'])
  expect(readFileSync(join(folder, 'src/program.ts'), 'utf8')).toMatch(/^#!/)
})

test('a statement of SQL has one slip at a time, and none in what is filled into it', () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of a template
  const statement = 'sql`select 1 where at <= ${now > then} and lower(name) = ${lower(name)}`'
  expect(sqlFaults(statement)).toEqual([
    // biome-ignore-start lint/suspicious/noTemplateCurlyInString: as above
    'sql`select 1 where at < ${now > then} and lower(name) = ${lower(name)}`',
    'sql`select 1 where at <= ${now > then} and lower(name) <> ${lower(name)}`',
    'sql`select 1 where at <= ${now > then} or lower(name) = ${lower(name)}`',
    'sql`select 1 where at <= ${now > then} and (name) = ${lower(name)}`',
    // biome-ignore-end lint/suspicious/noTemplateCurlyInString: as above
  ])
})

test('the same seed plants the same faults', () => {
  const values = Array.from({ length: 50 }, (_, nth) => nth)
  const order = (from: number[], seed: number) => shuffled(from, seed, String)
  expect(order(values, 1)).toEqual(order(values, 1))
  expect(order(values, 1)).not.toEqual(order(values, 2))
  expect(order(values, 1).toSorted((one, other) => one - other)).toEqual(values)
  expect(order(values.slice(10), 1)).toEqual(order(values, 1).filter((one) => one >= 10))
})

test('every folder gets its share of the faults, and the rest is spread over all of them', () => {
  const place = mkdtempSync(join(folder, 'shares-'))
  const files = [
    'src/interfaces/desk/a.ts',
    'src/interfaces/booking-flow/b.ts',
    'src/infra/time/c.ts',
    'src/infra/net/d.ts',
  ]
  for (const file of files) {
    mkdirSync(join(place, file, '..'), { recursive: true })
    writeFileSync(join(place, file), '')
  }
  const faultsIn = (file: string): Fault[] =>
    Array.from({ length: 20 }, (_, nth) => ({
      file,
      line: nth,
      from: nth,
      to: nth + 1,
      original: '1',
      changed: '2',
      kind: 'expression' as const,
      around: [`${file} ${nth}: `, ''] as [string, string],
      atLoad: false,
    }))
  const lets = ({ file, line }: Fault) => !(file === 'src/infra/net/d.ts' && line > 2)
  const quotas = [
    { paths: ['src/interfaces'], most: 6 },
    { paths: ['src/interfaces'], most: 2 },
    { paths: ['src/infra/time'], most: 2 },
    { paths: ['src/infra/net'], most: 5 },
    { paths: ['src'], most: 30 },
  ]
  const { chosen } = sample({ faultsIn, lets }, { folder: place, quotas, seed: 1, known: '' })
  const by = Map.groupBy(chosen, ({ file }) => folderOf(file))
  const numberIn = (name: string) => by.get(name)?.length ?? 0
  expect([chosen.length, new Set(chosen.map(nameOf)).size]).toEqual([30, 30])
  expect(numberIn('src/infra/net')).toBe(3)
  expect(numberIn('src/interfaces')).toBeGreaterThan(6)
  expect(numberIn('src/infra/time')).toBeGreaterThan(2)
})
