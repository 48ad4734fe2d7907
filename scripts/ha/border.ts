import { execFileSync } from 'node:child_process'

/** The network between a machine and others, as far as the programs of one machine can have one. */
export interface Border {
  /** Nothing crosses it any more, in either direction, and nobody is told. */
  cut(): void
  mend(): void
  /** It is as if there had never been one, cut or not. */
  remove(): void
}

/** What stands for a machine: the programs of a group of users, and the ports on which they listen. */
export interface Machine {
  group: number
  ports: number[]
}

/** The others of a border, where these are not all: whose programs they are, and the ports on which these, or still others, listen. */
export interface Others {
  groups: number[]
  ports: number[]
}

/**
 * Between a machine and everybody, or some others alone. A connection is marked as it is begun, and what is marked can be
 * dropped. Nothing where the packet filter is not ours: only root may, and not everywhere.
 */
export function border({ group, ports }: Machine, others?: Others): Border | undefined {
  const mark = `0x${nextMark().toString(16)}`
  const marked = (...which: string[]): Rule => ({
    table: 'mangle',
    of: ['-p', 'tcp', '--syn', ...which, '-j', 'CONNMARK', '--or-mark', mark],
  })
  const own = ['-m', 'owner', '--gid-owner', String(group)]
  const inward = ['-m', 'multiport', '--dports', ports.join()]
  const marking = others
    ? [
        ...others.groups.map((other) => marked('-m', 'owner', '--gid-owner', String(other), ...inward)),
        marked(...own, '-m', 'multiport', '--dports', others.ports.join()),
      ]
    : [
        marked('-m', 'owner', '!', '--gid-owner', String(group), ...inward),
        marked(...own, '-m', 'multiport', '!', '--dports', ports.join()),
      ]
  const dropping: Rule = { table: 'filter', of: ['-m', 'connmark', '--mark', `${mark}/${mark}`, '-j', 'DROP'] }

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

/** Of the packets that leave a program. */
interface Rule {
  table: 'mangle' | 'filter'
  of: string[]
}

function change(what: '-I' | '-D', { table, of }: Rule): void {
  execFileSync('iptables', ['-w', '-t', table, what, 'OUTPUT', ...of], { stdio: 'ignore' })
}

let last = 0x8000

/** Of one bit each. */
function nextMark(): number {
  last *= 2
  return last
}
