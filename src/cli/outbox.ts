// `lamplighter outbox …`: the messages that were not sent because no provider is configured.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { OperatorError } from '../accounts/operator-error.ts'
import { isId } from '../core/id.ts'
import { fileNameOf } from '../outside/outbox.ts'
import type { World } from '../world.ts'
import { withWorld } from './open-service.ts'
import { type Output, print, printOne } from './output.ts'

interface ListOptions extends Output {
  readonly limit: string
  readonly channel?: string
}

interface ShowOptions extends Output {
  readonly html?: boolean
  readonly raw?: boolean
}

type Message = NonNullable<Awaited<ReturnType<typeof findMessage>>>

const MOST_LISTED = 1_000

/** The longest text in the table. */
const LONGEST_BEGINNING = 60

export function listOutboxCommand(options: ListOptions): Promise<void> {
  const limit = readLimit(options.limit)
  const channel = readChannel(options.channel)
  return withWorld(async ({ db }) => {
    const messages = await db.prisma.outboxMessage.findMany({
      where: channel === undefined ? {} : { channel },
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      take: limit,
    })
    print(messages.map(line), options)
  })
}

export function showMessageCommand(id: string, options: ShowOptions): Promise<void> {
  if (!isId(id)) throw new OperatorError(`${id} is not the id of a message`)
  return withWorld(async (world) => {
    const message = await findMessage(world, id)
    if (message === undefined) throw new OperatorError(`there is no message ${id}`)
    if (options.raw === true) process.stdout.write(await fileOf(world, message))
    else if (options.json === true) printOne(message, options)
    else process.stdout.write(textOf(message, options.html === true))
  })
}

async function findMessage({ db }: World, id: string) {
  return (await db.prisma.outboxMessage.findFirst({ where: { id } })) ?? undefined
}

function line({ id, createdAt, channel, recipient, subject, text }: Message): object {
  const beginning = [...visible(text).replace(/\s+/g, ' ')].slice(0, LONGEST_BEGINNING).join('')
  return { id, createdAt, channel, recipient: visible(recipient), says: subject ?? beginning }
}

function textOf(message: Message, wantsHtml: boolean): string {
  const { id, accountId, deliveryId, channel, recipient, subject, createdAt, html } = message
  const body = wantsHtml ? html : message.text
  if (body === null) throw new OperatorError(`message ${id} has no HTML: it is an SMS`)
  // The HTML page alone, so that a browser can show it.
  if (wantsHtml) return `${body}\n`
  const head = { Id: id, Account: accountId, Delivery: deliveryId, Channel: channel, To: recipient }
  const about = { ...head, ...(subject !== null && { Subject: subject }) }
  const lines = Object.entries({ ...about, Date: createdAt.toISOString() })
  return `${lines.map(([name, value]) => `${name}: ${value}`).join('\n')}\n\n${visible(body)}\n`
}

/** The bytes of the file, which may be on another machine or missing. */
async function fileOf({ config }: World, message: Message): Promise<Buffer> {
  const path = join(config.dataDir, 'outbox', fileNameOf(message))
  try {
    return await readFile(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new OperatorError(`the file of message ${message.id} cannot be read (${code}): ${path}`)
  }
}

/** Control characters of a merchant's text must not reach the operator's terminal. */
function visible(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]/gu, '')
}

function readLimit(text: string): number {
  const limit = /^\d{1,9}$/.test(text) ? Number(text) : 0
  if (limit >= 1 && limit <= MOST_LISTED) return limit
  throw new OperatorError(`--limit ${text}: a whole number, 1 to ${MOST_LISTED}`)
}

function readChannel(text: string | undefined): 'email' | 'sms' | undefined {
  if (text === undefined || text === 'email' || text === 'sms') return text
  throw new OperatorError(`${text} is not a channel: email or sms`)
}
