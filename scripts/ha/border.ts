import { execFileSync } from 'node:child_process'

/** The network between a machine and others, as far as the programs of one machine can have one. */
export interface Border {
  /** Nothing crosses it any more, in either direction, and nobody is told. */
  cut(): void
  mend(): void
  remove(): void
}

/** What stands for a machine: the programs of a group of users, and the ports on which they listen. */
export interface Machine {
  group: number
  ports: number[]
}

/**
 * Between a machine and everybody, or some others alone. A connection is marked as it is begun, and what is marked can be
 * dropped. Nothing where the packet filter is not ours: only root may, and not everywhere.
 */
export function border({ group, ports }: Machine, others?: Machine[]): Border | undefined {
  const mark = `0x${nextMark().toString(16)}`
  const marking = ['-j', 'CONNMARK', '--or-mark', mark]
  const from = (other: number, ...not: string[]) => ['-m', 'owner', ...not, '--gid-owner', String(other)]
  const to = (some: number[], ...not: string[]) => ['-m', 'multiport', ...not, '--dports', some.join()]
  const inward = others ? others.map((other) => from(other.group)) : [from(group, '!')]
  const outward = others ? to(others.flatMap((other) => other.ports)) : to(ports, '!')
  const rules = [...inward.map((whose) => [...whose, ...to(ports)]), [...from(group), ...outward]].map((rule) => [
    ...['-t', 'mangle', 'OUTPUT', '-p', 'tcp', '--syn'],
    ...rule,
    ...marking,
  ])
  const drop = ['-t', 'filter', 'OUTPUT', '-m', 'connmark', '--mark', `${mark}/${mark}`, '-j', 'DROP']
  const made: string[][] = []
  const add = (rule: string[]) => {
    filter('-I', rule)
    made.push(rule)
  }
  const remove = () => {
    for (const rule of made.splice(0)) filter('-D', rule)
  }
  try {
    rules.forEach(add)
  } catch {
    remove()
    return undefined
  }
  return {
    cut: () => filter('-I', drop),
    mend: () => filter('-D', drop),
    remove,
  }
}

let last = 0x8000

/** Of one bit each. */
function nextMark(): number {
  last *= 2
  return last
}

function filter(what: '-I' | '-D', [flag = '', table = '', chain = '', ...rule]: string[]): void {
  execFileSync('iptables', ['-w', flag, table, what, chain, ...rule], { stdio: 'ignore' })
}
