import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { PlainError } from '../util/command-line-error.ts'
import { type Call, locale } from './embedded-postgres-programs.ts'

export const SUPERUSER = 'usp'

/** Creates the data folder of PostgreSQL under a temporary name, and renames it when it is complete. */
export async function initialise(call: Call, home: string, data: string) {
  const unfinished = `${data}-${process.pid}`
  rmSync(unfinished, { recursive: true, force: true })
  const auth = ['-A', 'scram-sha-256', `--pwfile=${join(home, 'password')}`]
  await call('initdb', '-D', unfinished, '-U', SUPERUSER, ...auth, '-E', 'UTF8', `--locale=${locale}`, '--no-sync')
  if (existsSync(data)) rmSync(unfinished, { recursive: true, force: true })
  else renameSync(unfinished, data)
}

export async function portOfRunning(call: Call, data: string): Promise<number | undefined> {
  if (!existsSync(join(data, 'postmaster.pid'))) return undefined
  const running = await call('pg_ctl', 'status', '-D', data).then(Boolean, () => false)
  if (running) return Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[3])
}

/**
 * Starts the embedded PostgreSQL, and returns its port. If another process started it first, returns the port of the
 * running PostgreSQL.
 */
export async function start(call: Call, data: string, log: string, port: number): Promise<number> {
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=`
  const started = await call('pg_ctl', 'start', '-w', '-D', data, '-l', log, '-o', options).then(Boolean, () => false)
  const running = started ? port : await portOfRunning(call, data)
  if (running !== undefined) return running
  throw new PlainError(`PostgreSQL did not start; ${log} says why. Set DATABASE_URL to use a server of your own.`)
}

/** Returns the major version of PostgreSQL that created the data folder. Only this version can read the folder. */
export const majorOf = (data: string): string => readFileSync(join(data, 'PG_VERSION'), 'utf8').trim()

export const freePort = () =>
  new Promise<number>((resolve, reject) => {
    const server = createServer().on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })

/**
 * The database role (user) of the server in the embedded PostgreSQL. This role owns the database, but is not a
 * superuser, because a superuser could run programs on the machine.
 */
export const ROLE = 'usp_server'

/**
 * The number of a PostgreSQL advisory lock. If several processes start at the same time, this lock lets only one of
 * them create the database role.
 */
const LOCK = 4_715_203

/**
 * Creates the database role of the server. An older server version created the tables as a superuser. Therefore this
 * function also makes the role the owner of all tables and functions.
 */
export async function prepareRole(superuser: pg.Client, password: string): Promise<void> {
  await superuser.query('begin')
  await superuser.query('select pg_advisory_xact_lock($1)', [LOCK])
  const { rowCount } = await superuser.query('select from pg_roles where rolname = $1', [ROLE])
  if (rowCount === 0) await superuser.query(`create role ${ROLE} login`)
  await superuser.query(`alter role ${ROLE} password ${pg.escapeLiteral(password)}`)
  await superuser.query(`alter database postgres owner to ${ROLE}`)
  await superuser.query(HAND_OVER)
  await superuser.query('commit')
}

/**
 * SQL that makes the server's database role the owner of all tables and functions. Objects that belong to an extension
 * or a column keep their owner.
 */
const HAND_OVER = `
  do $$ declare
    command text;
  begin
    for command in
      select format('alter table %s owner to ${ROLE}', c.oid::regclass) from pg_class c
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'S')
        and relowner <> '${ROLE}'::regrole
        and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = c.oid and deptype in ('e', 'a', 'i'))
      union all
      select format('alter routine %s owner to ${ROLE}', p.oid::regprocedure) from pg_proc p
      where pronamespace = 'public'::regnamespace and proowner <> '${ROLE}'::regrole
        and not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = p.oid and deptype = 'e')
    loop
      execute command;
    end loop;
  end $$`
