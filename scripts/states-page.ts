import { booking } from '../src/domain/bookings/lifecycle.ts'
import { dispute } from '../src/domain/desk/money/disputes.ts'
import { subscription } from '../src/domain/feed/lifecycle.ts'
import { registration } from '../src/domain/registry/listings/lifecycle.ts'
import { entry } from '../src/domain/waitlist/lifecycle.ts'
import type { StateMachine } from '../src/protocol/state-machine.ts'

type AnyMachine = Pick<StateMachine<string, string>, 'name' | 'steps'>

export const statesPage = () => `# States and transitions

Each diagram shows the states of one kind of object, and the transitions between them. The server refuses a transition that is not in the
diagram. \`npm run generate\` writes this page from the tables that the server uses (\`stateMachine()\` in \`src/protocol/state-machine.ts\`).
${[booking, entry, subscription, dispute, registration].map(picture).join('')}`

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
