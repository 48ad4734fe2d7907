import { execFileSync } from 'node:child_process'

/** A simulated network border between machines, made of iptables rules. All "machines" run on one real machine. */
export interface Border {
  /** Drops all packets that cross the border in either direction. The senders get no error. */
  cut(): void
  mend(): void
  /** Removes all rules of this border. */
  remove(): void
}

/** A simulated machine: the programs of one user group, and their ports. */
export interface Machine {
  group: number
  ports: number[]
}

/** The machines on the other side of a border: their user groups and ports. */
export interface Others {
  groups: number[]
  ports: number[]
}

/**
 * Creates a border between a machine and all others, or only the given others. Rules mark each new connection across
 * the border. To cut the border, a rule drops all marked packets. Returns undefined if the script cannot change the
 * packet filter, for example without root.
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

/** Returns a mark with one bit that no other mark has. A connection can thus have several marks. */
function nextMark(): number {
  last *= 2
  return last
}
