import { execFileSync } from 'node:child_process'
import { chownSync, statfsSync } from 'node:fs'

/** A small disk in memory, mounted at a folder. A test can fill it. */
export interface SmallDisk {
  /** Shrinks the disk to its contents: no new byte fits. */
  fill(): void
  makeRoom(): void
  remove(): void
}

/** Undefined where the machine allows no mount: it needs root, and some machines forbid it. */
export function smallDisk(
  path: string,
  megabytes: number,
  owner: { uid?: number; gid?: number },
): SmallDisk | undefined {
  const mount = (...args: string[]) => execFileSync('mount', [...args, path], { stdio: 'ignore' })
  const size = `${megabytes}m`
  try {
    mount('-t', 'tmpfs', '-o', `size=${size},mode=0700`, 'usp-small-disk')
  } catch {
    return undefined
  }
  if (owner.uid !== undefined && owner.gid !== undefined) chownSync(path, owner.uid, owner.gid)
  return {
    fill() {
      for (let isFull = false; !isFull; )
        try {
          mount('-o', `remount,size=${usedOf(path)}`)
          isFull = true
        } catch {} // Another process wrote meanwhile, so the size was too small: retries.
    },
    makeRoom: () => void mount('-o', `remount,size=${size}`),
    // Lazy: a process with an open file keeps the disk until it ends.
    remove: () => void execFileSync('umount', ['--lazy', path]),
  }
}

function usedOf(path: string): number {
  const { blocks, bfree, bsize } = statfsSync(path)
  return (blocks - bfree) * bsize
}
