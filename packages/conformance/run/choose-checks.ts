import type { Check } from '../checks/check.ts'
import type { Rule } from '../rules/rule.ts'

/**
 * Returns the checks of the named rules, rule families (`HLD`) or levels (`Events`). Without names, returns all checks.
 */
export function chooseChecks(checks: Check[], names: string[], rules: Map<string, Rule>): Check[] {
  if (names.length === 0) return checks
  const isNamed = (id: string) =>
    names.some((name) => id === name || id.startsWith(`${name}-`) || rules.get(id)?.level === name)
  return checks.filter(({ rules: ids }) => ids.some(isNamed))
}
