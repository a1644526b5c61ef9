// Rules for every channel of text messages.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Texter, TextMessage } from '../../../src/outside/sms/port.ts'
import { TWILIO } from '../../support/settings.ts'
import { openTestService, type TestService } from '../../support/test-service.ts'
import { openTwilioServer, type TwilioServer } from '../../support/twilio-server.ts'

/** On a busy machine Twilio's client takes seconds to load. */
const PATIENCE_MS = 30_000
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

describe.each(['twilio', 'outbox'] as const)('the text channel %s', (kind) => {
  let folder: string
  let server: TwilioServer
  let service: TestService
  let accountId: string
  let texter: Texter

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lamplighter-texter-'))
    server = await openTwilioServer()
    service = await openTestService({
      queues: [],
      twilioUrl: server.url,
      settings: { DATA_DIR: folder, ...(kind === 'twilio' ? TWILIO : {}) },
    })
    accountId = (await service.merchant()).accountId
    texter = service.world.texter
  })
  afterAll(async () => {
    await service.close()
    await server[Symbol.asyncDispose]()
    await rm(folder, { recursive: true })
  })

  const message = (more: Partial<TextMessage> = {}): TextMessage => ({
    accountId,
    deliveryId: service.world.newId(),
    to: '+12025550177',
    text: 'Thank you!',
    statusUrl: undefined,
    ...more,
  })

  const patient = () => AbortSignal.timeout(PATIENCE_MS)

  it('says which kind it is', () => {
    expect(texter.kind).toBe(kind)
  })

  it.each([
    ['plain', {}],
    [
      'of many lines and signs',
      { text: 'Grüße 🍵\n\n"1 + 1" & <b> = 100 % \\ \u{1f469}\u200d\u{1f680}' },
    ],
    ['long', { text: 'x'.repeat(1_600) }],
    ['with an address for what becomes of it', { statusUrl: 'https://pay.example/x?a=1&b=2' }],
  ])('takes a text that is %s, and may name it', async (_what, more) => {
    const answer = await texter.send(message(more), patient())
    expect(answer).toMatchObject({ kind: 'taken' })
    expect(answer).toHaveProperty('providerId')
  })

  it('takes many at once, and the same one again', async () => {
    const same = message()
    const messages = [same, ...Array.from({ length: 8 }, () => message()), same]
    const answers = await Promise.all(messages.map((one) => texter.send(one, patient())))
    expect(answers.map((answer) => answer.kind)).toEqual(messages.map(() => 'taken'))
  })

  it('answers, and never throws, when it is aborted', async () => {
    for (const signal of [AbortSignal.abort(), AbortSignal.timeout(1)]) {
      const { kind: answer } = await texter.send(message(), signal)
      expect(['taken', 'silent', 'away']).toContain(answer)
    }
  })

  it("accepts no call without a signature as its provider's", () => {
    for (const signature of ['', 'nonsense']) {
      expect(texter.isFromProvider('https://pay.example/', {}, signature)).toBe(false)
    }
  })

  it('can be closed twice', async () => {
    await texter.close()
    await texter.close()
  })
})
