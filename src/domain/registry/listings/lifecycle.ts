import { stateMachine } from '../../../protocol/state-machine.ts'
import type { RegistryEntry } from '../../../protocol/types.generated.ts'

type Step = 'pass' | 'vanish'

export const registration = stateMachine<RegistryEntry['status'], Step>('registration', {
  active: { pass: 'active', vanish: 'inactive' },
  inactive: { pass: 'active', vanish: 'inactive' },
})
