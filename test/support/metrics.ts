import type { TestServer } from './server.ts'

export async function metricsOf({ raw }: Pick<TestServer, 'raw'>): Promise<Map<string, number>> {
  const { status, body } = await raw({ method: 'GET', url: '/metrics', remoteAddress: '127.0.0.1' })
  if (status !== 200) throw new Error(`/metrics answered ${status}`)
  const samples = String(body).matchAll(/^(\w+(?:\{.*\})?) (\S+)$/gm)
  return new Map([...samples].map(([, name = '', value]) => [name, Number(value)]))
}
