// The commands for messages that were kept because no provider is configured.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { listOutboxCommand, showMessageCommand } from '../../src/cli/outbox.ts'
import { OperatorError } from '../../src/core/operator-error.ts'
import type { Mail } from '../../src/outside/mail/port.ts'
import { runHere } from '../support/command.ts'
import { aMail, inTime } from '../support/mail.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

const LONG = { timeout: 60_000 }
const NOBODYS = '00000000-0000-4000-8000-000000000000'
const TWENTY = { limit: '20' }

let service: TestService
let folder: string
let mailId: string
let textId: string

let mail: Mail

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lamplighter-data-'))
  service = await openTestService({ queues: [], settings: { DATA_DIR: folder } })
  vi.stubEnv('DATABASE_URL', service.databaseUrl)
  vi.stubEnv('DATA_DIR', folder)
  const { mailer, texter } = service.world
  const { accountId } = await service.merchant()
  const content = { text: 'Thank you\u001b[2J, Ada', html: '<p>Ada</p>' }
  mail = aMail({ accountId, subject: 'Receipt № 7', ...content })
  mailId = idOf(await mailer.send(mail, inTime()))
  const message = {
    ...aMail({ accountId }),
    to: '+12025550123',
    text: `Paid:\n${'$1 '.repeat(40)}`,
  }
  textId = idOf(await texter.send({ ...message, statusUrl: undefined }, inTime()))
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await service.close()
  await rm(folder, { recursive: true, force: true })
})

function idOf(answer: { readonly kind: string; readonly providerId?: string | null }): string {
  if (answer.kind !== 'taken') throw new Error(`it was ${answer.kind}`)
  return answer.providerId ?? ''
}

describe('lamplighter outbox', LONG, () => {
  it('lists the kept messages, the newest first, with their content', async () => {
    const listed = JSON.parse(await said(listOutboxCommand({ ...TWENTY, json: true })))
    expect(listed).toMatchObject([
      { id: textId, channel: 'sms', recipient: '+12025550123' },
      { id: mailId, channel: 'email', recipient: 'ada@example.com', says: 'Receipt № 7' },
    ])
    expect(listed[0].says).toMatch(/^Paid: [$1 ]{54}$/)
    const [names, ...lines] = (await said(listOutboxCommand(TWENTY))).trim().split('\n')
    expect(names?.split(/ +/)).toEqual(['ID', 'CREATED', 'CHANNEL', 'RECIPIENT', 'SAYS', 'TEAM'])
    expect(lines).toHaveLength(2)
  })

  it('lists as many as requested, of one channel if requested', async () => {
    const one = await said(listOutboxCommand({ limit: '1', json: true }))
    expect(JSON.parse(one)).toMatchObject([{ id: textId }])
    const mails = await said(listOutboxCommand({ ...TWENTY, channel: 'email', json: true }))
    expect(JSON.parse(mails)).toMatchObject([{ id: mailId }])
  })

  it('shows an e-mail, and nothing in it moves the cursor', async () => {
    const [head, body] = (await said(showMessageCommand(mailId, {}))).split('\n\n')
    expect(head).toContain('To: ada@example.com\nSubject: Receipt № 7\nDate: ')
    expect(head).toContain(`Delivery: ${mail.deliveryId}\nChannel: email`)
    expect(body).toBe('Thank you [2J, Ada\n')
    expect(await said(showMessageCommand(mailId, { html: true }))).toBe('<p>Ada</p>\n')
    expect(JSON.parse(await said(showMessageCommand(mailId, { json: true })))).toMatchObject({
      text: mail.text,
    })
  })

  it('is a command that shows the file as any mail program opens it', async () => {
    const { out } = await run('show', mailId, '--raw')
    const { subject, messageId } = await PostalMime.parse(out)
    expect({ subject, messageId }).toEqual({
      subject: 'Receipt № 7',
      messageId: `<${mail.deliveryId}@localhost>`,
    })
  })

  it('is a command that reports in one line what it cannot do', async () => {
    const { status, err } = await run('--limit', '0')
    expect(status).toBe(1)
    expect(err).toBe('lamplighter: 0 is not a limit: 1 to 1000\n')
  })

  it.each([
    ['no such id', () => showMessageCommand('abc', {}), 'abc is not the id of a message'],
    ['no such message', () => showMessageCommand(NOBODYS, {}), `there is no message ${NOBODYS}`],
    ['too high a limit', () => listOutboxCommand({ limit: '1001' }), '1001 is not a limit'],
    [
      'no HTML of an SMS',
      () => showMessageCommand(textId, { html: true }),
      'has no HTML: it is an SMS',
    ],
  ])('refuses %s', async (_what, ask, words) => {
    const refusal = said(Promise.resolve().then(ask))
    await expect(refusal).rejects.toThrow(OperatorError)
    await expect(refusal).rejects.toThrow(words)
  })

  it('reports a message that is no longer on the disk', async () => {
    await rm(join(folder, 'outbox'), { recursive: true })
    await expect(said(showMessageCommand(mailId, { raw: true }))).rejects.toThrow(
      'cannot be read (ENOENT)',
    )
  })
})

/** The output of a command that runs in this process. */
async function said(command: Promise<void>): Promise<string> {
  const parts: string[] = []
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((part) => {
    parts.push(String(part))
    return true
  })
  try {
    await command
    return parts.join('')
  } finally {
    write.mockRestore()
  }
}

function run(...args: readonly string[]) {
  return runHere(['outbox', ...args], { DATABASE_URL: service.databaseUrl, DATA_DIR: folder })
}
