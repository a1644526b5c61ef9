// The page for receivers of webhooks, and its example endpoint.

import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WEBHOOK_WAITS_MS } from '../src/core/delivery.ts'
import { notPublicKind } from '../src/outside/endpoint/public-address.ts'
import { freePort } from './chaos/proxies.ts'
import { openReceiver } from './support/receiver.ts'
import { soon } from './support/soon.ts'
import { call, type Merchant, type TestService } from './support/test-service.ts'
import { openWebhookService, webhooksOf } from './support/webhooks.ts'

const DOCS = join(import.meta.dirname, '../docs')
const page = readFileSync(join(DOCS, 'webhooks.md'), 'utf8')

let service: TestService
let merchant: Merchant

beforeAll(async () => {
  service = await openWebhookService({ queues: ['webhook'] })
  merchant = await service.merchant()
})

afterAll(() => service.close())

describe('the endpoint of the page', () => {
  let receiver: ChildProcess
  let webhook: { readonly id: string; readonly secret: string; readonly target_url: string }
  let printed = ''

  beforeAll(async () => {
    const PORT = String(await freePort())
    const target_url = `http://127.0.0.1:${PORT}/events`
    webhook = await webhooksOf(service, merchant).made({ target_url })
    const env = { ...process.env, PORT, WEBHOOK_SECRET: webhook.secret }
    const stdio = ['ignore', 'pipe', 'inherit'] as const
    receiver = spawn(process.execPath, [join(DOCS, 'webhooks/receiver.mjs')], {
      env,
      stdio: [...stdio],
    })
    receiver.stdout?.on('data', (text) => {
      printed += text
    })
    await until(/^ready$/m)
  })

  afterAll(() => {
    receiver.kill()
  })

  function until(line: RegExp): Promise<void> {
    return soon(() => expect(printed).toMatch(line))
  }

  function post(id: string, secret: string) {
    const body = JSON.stringify({ id: `resource of ${id}` })
    const at = new Date()
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
      'webhook-signature': new Webhook(secret).sign(id, at, body),
      'event-name': 'create_customer',
      'event-sequence': '1',
    }
    return fetch(webhook.target_url, { method: 'POST', headers, body })
  }

  it('gets events', async () => {
    const body = { firstname: 'Ada' }
    const made = await call(service.app, 'POST', '/customer', merchant.headers, body)
    await until(new RegExp(`^create_customer ${made.body.id} 1$`, 'm'))
    const where = { lane: webhook.id, status: 'sent' } as const
    await soon(async () => expect(await service.world.db.prisma.delivery.count({ where })).toBe(1))
  })

  it('accepts no event twice, and no forged one', async () => {
    expect((await post('one', webhook.secret)).status).toBe(204)
    expect((await post('one', webhook.secret)).status).toBe(204)
    expect((await post('two', `whsec_${'A'.repeat(32)}`)).status).toBe(401)
    expect((await fetch(webhook.target_url, { method: 'POST', body: '{}' })).status).toBe(401)
    expect((await post('three', webhook.secret)).status).toBe(204)
    await until(/resource of three/)
    expect(printed.match(/resource of one/g)).toHaveLength(1)
    expect(printed).not.toContain('resource of two')
  })
})

describe('the page', () => {
  it('names every header of a request, and no other', async () => {
    await using receiver = await openReceiver()
    await webhooksOf(service, merchant).made({ target_url: receiver.url })
    await call(service.app, 'POST', '/customer', merchant.headers, { firstname: 'Ada' })
    const [received] = await receiver.until(1)
    const shown = page.match(/POST \/events HTTP\/1\.1\n([\s\S]*?)\n\n/)?.[1] ?? ''
    const named = shown.split('\n').map((line) => line.split(':')[0])
    const ofTheConnection = ['host', 'connection', 'content-length']
    const came = Object.keys(received?.headers ?? {})
    expect(named.sort()).toEqual(came.filter((name) => !ofTheConnection.includes(name)).sort())
  })

  it('has the table of the retries', () => {
    const rows = [...page.matchAll(/^\| (\d+) \| (\d+) (s|min|h) \|$/gm)]
    const units = { s: 1_000, min: 60_000, h: 3_600_000 }
    const waits = rows.map(([, , count, unit]) => Number(count) * units[unit as keyof typeof units])
    expect(waits).toEqual(WEBHOOK_WAITS_MS)
    expect(rows.map(([, failures]) => Number(failures))).toEqual(waits.map((_wait, i) => i + 1))
  })

  it.each([
    ['127.0.0.1'],
    ['10.0.0.1'],
    ['169.254.169.254'],
    ['100.64.0.1'],
    ['fd00::1'],
    ['224.0.0.1'],
    ['192.0.2.1'],
    ['198.18.0.1'],
    ['240.0.0.1'],
    ['0.0.0.0'],
    ['168.63.129.16'],
    ['::ffff:7f00:1'],
  ])('explains %s', (address) => {
    expect(page.replaceAll(/\s+/g, ' ')).toMatch(new RegExp(`[ ,]${notPublicKind(address)}[,;]`))
  })
})
