import { booking } from '../src/domain/bookings/lifecycle.ts'
import { operationsByStatus } from '../src/domain/bookings/operations-by-status.ts'
import { dispute } from '../src/domain/desk/money/dispute-lifecycle.ts'
import { subscription } from '../src/domain/feed/lifecycle.ts'
import { registration } from '../src/domain/registry/listings/lifecycle.ts'
import { charge } from '../src/domain/ucp-checkouts/charge-lifecycle.ts'
import { checkout } from '../src/domain/ucp-checkouts/lifecycle.ts'
import { entry } from '../src/domain/waitlist/lifecycle.ts'
import type { StateMachine } from '../src/protocol/state-machine.ts'

type AnyMachine = Pick<StateMachine<string, string>, 'name' | 'steps'>

export const statesPage = () => `# States and transitions

Made by \`npm run generate\` from the tables that the server itself goes by (\`stateMachine()\` in \`src/protocol/state-machine.ts\`). A step
that is not drawn cannot be taken.
${[booking, entry, subscription, dispute, registration, checkout, charge].map(picture).join('')}
## Operations on a booking, by status

Made from \`src/domain/bookings/operations-by-status.ts\`.

- "no": the call changes nothing, and its answer has the code \`invalid_transition\`. If a booking has expired unpaid, the code for
  confirm_payment is \`payment_expired\`.
- "by terms": the call is possible only if the agreed terms of the booking allow it. Otherwise, it is like "no".
- "in manual mode": the call is possible only if the business confirms each booking. Otherwise, it is like "no".
- "unchanged": the call succeeds, and its answer contains the booking as it is.

${operationTable()}`

function operationTable(): string {
  const statuses = Object.keys(booking.steps)
  const rows = Object.entries(operationsByStatus).map(([operation, byStatus]) => [
    operation,
    ...Object.values(byStatus),
  ])
  const line = (cells: string[]) => `| ${cells.join(' | ')} |\n`
  return [['operation', ...statuses], ['---', ...statuses.map(() => '---')], ...rows].map(line).join('')
}

function picture({ name, steps }: AnyMachine): string {
  const arrows = Object.entries(steps).flatMap(([from, leads]) =>
    Object.entries(leads).map(([step, to]) => `  ${from} --> ${to}: ${step}`),
  )
  return `
## A ${name}

\`\`\`mermaid
stateDiagram-v2
${arrows.join('\n')}
\`\`\`
`
}
