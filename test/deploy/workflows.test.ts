import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'

interface Job {
  container?: unknown
  uses?: string
  needs?: string
  steps?: { run?: string }[]
}
const workflow = (path: string): { on: object; jobs: Record<string, Job> } => parse(readFileSync(path, 'utf8'))

test('[one way to check] what installs packages runs where one is root', () => {
  for (const path of globSync('.github/workflows/*.yml'))
    for (const [name, job] of Object.entries(workflow(path).jobs))
      if (/bash \.ci\//.test(JSON.stringify(job)))
        expect([path, name, job.container !== undefined]).toEqual([path, name, true])
})

test('[one way to check] an image and packages are published once all holds that CI asks for', () => {
  const { checked, image, packages } = workflow('.github/workflows/release.yml').jobs
  expect([image?.needs, packages?.needs]).toEqual(['checked', 'checked'])
  expect(checked?.uses).toBe('./.github/workflows/ci.yml')
  expect(workflow('.github/workflows/ci.yml').on).toHaveProperty('workflow_call')
})

test('[one way to check] each job installs the packages before it runs a script of the repository', () => {
  for (const path of globSync('.github/workflows/*.yml'))
    for (const [name, { steps = [] }] of Object.entries(workflow(path).jobs)) {
      const commands = steps.map(({ run = '' }) => run).join('\n')
      const first = commands.search(/npm (run|pack|publish)\b/)
      const installs = commands.search(/npm ci\b/)
      if (first !== -1) expect([path, name, installs !== -1 && installs < first]).toEqual([path, name, true])
    }
})
