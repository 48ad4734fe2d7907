/**
 * Edits one service in the YAML text of a business definition. A usp-server stores its services, people and hours in
 * this text.
 */

interface Block {
  lines: string[]
  /** `first` is the index of the first line of the service. `end` is the index after its last line. */
  first: number
  end: number
  indent: string
}

export function withStatus(definition: string, serviceId: string, status: string): string {
  const { lines, first, end, indent } = findService(definition, serviceId)
  const own = lines.slice(first + 1, end).filter((line) => !line.startsWith(`${indent}  status: `))
  return [...lines.slice(0, first + 1), `${indent}  status: ${status}`, ...own, ...lines.slice(end)].join('\n')
}

export function withoutService(definition: string, serviceId: string): string {
  const { lines, first, end } = findService(definition, serviceId)
  return [...lines.slice(0, first), ...lines.slice(end)].join('\n')
}

function findService(definition: string, serviceId: string): Block {
  const lines = definition.split('\n')
  const first = lines.findIndex(
    (line, index) => line.trim() === `- id: ${serviceId}` && index > lines.indexOf('services:'),
  )
  if (first < 0) throw new Error(`The adapter finds no service with the line "- id: ${serviceId}" in the definition.`)
  const indent = lines[first]?.match(/^ */)?.[0] ?? ''
  const after = lines.findIndex((line, index) => index > first && line.trim() !== '' && !line.startsWith(`${indent}  `))
  return { lines, first, end: after < 0 ? lines.length : after, indent }
}
