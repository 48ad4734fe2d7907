import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pass } from 'node:timers/promises'

/** Microseconds: short, so that who has used up its share waits no longer than for a turn of the disk. */
const PERIOD = 10_000
const [V1, V2] = ['/sys/fs/cgroup/cpu', '/sys/fs/cgroup']

const isV1 = existsSync(join(V1, 'cpu.shares'))
const root = isV1 ? V1 : V2
const groupOf = (pid: number) => join(root, `usp-bench-${pid}`)

/** Whether that can be done here. */
export function canHold(): boolean {
  const group = groupOf(process.pid)
  try {
    mkdirSync(group)
  } catch {
    return false
  }
  const isLimited = existsSync(join(group, isV1 ? 'cpu.cfs_quota_us' : 'cpu.max'))
  rmdirSync(group)
  return isLimited
}

/** Lets a process have no more than such a share of one processor, by a control group of Linux; only root may. */
export function hold(pid: number, share: number): { letGo(): Promise<void> } {
  const group = groupOf(pid)
  const quota = Math.round(PERIOD * share)
  mkdirSync(group)
  if (isV1) {
    writeFileSync(join(group, 'cpu.cfs_period_us'), String(PERIOD))
    writeFileSync(join(group, 'cpu.cfs_quota_us'), String(quota))
  } else writeFileSync(join(group, 'cpu.max'), `${quota} ${PERIOD}`)
  writeFileSync(join(group, 'cgroup.procs'), String(pid))
  return {
    async letGo() {
      writeFileSync(join(root, 'cgroup.procs'), String(pid))
      await pass(PERIOD / 1000)
      rmdirSync(group)
    },
  }
}
