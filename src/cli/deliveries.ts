// `lamplighter deliveries …` lists those that need a person, shows one, retries and dismisses them.

import { teamNamed } from '../accounts/list-teams.ts'
import type { DeliveryChannel, ParkedReason } from '../core/delivery.ts'
import { isId } from '../core/id.ts'
import { OperatorError } from '../core/operator-error.ts'
import {
  type DeliveryFilter,
  type FoundDelivery,
  findDeliveries,
  listDeliveries,
  type NamedDelivery,
} from '../deliveries/find-deliveries.ts'
import type { AuditChunk, ParkedFilter } from '../deliveries/parked.ts'
import { BY_COMMAND, writeAuditEntry } from '../operators/audit-entries.ts'
import { requireAccount } from '../settlement/unsettled.ts'
import type { QueryWorld, WritingWorld } from '../world.ts'
import { type ListOutput, type Output, printOne, printRows } from './output.ts'
import { readAccountId, readLimit, readSince } from './read-options.ts'
import { cellText, type TableColumn } from './table.ts'
import { withQueries } from './with-queries.ts'

interface Whose extends Output {
  readonly account?: string
  readonly team?: string
  readonly channel?: DeliveryChannel
  readonly since?: string
}

interface ListOptions extends ListOutput, Whose {
  readonly status: DeliveryFilter['status']
  readonly limit: string
}

interface WhichOptions extends Whose {
  readonly reason?: ParkedReason
}

interface DismissOptions extends WhichOptions {
  readonly waiting?: true
}

type Shown = ReturnType<typeof shownOf>

const COLUMNS: readonly TableColumn<Shown>[] = [
  { heading: 'ID', read: ({ id }) => id },
  { heading: 'TEAM', read: ({ team }) => team, isCut: true },
  { heading: 'CHANNEL', read: ({ channel }) => channel },
  { heading: 'RECIPIENT', read: ({ recipient }) => recipient, isCut: true },
  { heading: 'REASON', read: ({ reason, status }) => reason ?? status },
  { heading: 'UPDATED', read: ({ updatedAt }) => updatedAt },
  { heading: 'TRIES', read: ({ tries }) => tries },
  { heading: 'LAST ERROR', read: ({ lastError }) => lastError, isCut: true },
  { heading: 'STATUS', read: ({ status }) => status, isWide: true },
  { heading: 'MODE', read: ({ mode }) => mode, isWide: true },
  { heading: 'ACCOUNT', read: ({ accountId }) => accountId, isWide: true },
]

export function listDeliveriesCommand(options: ListOptions): Promise<void> {
  return withQueries(async (world) => {
    const deliveries = await listDeliveries(world, {
      ...(await filterOf(world, options)),
      status: options.status,
      limit: readLimit(options.limit),
    })
    printRows(deliveries.map(shownOf), COLUMNS, options)
  })
}

export function showDeliveryCommand(id: string, options: Output): Promise<void> {
  return withQueries(async (world) => {
    const [found] = await named(world, [id])
    if (found === undefined) return
    const shown = shownOf(found)
    if (options.json === true) return printOne(shown, options)
    const { history, ...about } = shown
    printOne(about, options)
    process.stdout.write('\n')
    printRows(history as readonly Attempt[], ATTEMPT_COLUMNS, options)
  })
}

export async function retryDeliveriesCommand(
  ids: readonly string[],
  options: WhichOptions,
): Promise<void> {
  const [{ retryNamed, retryAll }, { withWorld }] = await Promise.all([
    import('../deliveries/parked.ts'),
    import('./open-service.ts'),
  ])
  await withWorld(async (world) => {
    const which = await readWhich(world, ids, options)
    for (const one of which.named ?? []) refuseRetry(one)
    const audit = auditOf('deliveries tried again', which, options)
    printOne({ retried: await writeWhich(world, which, audit, retryAll, retryNamed) }, options)
  })
}

export async function dismissDeliveriesCommand(
  ids: readonly string[],
  options: DismissOptions,
): Promise<void> {
  const { dismissAll, dismissHeld, dismissNamed } = await import('../deliveries/parked.ts')
  await withQueries(async (world) => {
    if (options.waiting === true) {
      const filter = await readHeld(world, ids, options)
      const audit = auditOf('waiting messages dismissed', { filter }, options)
      return printOne({ dismissed: await dismissHeld(world, filter, audit) }, options)
    }
    const which = await readWhich(world, ids, options)
    for (const one of which.named ?? []) refuseDismissal(one)
    const audit = auditOf('deliveries dismissed', which, options)
    printOne(
      { dismissed: await writeWhich(world, which, audit, dismissAll, dismissNamed) },
      options,
    )
  })
}

/** Returns how many were written. */
async function writeWhich<W extends WritingWorld>(
  world: W,
  which: Which,
  audit: AuditChunk,
  writeAll: (world: W, filter: ParkedFilter, audit: AuditChunk) => Promise<number>,
  writeNamed: (world: W, named: readonly NamedDelivery[], audit: AuditChunk) => Promise<number>,
): Promise<number> {
  if (which.named === undefined) return writeAll(world, which.filter, audit)
  return writeNamed(world, which.named, audit)
}

