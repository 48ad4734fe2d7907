#!/usr/bin/env node
import { allAttacks } from './attacks/all-attacks.ts'
import { allChecks } from './checks/all-checks.ts'
import { type CommandLine, readCommandLine, USAGE } from './command-line.ts'
import { raceCheck } from './races/race-check.ts'
import { vectorRaces } from './races/vector-races.ts'
import { resultsOf } from './report/results.ts'
import { lineOf, summary } from './report/terminal.ts'
import { writeReports } from './report/write-reports.ts'
import { readRules } from './rules/rule.ts'
import { chooseChecks } from './run/choose-checks.ts'
import { runChecks } from './run/run-checks.ts'
import { startRun } from './run/start-run.ts'

try {
  const options = readCommandLine(process.argv.slice(2))
  if (!options) console.log(USAGE)
  else if (options.list) for (const check of allChecks) console.log(`${check.rules.join(' ')}: ${check.title}`)
  else process.exitCode = await main(options)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 2
}

async function main(options: CommandLine): Promise<number> {
  const startedAt = new Date()
  const rules = readRules()
  const chosen = chooseChecks(allChecks, options.only, rules)
  const races = options.races > 0 ? [raceCheck(options.races), ...vectorRaces(Math.ceil(options.races / 10))] : []
  const attacks = options.attacks ? allAttacks(options.attackRate) : []
  const checks = [...chosen, ...races, ...attacks]
  const run = await startRun(options)
  try {
    const findings = await runChecks(checks, run, {
      atOnce: options.atOnce,
      repeatsFailures: options.repeatFailures,
      onFinding: (finding) => {
        if (options.verbose || ['failed', 'warned'].includes(finding.result)) console.log(lineOf(finding))
      },
    })
    const left = allChecks.filter((check) => !checks.includes(check))
    const results = resultsOf({ target: run.target, seed: options.seed, startedAt }, rules, findings, left)
    writeReports(results, options)
    console.log(`\n${summary(results.levels, findings)}\nThe seed of this run is ${options.seed}.`)
    if (results.advice) console.log(`\n${results.advice}`)
    return findings.some(({ result }) => result === 'failed') ? 1 : 0
  } finally {
    await run.host.close()
  }
}
