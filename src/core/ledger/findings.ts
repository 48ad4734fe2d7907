export interface Findings {
  named: string[]
  count: number
}

const MOST_NAMED = 100

export function note(findings: Findings, text: string): void {
  findings.count++
  if (findings.named.length < MOST_NAMED) findings.named.push(text)
}
