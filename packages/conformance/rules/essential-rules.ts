import type { DeploymentMode } from '../target/target.ts'
import type { Level } from './rule.ts'

/**
 * Rules that must be proven before a server earns a level. Without them, a server that offers nothing would earn all
 * levels.
 */
export const ESSENTIAL: Record<Level, string[]> = {
  Core: ['PRO-001', 'CAT-001', 'CAT-008', 'CAT-046', 'AVL-001', 'AVL-016'],
  Transactions: ['BKG-001', 'BKG-005', 'BKG-044', 'BKG-062', 'BKG-090', 'BKG-104'],
  Events: ['EVT-001'],
  Registry: ['REG-004', 'REG-026', 'REG-038', 'REG-055'],
  Security: ['AUT-034', 'AUT-058'],
  Payments: ['PAY-002'],
}

/** In the mode UCP-Native, buyers pay in a checkout of UCP. */
export const ESSENTIAL_OF_UCP: Record<Level, string[]> = { ...ESSENTIAL, Payments: ['LIV-112', 'LIV-119'] }

export const essentialRules = (mode: DeploymentMode): Record<Level, string[]> =>
  mode === 'ucp_native' ? ESSENTIAL_OF_UCP : ESSENTIAL
