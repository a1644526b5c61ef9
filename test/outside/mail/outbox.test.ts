// The rows and files that the outbox keeps, for e-mail and SMS.

import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { outboxMailer } from '../../../src/outside/mail/outbox.ts'
import type { Outbox } from '../../../src/outside/outbox.ts'
import { outboxTexter } from '../../../src/outside/sms/outbox.ts'
import { aMail, inTime, SENDER } from '../../support/mail.ts'
import { openTestService, type TestService } from '../../support/test-service.ts'

const NOW = new Date('2026-03-04T05:06:07.089Z')

let service: TestService
let base: string
let outbox: Outbox

beforeAll(async () => {
  service = await openTestService({ queues: [] })
  base = await mkdtemp(join(tmpdir(), 'lamplighter-outbox-'))
})
beforeEach(() => {
  const { db, newId } = service.world
  outbox = { db, newId, clock: { now: () => NOW }, folder: join(base, newId(), 'outbox') }
})
afterAll(async () => {
  await service.close()
  await rm(base, { recursive: true, force: true })
})

const rowOf = (id: string | null) =>
  service.world.db.prisma.outboxMessage.findFirst({ where: { id: id ?? '' } })

async function sendMail(changes = {}) {
  const mail = aMail(changes)
  const answer = await outboxMailer(outbox, SENDER).send(mail, inTime())
  if (answer.kind !== 'taken') throw new Error(`not taken: ${answer.detail}`)
  return { mail, answer, row: await rowOf(answer.providerId) }
}

const aText = (changes = {}) => ({
  accountId: randomUUID(),
  deliveryId: randomUUID(),
  to: '+12025550123',
  text: 'Moonlight Books: $12.50 paid ☕️',
  statusUrl: undefined,
  ...changes,
})

describe('an e-mail in the outbox', () => {
  it('is a row under the id in the answer', async () => {
    const { mail, row } = await sendMail()
    const { accountId, deliveryId, subject, text, html, to: recipient } = mail
    const said = { accountId, deliveryId, recipient, subject, text, html }
    expect(row).toMatchObject({ ...said, channel: 'email', createdAt: NOW })
  })

  it('is a complete file that only its owner can read, in a folder that only the owner can open', async () => {
    const { answer } = await sendMail()
    const names = await readdir(outbox.folder)
    expect(names).toEqual([`20260304T050607089Z-${answer.providerId}.eml`])
    const file = join(outbox.folder, names[0] ?? '')
    expect([(await stat(file)).mode & 0o777, (await stat(outbox.folder)).mode & 0o777]).toEqual([
      0o600, 0o700,
    ])
    expect(await readFile(file, 'latin1')).not.toMatch(/[^\r]\n/)
  })

  it('is a row all the same if the disk takes no file, and says so', async () => {
    const blocked = join(base, service.world.newId())
    await writeFile(blocked, 'a file where the folder should be')
    outbox = { ...outbox, folder: join(blocked, 'outbox') }
    const { answer, row } = await sendMail()
    expect(answer.detail).toBe('kept without its file (ENOTDIR)')
    expect(row).not.toBeNull()
  })

  it('is stored without characters that no row can hold', async () => {
    const { row } = await sendMail({ text: 'a\0b\ud800', html: '<p>\0</p>', subject: 'x\0y' })
    expect(row).toMatchObject({ text: 'ab\ufffd', html: '<p></p>', subject: 'x y' })
  })

  it('is not taken if the row cannot be written', async () => {
    const answer = await outboxMailer(outbox, SENDER).send(aMail({ accountId: 'none' }), inTime())
    expect(answer).toEqual({ kind: 'failed', detail: 'the outbox cannot be written' })
    await expect(readdir(outbox.folder)).rejects.toMatchObject({ code: 'ENOENT' })
  })
})

describe('an SMS in the outbox', () => {
  it('is a row and a file', async () => {
    const message = aText()
    const answer = await outboxTexter(outbox).send(message, inTime())
    expect(answer).toMatchObject({ kind: 'taken' })
    const [name = ''] = await readdir(outbox.folder)
    const id = name.slice('20260304T050607089Z-'.length, -'.txt'.length)
    expect(answer).toEqual({ kind: 'taken', providerId: id })
    const said = { channel: 'sms', recipient: message.to, subject: null, html: null }
    expect(await rowOf(id)).toMatchObject({ ...said, text: message.text, createdAt: NOW })
    const file = await readFile(join(outbox.folder, name), 'utf8')
    expect(file).toBe(`To: ${message.to}\nDelivery: ${message.deliveryId}\n\n${message.text}\n`)
  })

  it('has no provider whose calls could be accepted', () => {
    expect(outboxTexter(outbox).isFromProvider('https://shop.example', {}, 'x')).toBe(false)
  })

  it('is not kept after its time', async () => {
    const answer = await outboxTexter(outbox).send(aText(), AbortSignal.abort())
    expect(answer).toMatchObject({ kind: 'away' })
  })
})
