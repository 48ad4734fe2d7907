export interface Findings {
  named: string[]
  count: number
}

const MAX_NAMED = 100

export function addFinding(findings: Findings, text: string): void {
  findings.count++
  if (findings.named.length < MAX_NAMED) findings.named.push(text)
}
