import pg from 'pg'

/** The role of the server. It owns the database, but is no superuser, so it cannot affect the machine. */
export const ROLE = 'usp_server'

/** An advisory lock: when several processes start at once, one of them creates the role. */
const LOCK = 4_715_203

/** Creates the role, and makes it the owner of objects that a superuser created for an older version. */
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

/** Objects that belong to an extension or to a column keep their owner. */
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
