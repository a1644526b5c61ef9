// `lamplighter outbox …`: the messages that were not sent because no provider is configured.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { MessageChannel } from '../core/delivery.ts'
import { isId } from '../core/id.ts'
import { OperatorError } from '../core/operator-error.ts'
import { oneLine, plainLines } from '../core/terminal-text.ts'
import { readNewest } from '../db/newest-anywhere.ts'
import { type ListedMessage, OUTBOX } from '../deliveries/list-outbox.ts'
import type { OutboxMessage } from '../generated/client.ts'
import { fileNameOf } from '../outside/outbox.ts'
import type { QueryWorld } from '../world.ts'
import { type ListOutput, type Output, printOne, printRows } from './output.ts'
import { readLimit } from './read-options.ts'
import type { TableColumn } from './table.ts'
import { withQueries } from './with-queries.ts'

interface ListOptions extends ListOutput {
  readonly limit: string
  readonly channel?: MessageChannel
}

interface ShowOptions extends Output {
  readonly html?: boolean
  readonly raw?: boolean
}

/** The longest text in the table. */
const LONGEST_BEGINNING = 60

const BY_ID = `
  SELECT account_id AS "accountId", id, delivery_id AS "deliveryId", channel, recipient, subject,
    text, html, created_at AS "createdAt"
  FROM outbox_message WHERE id = $1`

type Shown = ReturnType<typeof shownOf>

const COLUMNS: readonly TableColumn<Shown>[] = [
  { heading: 'ID', read: ({ id }) => id },
  { heading: 'CREATED', read: ({ createdAt }) => createdAt },
  { heading: 'CHANNEL', read: ({ channel }) => channel },
  { heading: 'RECIPIENT', read: ({ recipient }) => recipient, isCut: true },
  { heading: 'SAYS', read: ({ says }) => says, isCut: true },
  { heading: 'TEAM', read: ({ team }) => team, isCut: true },
  { heading: 'MODE', read: ({ mode }) => mode, isWide: true },
  { heading: 'ACCOUNT', read: ({ accountId }) => accountId, isWide: true },
]

export function listOutboxCommand(options: ListOptions): Promise<void> {
  const limit = readLimit(options.limit)
  const { channel } = options
  return withQueries(async (world) => {
    const filter = { accountIds: undefined, before: undefined, most: limit }
    const messages = await readNewest(world, OUTBOX, filter, { channel })
    printRows(messages.map(shownOf), COLUMNS, options)
  })
}

export function showMessageCommand(id: string, options: ShowOptions): Promise<void> {
  if (!isId(id)) throw new OperatorError(`${id} is not the id of a message`)
  return withQueries(async (world) => {
    const [message] = (await world.db.query(BY_ID, [id])) as OutboxMessage[]
    if (message === undefined) throw new OperatorError(`there is no message ${id}`)
    if (options.raw === true) writeExact(await fileOf(world, message))
    else if (options.json === true) printOne(message, options)
    else if (options.html === true) writeExact(htmlOf(message))
    else process.stdout.write(textOf(message))
  })
}

function shownOf({ subject, beginning, teamName: team, ...message }: ListedMessage) {
  const short = [...oneLine(beginning).replace(/\s+/g, ' ')].slice(0, LONGEST_BEGINNING).join('')
  return { ...message, team, says: subject ?? short }
}

/** Byte by byte for a file or another program; a terminal must not obey what a message contains. */
function writeExact(content: Buffer): void {
  process.stdout.write(process.stdout.isTTY ? plainLines(content.toString()) : content)
}

/** The HTML page alone, so that a browser can show it. */
function htmlOf({ id, html }: OutboxMessage): Buffer {
  if (html === null) throw new OperatorError(`message ${id} has no HTML: it is an SMS`)
  return Buffer.from(`${html}\n`)
}

function textOf(message: OutboxMessage): string {
  const { id, accountId, deliveryId, channel, recipient, subject, createdAt, text } = message
  const head = { Id: id, Account: accountId, Delivery: deliveryId, Channel: channel, To: recipient }
  const about = { ...head, ...(subject !== null && { Subject: subject }) }
  const lines = Object.entries({ ...about, Date: createdAt.toISOString() })
  const shown = lines.map(([name, value]) => `${name}: ${oneLine(value)}\n`)
  return `${shown.join('')}\n${plainLines(text)}\n`
}

/** The bytes of the file, which may be on another machine or missing. */
async function fileOf({ config }: QueryWorld, message: OutboxMessage): Promise<Buffer> {
  const path = join(config.dataDir, 'outbox', fileNameOf(message))
  try {
    return await readFile(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new OperatorError(`the file of message ${message.id} cannot be read (${code}): ${path}`)
  }
}
