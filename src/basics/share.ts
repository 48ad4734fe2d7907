/** Whoever wants the same while it is being done waits for that. */
export function share<T>(underway: Map<string, Promise<T>>, key: string, work: () => Promise<T>): Promise<T> {
  const running = underway.get(key)
  if (running) return running
  const started = work().finally(() => underway.delete(key))
  underway.set(key, started)
  return started
}
