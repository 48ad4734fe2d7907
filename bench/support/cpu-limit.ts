import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pass } from 'node:timers/promises'

/**
 * In microseconds. The CPU limit pauses a process within each period. A short period keeps these pauses as short as a
 * disk access.
 */
const PERIOD_MICROSECONDS = 10_000
const [V1, V2] = ['/sys/fs/cgroup/cpu', '/sys/fs/cgroup']

const isV1 = existsSync(join(V1, 'cpu.shares'))
const root = isV1 ? V1 : V2
const groupOf = (pid: number) => join(root, `usp-bench-${pid}`)

/** Whether this machine allows CPU limits. */
export function canLimitCpu(): boolean {
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

/** Limits a process to a share of one CPU. Uses a Linux control group, and needs root. */
export function limitCpu(pid: number, share: number): { letGo(): Promise<void> } {
  const group = groupOf(pid)
  const quota = Math.round(PERIOD_MICROSECONDS * share)
  mkdirSync(group)
  if (isV1) {
    writeFileSync(join(group, 'cpu.cfs_period_us'), String(PERIOD_MICROSECONDS))
    writeFileSync(join(group, 'cpu.cfs_quota_us'), String(quota))
  } else writeFileSync(join(group, 'cpu.max'), `${quota} ${PERIOD_MICROSECONDS}`)
  writeFileSync(join(group, 'cgroup.procs'), String(pid))
  return {
    async letGo() {
      writeFileSync(join(root, 'cgroup.procs'), String(pid))
      await pass(PERIOD_MICROSECONDS / 1000)
      rmdirSync(group)
    },
  }
}
