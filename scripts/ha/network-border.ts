import { execFileSync } from 'node:child_process'

/** A simulated network border around a machine, built with iptables marks on one real machine. */
export interface Border {
  /** Drops all packets across the border, in both directions and without an error. */
  cut(): void
  mend(): void
  /** Removes all rules of this border. */
  remove(): void
}

/** Stands for a machine: the programs of one user group, and their ports. */
export interface Machine {
  group: number
  ports: number[]
}

/** Limits a border to these machines: their groups, and the ports on the other side. */
export interface Others {
  groups: number[]
  ports: number[]
}

/**
 * A border between a machine and all others, or only some. It marks each connection at its start, and can drop marked
 * packets. Undefined without access to the packet filter: it needs root, and some machines lack it.
 */
export function border({ group, ports }: Machine, others?: Others): Border | undefined {
  const mark = `0x${nextMark().toString(16)}`
  const marked = (...which: string[]): Rule => ({
    table: 'mangle',
    match: ['-p', 'tcp', '--syn', ...which, '-j', 'CONNMARK', '--or-mark', mark],
  })
  const fromGroup = ['-m', 'owner', '--gid-owner', String(group)]
  const inward = ['-m', 'multiport', '--dports', ports.join()]
  const marking = others
    ? [
        ...others.groups.map((other) => marked('-m', 'owner', '--gid-owner', String(other), ...inward)),
        marked(...fromGroup, '-m', 'multiport', '--dports', others.ports.join()),
      ]
    : [
        marked('-m', 'owner', '!', '--gid-owner', String(group), ...inward),
        marked(...fromGroup, '-m', 'multiport', '!', '--dports', ports.join()),
      ]
  const dropping: Rule = { table: 'filter', match: ['-m', 'connmark', '--mark', `${mark}/${mark}`, '-j', 'DROP'] }

  const inForce = new Set<Rule>()
  const add = (rule: Rule) => {
    change('-I', rule)
    inForce.add(rule)
  }
  const take = (rule: Rule) => inForce.delete(rule) && change('-D', rule)
  const remove = () => inForce.forEach(take)
  try {
    marking.forEach(add)
  } catch {
    remove()
    return undefined
  }
  return { cut: () => add(dropping), mend: () => void take(dropping), remove }
}

interface Rule {
  table: 'mangle' | 'filter'
  match: string[]
}

function change(what: '-I' | '-D', { table, match }: Rule): void {
  execFileSync('iptables', ['-w', '-t', table, what, 'OUTPUT', ...match], { stdio: 'ignore' })
}

let last = 0x8000

/** One bit for each mark. */
function nextMark(): number {
  last *= 2
  return last
}
