// A trace collector belongs to others: whatever it does, no work of the service waits for it.

import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { openTracer } from '../../src/telemetry/open-tracer.ts'
import { otlpTracer } from '../../src/telemetry/otlp-tracer.ts'
import { noTracer, type Tracer } from '../../src/telemetry/tracer.ts'
import { openCollector } from '../support/collector.ts'
import { openReceiver } from '../support/receiver.ts'
import { soon } from '../support/soon.ts'
import { openTestService } from '../support/test-service.ts'

const PARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
const BOUND_MS = 2_500
const ROOT = join(import.meta.dirname, '..', '..')

const opened: Tracer[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((tracer) => tracer.close()))
})

function tracerTo(url: string, warn: (about: object, message: string) => void = () => {}): Tracer {
  const headers = { 'x-key': 'the key' }
  const tracer = otlpTracer({ url, headers, serviceName: 'tested', version: '1', log: { warn } })
  opened.push(tracer)
  return tracer
}

/** An address where nothing listens. */
async function nowhere(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return `http://127.0.0.1:${port}`
}

describe('the tracer', () => {
  it('does not exist without a collector, and then nothing is traced', async () => {
    const settings = { otlpUrl: undefined, otlpHeaders: undefined, serviceName: 'x' }
    const tracer = await openTracer(settings, '1', { warn: () => {} })
    expect(tracer).toBe(noTracer)
    expect(tracer.begin({ name: 'x', kind: 'server' }).run(() => tracer.carried())).toBe(undefined)
  })

  it('sends the remaining spans when it is closed, with the headers of the settings', async () => {
    await using collector = await openCollector()
    const settings = {
      otlpUrl: collector.url,
      otlpHeaders: { 'x-key': 'the key' },
      serviceName: 'tested',
    }
    const tracer = await openTracer(settings, '1.2.3', { warn: () => {} })
    await tracer.span({ name: 'last words', kind: 'internal' }, async () => {})
    await tracer.close()
    expect(collector.spans()).toMatchObject([
      { name: 'last words', resource: { 'service.name': 'tested', 'service.version': '1.2.3' } },
    ])
    expect(collector.receiver.received[0]).toMatchObject({
      method: 'POST',
      path: '/v1/traces',
      headers: { 'x-key': 'the key' },
    })
  })

  it('keeps its context through every await', async () => {
    await using collector = await openCollector()
    const tracer = tracerTo(collector.url)
    const outer = tracer.begin({ name: 'outer', kind: 'server', parent: PARENT })
    const [within, beside] = await Promise.all([
      outer.run(async () => {
        await new Promise((resolve) => setImmediate(resolve))
        const own = tracer.carried()
        return [own, await tracer.span(INNER, async () => tracer.carried())] as const
      }),
      new Promise((resolve) => setImmediate(() => resolve(tracer.carried()))),
    ])
    const [own = '', inner = ''] = within
    expect(own.slice(0, 36)).toBe(PARENT.slice(0, 36))
    expect(inner.slice(0, 36)).toBe(PARENT.slice(0, 36))
    expect(new Set([own, inner, PARENT]).size).toBe(3)
    expect(beside).toBe(undefined)
  })

  it.each([
    ['no traceparent', 'nonsense'],
    ['one of zeros', '00-00000000000000000000000000000000-b7ad6b7169203331-01'],
    ['one that is too short', '00-0af7651916cd43dd8448eb211c80319-b7ad6b7169203331-01'],
    ['one of a version that cannot be', 'ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'],
  ])('begins a new trace if it is given %s', async (_what, parent) => {
    const tracer = tracerTo(await nowhere())
    const span = tracer.begin({ name: 'x', kind: 'server', parent })
    expect(span.run(() => tracer.carried())).toMatch(/^00-(?!0af7)[0-9a-f]{32}-[0-9a-f]{16}-01$/)
  })

  it('records the kind of an error, and not its text', async () => {
    await using collector = await openCollector()
    const tracer = tracerTo(collector.url)
    const fail = () => Promise.reject(new TypeError('the card 4111111111111111'))
    await expect(tracer.span(INNER, fail)).rejects.toThrow('the card')
    await tracer.close()
    const [span] = collector.spans()
    expect(span).toMatchObject({ status: 2, attributes: { 'error.type': 'TypeError' } })
    expect(JSON.stringify(span)).not.toContain('4111')
  })
})

const INNER = { name: 'inner', kind: 'client' } as const

describe('a collector', () => {
  it.each(['away', 'hang'] as const)('that is faulty (%s) delays no charge', async (fault) => {
    await using receiver = await openReceiver()
    receiver.behave('hang')
    const url = fault === 'away' ? await nowhere() : `http://127.0.0.1:${receiver.port}`
    const warnings: object[] = []
    const tracer = tracerTo(url, (about) => warnings.push(about))
    await using service = await openTestService({ tracer, queues: ['charge'] })
    const merchant = await service.merchant()
    const body = { total: 3, payment_method_id: await service.card(merchant) }
    for (let i = 0; i < 3; i += 1) {
      expect((await service.charge(merchant, body)).body).toMatchObject({ status: 'SUCCESS' })
    }
    const beforeMs = performance.now()
    await tracer.close()
    expect(performance.now() - beforeMs).toBeLessThan(BOUND_MS)
  })

  it('that is away is logged once, however many batches it misses', async () => {
    const warn = vi.fn()
    const tracer = tracerTo(await nowhere(), warn)
    for (let i = 0; i < 2_000; i += 1) tracer.begin(INNER).end()
    await soon(() => expect(warn).toHaveBeenCalled())
    await tracer.close()
    expect(warn.mock.calls).toEqual([
      [{ err: expect.any(Error), batches: 1 }, 'traces could not be sent'],
    ])
  })

  it('that never answers keeps no process from ending', async () => {
    await using receiver = await openReceiver()
    receiver.behave('hang')
    const script = `
      const { otlpTracer } = await import('./src/telemetry/otlp-tracer.ts')
      const settings = { headers: undefined, serviceName: 'x', version: '1', log: console }
      const tracer = otlpTracer({ ...settings, url: 'http://127.0.0.1:${receiver.port}' })
      tracer.begin({ name: 'x', kind: 'client' }).end()
      const beforeMs = performance.now()
      await tracer.close()
      console.log(Math.round(performance.now() - beforeMs))
      process.exit()`
    const args = ['--import', 'tsx', '--input-type=module', '-e', script]
    const said = await new Promise<string>((resolve, reject) => {
      execFile(process.execPath, args, { cwd: ROOT }, (error, stdout) =>
        error === null ? resolve(stdout) : reject(error),
      )
    })
    expect(Number(said)).toBeLessThan(BOUND_MS)
    expect(receiver.received.length).toBe(1)
  })
})

describe('a start without a collector', () => {
  it("does not load the tracer's modules: one file imports them, and only on request", () => {
    const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => ({ name, text: readFileSync(join(ROOT, 'src', name), 'utf8') }))
    const using = (pattern: RegExp) =>
      files.filter(({ text }) => pattern.test(text)).map(({ name }) => name)
    expect(using(/from '@opentelemetry\//)).toEqual(['telemetry/otlp-tracer.ts'])
    expect(using(/from '.*\/otlp-tracer\.ts'/)).toEqual([])
    expect(using(/import\('.*\/otlp-tracer\.ts'\)/)).toEqual(['telemetry/open-tracer.ts'])
  })
})
