import { readFileSync, writeFileSync } from 'node:fs'
import type { CommandLine } from '../command-line.ts'
import { badgeOf } from './badge.ts'
import { htmlOf } from './html.ts'
import { junitOf } from './junit.ts'
import { type Results, resultFile } from './results.ts'

/** Writes the report files that the command-line options name. */
export function writeReports(results: Results, options: CommandLine): void {
  const { json, junit, html, badge, sign, resultsUrl } = options
  if (json) writeFileSync(json, resultFile(results, sign === undefined ? undefined : readFileSync(sign, 'utf8')))
  if (junit) writeFileSync(junit, junitOf(results))
  if (html) writeFileSync(html, htmlOf(results))
  if (badge) writeFileSync(badge, badgeOf(results, resultsUrl))
}
