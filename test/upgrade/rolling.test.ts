import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { letPeopleIn, undelivered } from '../ha/people.ts'
import type { Said } from '../race/wire.ts'
import { freshDatabase } from '../support/database.ts'
import { freePort, type Running, usp, waitForOutput } from '../support/process.ts'
import { sinceRelease, withMore } from './versions.ts'

/** A release of before that is to be replaced by this version, as git names it: `USP_PREVIOUS=v1.2.0`. */
const RELEASE = process.env.USP_PREVIOUS || undefined
const WRITES = 30
/** No more than a slow machine serves within the seconds that a call may wait for its turn. */
const AT_ONCE = 6
/** Milliseconds in which people book with servers as they are. */
const A_WHILE = 1_000

test(`[old and new servers at once] people book while ${RELEASE ?? 'this version'} is replaced by the next one, and while that is taken back: no call fails, and nothing is lost`, async () => {
  const { previous, next } = RELEASE === undefined ? withMore() : sinceRelease(RELEASE)
  const databaseUrl = await freshDatabase({ migrated: false })
  const folder = mkdtempSync(join(tmpdir(), 'usp-upgrade-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const [base, port] = [await freePort(), await freePort()]
  const env = {
    DATABASE_URL: databaseUrl,
    DATABASE_POOL: '5',
    USP_DATA_DIR: folder,
    BASE_URL: `http://127.0.0.1:${base}`,
    USP_SECRET_KEY: 'a secret that both versions share, as they share the database',
  }
  const all: Running[] = []
  const serve = async (cwd: string, port: number) => {
    const running = usp(['serve'], { ...env, PORT: String(port) }, { cwd })
    all.push(running)
    await waitForOutput(running, 'Ctrl-C stops it.')
    return { running, origin: `http://127.0.0.1:${port}` }
  }
  const end = async ({ process, ended }: Running) => {
    process.kill('SIGTERM')
    expect(await ended).toBe(0)
  }

  const inService: string[] = []
  const leave = async (origin: string) => {
    inService.splice(inService.indexOf(origin), 1)
    await setTimeout(200)
  }

  const old = await serve(previous, base)
  inService.push(old.origin)
  const unheard: Said[] = []
  const heard = (said: Said) => {
    if (['service_unavailable', 'internal_error'].includes(said.code ?? '')) unheard.push(said)
  }
  const people = await letPeopleIn(inService, databaseUrl, WRITES, { heard, atOnce: AT_ONCE })
  await setTimeout(A_WHILE)
  const young = await serve(next, port)
  inService.push(young.origin)
  expect((await fetch(`${old.origin}/readyz`)).status).toBe(200)
  await setTimeout(A_WHILE)
  await leave(old.origin)
  await end(old.running)
  await setTimeout(A_WHILE)
  // It did not prove its worth.
  const again = await serve(previous, base)
  inService.push(again.origin)
  await setTimeout(A_WHILE)
  await leave(young.origin)
  await end(young.running)
  await setTimeout(A_WHILE)

  expect(await people.end()).toEqual([])
  await expect.poll(() => undelivered(people)).toEqual([])
  const { attempts, booked } = people.witness
  await people.db.destroy()
  await end(again.running)
  expect(unheard).toEqual([])
  expect(attempts.filter(({ status }) => status !== 201)).toEqual([])
  expect(booked.length).toBeGreaterThan(100)
  for (const { output } of all) expect(output()).not.toMatch(/"level":(50|60)/)
  for (const cwd of [previous, next]) {
    const verified = usp(['verify'], env, { cwd })
    expect(await verified.ended, verified.output()).toBe(0)
  }
})
