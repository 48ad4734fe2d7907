import { machine } from '../../../protocol/machine.ts'
import type { RegistryEntry } from '../../../protocol/types.generated.ts'

type Step = 'pass' | 'vanish'

export const registration = machine<RegistryEntry['status'], Step>('registration', {
  active: { pass: 'active', vanish: 'inactive' },
  inactive: { pass: 'active', vanish: 'inactive' },
})
