import { chmodSync, chownSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { owner } from './program.ts'
import type { Layout } from './programs.ts'

const sourceFolder = fileURLToPath(new URL('../../deploy/ha/', import.meta.url))

/** Copies the configuration files of deploy/ha, and replaces their addresses with the addresses on this machine. */
export function fillIn({ folder, password, haproxy, pgbouncer }: Layout): void {
  const etc = join(folder, 'etc')
  const write = (name: string, text: string, mode: number) => {
    const path = join(etc, name)
    writeFileSync(path, text)
    chmodSync(path, mode)
    if (owner.uid !== undefined) chownSync(path, owner.uid, owner.gid)
  }
  for (const name of readdirSync(sourceFolder)) {
    const text = readFileSync(join(sourceFolder, name), 'utf8')
      .replaceAll('/etc/usp/', `${etc}/`)
      .replaceAll('host=primary port=5000', `host=127.0.0.1 port=${haproxy}`)
      .replace('listen_addr = *', 'listen_addr = 127.0.0.1')
      .replace('listen_port = 6432', `listen_port = ${pgbouncer}`)
    write(name, text, statSync(join(sourceFolder, name)).mode & 0o777)
  }
  write('userlist.txt', `"usp" "${password}"\n`, 0o600)
}
