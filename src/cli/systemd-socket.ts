/** The first file descriptor that systemd passes: https://www.freedesktop.org/software/systemd/man/latest/sd_listen_fds.html */
const FIRST_FILE_DESCRIPTOR = 3

/**
 * The socket that systemd listens on for this process (deploy/systemd/usp.socket). It stays open while one server ends
 * and the next one starts. Calls wait during this time, and none is refused.
 */
export function systemdSocket(env: NodeJS.ProcessEnv): { fd: number } | undefined {
  const isForUs = env.LISTEN_PID === String(process.pid) && Number(env.LISTEN_FDS) > 0
  return isForUs ? { fd: FIRST_FILE_DESCRIPTOR } : undefined
}
