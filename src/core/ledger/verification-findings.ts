export interface Findings {
  listed: string[]
  count: number
}

const MAX_NAMED = 100

export function addFinding(findings: Findings, text: string): void {
  findings.count++
  if (findings.listed.length < MAX_NAMED) findings.listed.push(text)
}
