import type { SetUp } from './set-up.ts'

/** Describes a running set-up to its user: the addresses, processes and commands. */
export function describeSetUp({
  front,
  origins,
  nodes,
  databaseUrl,
  directUrl,
  adminUrl,
  etcd,
  folder,
  env,
  ...parts
}: SetUp): string {
  const { servers, pgbouncer, haproxy, balancer } = parts
  const settings = { DATABASE_URL: databaseUrl, DATABASE_DIRECT_URL: directUrl, USP_SECRET_KEY: env.USP_SECRET_KEY }
  const rows = [
    ['Caddy', front],
    ['Balancer', `behind Caddy, process ${balancer.pid}`],
    ...servers.map(({ name, pid }, index) => [name, `${origins[index]}, process ${pid}`]),
    ['PgBouncer', `${databaseUrl}, process ${pgbouncer.pid}`],
    ['HAProxy', `behind that, process ${haproxy.pid}`],
    ...nodes.map(({ name, url, data, patroni }) => [
      `Node ${name}`,
      `${url}, in ${data}, looked after by process ${patroni.pid}`,
    ]),
    ['etcd', etcd],
    ['Who is what', `curl -s ${nodes[0]?.says}/cluster`],
    ['Logs', `${folder}/log`],
  ]
  return `
${rows.map(([name = '', where]) => `${name.padEnd(13)}${where}`).join('\n')}

For commands, and for deploy/drills.md and primary-lost.md:
${Object.entries(settings)
  .map(([name, value]) => `export ${name}='${value}'`)
  .join('\n')}
usp() { npm run --silent usp -- "$@"; }
ready() { curl -fsS ${origins[0]}/readyz; }
admin() { psql '${adminUrl}' "$@"; }
patroni() { PATRONI_ETCD_HOSTS=${etcd} patronictl -c ${folder}/etc/patroni.yml "$@"; }

To see it fail: end a primary by kill -9 $(head -1 FOLDER/postmaster.pid), or Patroni with it, or a server.
Enter starts what has ended, as systemd would. Ctrl-C ends all of it, and throws it away.`
}