/** Only of one team, so that a slip of the pen dismisses no other. */
async function readHeld(
  world: QueryWorld,
  ids: readonly string[],
  options: WhichOptions,
): Promise<ParkedFilter> {
  const { account, team, reason } = options
  if (ids.length > 0 || reason !== undefined || (account ?? team) === undefined) {
    throw new OperatorError('--waiting takes --team or --account, and neither ids nor --reason')
  }
  return filterOf(world, options)
}

/** Writes the entry for some of the rows, in their commit. */
function auditOf(
  action: string,
  { named }: Which,
  { channel, reason, account, team, since }: WhichOptions,
): AuditChunk {
  const filter = { channel, reason, account, team, since }
  const given = Object.entries(filter).flatMap(([name, value]) => (value ? [[name, value]] : []))
  const ids = named === undefined ? {} : { ids: named.map(({ id }) => id).join(' ') }
  const detail = { ...Object.fromEntries(given), ...ids }
  return (own, count) => writeAuditEntry(own, BY_COMMAND, { action, detail: { ...detail, count } })
}

type Which =
  | { readonly named: readonly NamedDelivery[] }
  | { readonly named?: undefined; readonly filter: ParkedFilter }

/** All named deliveries must exist. */
async function readWhich(
  world: QueryWorld,
  ids: readonly string[],
  options: WhichOptions,
): Promise<Which> {
  const { channel, reason, account, team, since } = options
  const terms = [channel, reason, account, team, since].filter((term) => term !== undefined)
  if (ids.length > 0 && terms.length > 0) {
    throw new OperatorError('name the deliveries by id or by a filter, not both')
  }
  if (ids.length > 0) return { named: await named(world, ids) }
  if (terms.length === 0) {
    throw new OperatorError(
      'name the deliveries by id, or by a filter such as --channel email --reason out_of_tries',
    )
  }
  return { filter: { ...(await filterOf(world, options)), reason } }
}

function refuseRetry(found: NamedDelivery): void {
  const { id, status, dueAt, hasSubject, hasEndpoint } = found
  if (status === 'pending') {
    throw new OperatorError(`${id} is already pending: it is due at ${dueAt?.toISOString()}`)
  }
  if (status !== 'parked') {
    throw new OperatorError(`${id} is ${status} and is not sent again: its provider accepted it`)
  }
  if (!hasSubject) throw new OperatorError(`the event of ${id} is deleted: it is too old`)
  if (hasEndpoint) return
  throw new OperatorError(`the endpoint of ${id} is disabled or deleted: enable it first`)
}

function refuseDismissal({ id, status }: NamedDelivery): void {
  if (status !== 'parked') throw new OperatorError(`${id} is not parked: it is ${status}`)
}

async function named(world: QueryWorld, ids: readonly string[]): Promise<readonly NamedDelivery[]> {
  const wanted = [...new Set(ids.map((id) => id.toLowerCase()))]
  const found = await findDeliveries(world, wanted.filter(isId))
  const missing = wanted.find((id) => !found.some((one) => one.id === id))
  if (missing !== undefined) throw new OperatorError(`there is no delivery ${missing}`)
  return found
}

async function filterOf(world: QueryWorld, { account, team, channel, since }: Whose) {
  return {
    accountIds: await accountsOf(world, readAccountId(account), team),
    channel,
    since: readSince(since, world.clock.now()),
  }
}

export async function accountsOf(
  world: QueryWorld,
  accountId: string | undefined,
  team: string | undefined,
): Promise<readonly string[] | undefined> {
  if (accountId !== undefined && team !== undefined) {
    throw new OperatorError('use --account or --team, not both')
  }
  if (team !== undefined) {
    const { sandboxAccountId, liveAccountId } = await teamNamed(world, team)
    return [sandboxAccountId, liveAccountId].filter((id) => id !== null)
  }
  if (accountId === undefined) return undefined
  await requireAccount(world, accountId)
  return [accountId]
}

/** Without the columns that only workers need. */
function shownOf(d: FoundDelivery) {
  return {
    id: d.id,
    accountId: d.accountId,
    team: d.teamName,
    mode: d.mode,
    channel: d.channel,
    recipient: d.recipient,
    subject: d.subject,
    subjectId: d.subjectId,
    status: d.status,
    reason: d.reason,
    closedAt: d.closedAt,
    tries: d.tries,
    dueAt: d.dueAt,
    providerId: d.providerId,
    lastError: d.lastError,
    createdAt: d.createdAt,
    updatedAt: d.updatedAt,
    sentAt: d.sentAt,
    deliveredAt: d.deliveredAt,
    history: Array.isArray(d.history) ? d.history : [],
  }
}

type Attempt = Readonly<Record<string, unknown>>

const ATTEMPT_COLUMNS: readonly TableColumn<Attempt>[] = [
  { heading: 'AT', read: ({ at }) => timeOf(at) },
  { heading: 'MS', read: ({ ms }) => ms },
  { heading: 'ANSWER', read: ({ answer, by }) => answer ?? `by the ${by}` },
  { heading: 'DETAIL', read: ({ detail }) => detail, isCut: true },
]

/** JSON has instants as text. */
function timeOf(value: unknown): string {
  const instant = new Date(String(value))
  return cellText(Number.isNaN(instant.getTime()) ? value : instant)
}
