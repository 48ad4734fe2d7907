import type { Exchange } from '../caller/exchange.ts'
import { escaped } from './markup.ts'
import type { CheckResult, Results } from './results.ts'

const STYLE = `
:root { color-scheme: light dark; --line: light-dark(#ccc, #444); --good: light-dark(#1d6b35, #7fd79b); --bad: light-dark(#a11, #ff9c9c); --quiet: light-dark(#555, #aaa) }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; width: 100% } th, td { text-align: start; padding: .3rem .6rem; border-bottom: 1px solid var(--line); vertical-align: top }
.scroll { overflow-x: auto } .failed { color: var(--bad) } .proven, .earned { color: var(--good) } .quiet { color: var(--quiet) }
pre { overflow-x: auto; border: 1px solid var(--line); padding: .6rem; font-size: .85rem; white-space: pre-wrap; overflow-wrap: anywhere } summary { cursor: pointer; padding: .3rem 0 }
`

/** Returns the results as one HTML page that needs no scripts and no other files. */
export function htmlOf(results: Results): string {
  const { target, startedAt, seed, suite, protocol, checks, levels, rules } = results
  const failed = checks.filter(({ result }) => result === 'failed')
  const warned = checks.filter(({ result }) => result === 'warned')
  const skipped = checks.filter(({ result }) => result === 'skipped')
  const rows = levels.map(
    ({ level, result, counts }) =>
      `<tr><th scope="row">${level}</th><td class="${result === 'earned' ? 'earned' : 'quiet'}">${result}</td>
      <td>${counts.proven}</td><td>${counts.failed}</td><td>${counts.skipped}</td><td>${counts.unchecked}</td><td>${counts['not visible']}</td></tr>`,
  )
  const broken = rules.filter(({ verdict }) => verdict === 'failed')
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Conformance of ${escaped(target.business)}</title><style>${STYLE}</style></head><body>
<h1>Conformance of ${escaped(target.business)}</h1>
<p>${escaped(target.origin)}, ${escaped(startedAt)}. ${escaped(suite.name)} ${escaped(suite.version)}, protocol ${protocol.version} with the text of ${protocol.text}, seed ${seed}.</p>
<h2>Levels</h2><div class="scroll"><table><thead><tr><th scope="col">Level</th><th scope="col">Result</th><th scope="col">Proven</th><th scope="col">Failed</th><th scope="col">Skipped</th><th scope="col">Unchecked</th><th scope="col">Not visible</th></tr></thead>
<tbody>${rows.join('\n')}</tbody></table></div>
<p>The numbers count the rules of the force MUST. A server earns a level if none of these rules failed, and all essential rules of the level are proven.</p>
<h2>Failed checks (${failed.length})</h2>${failed.map(failure).join('\n') || '<p>None.</p>'}
${broken.length > 0 ? `<h2>Broken rules (${broken.length})</h2><ul>${broken.map(({ id, statement }) => `<li><strong>${id}</strong> ${escaped(statement)}</li>`).join('\n')}</ul>` : ''}
${warned.length > 0 ? `<h2>Warnings of new checks (${warned.length})</h2><p>These checks are new in this version of the suite. They do not count for the levels yet.</p>${warned.map(failure).join('\n')}` : ''}
<h2>Skipped checks (${skipped.length})</h2><ul>${skipped.map(({ title, binding, reason }) => `<li>${escaped(title)} (${binding}): <span class="quiet">${escaped(reason)}</span></li>`).join('\n')}</ul>
<h2>All rules</h2><details><summary>${rules.length} rules</summary><div class="scroll"><table><thead><tr><th scope="col">Rule</th><th scope="col">Force</th><th scope="col">Result</th><th scope="col">Statement</th></tr></thead>
<tbody>${rules.map(({ id, force, verdict, statement }) => `<tr><th scope="row">${id}</th><td>${force}</td><td class="${verdict === 'failed' || verdict === 'proven' ? verdict : 'quiet'}">${verdict}</td><td>${escaped(statement)}</td></tr>`).join('\n')}</tbody></table></div></details>
</body></html>
`
}

function failure({ title, rules, binding, reason, evidence = [] }: CheckResult): string {
  return `<details open><summary><span class="failed">✗</span> ${escaped(title)} (${binding}; ${rules.join(', ')})</summary>
<p>${escaped(reason)}</p>${evidence.map(exchange).join('\n')}</details>`
}

function exchange({ request, answer, milliseconds }: Exchange): string {
  const sent = [`${request.method} ${request.url}`, ...headers(request.headers), '', request.body ?? ''].join('\n')
  const got = answer
    ? [`HTTP ${answer.status} after ${milliseconds} ms`, ...headers(answer.headers), '', answer.body].join('\n')
    : `No answer after ${milliseconds} ms`
  return `<details><summary>${escaped(request.method)} ${escaped(request.url)}: ${answer?.status ?? 'no answer'}</summary><pre>${escaped(sent)}</pre><pre>${escaped(got)}</pre></details>`
}

const headers = (fields: Record<string, string>) => Object.entries(fields).map(([name, value]) => `${name}: ${value}`)
