import type { Level } from './rule.ts'

/** The rules that must be proven before a server earns a level. Without them, an empty server would earn all levels. */
export const ESSENTIAL: Record<Level, string[]> = {
  Core: ['PRO-001', 'CAT-001', 'CAT-008', 'CAT-046', 'AVL-001', 'AVL-016'],
  Transactions: ['BKG-001', 'BKG-005', 'BKG-044', 'BKG-062', 'BKG-090', 'BKG-104'],
  Events: ['EVT-001'],
  Registry: ['REG-004', 'REG-026', 'REG-038', 'REG-055'],
  Security: ['AUT-034', 'AUT-058'],
  Payments: ['PAY-002'],
}
