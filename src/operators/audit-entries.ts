// The audit entries of operators' actions. No code changes or deletes one.

import { firstIdAt, isId } from '../core/id.ts'
import { readReference, referenceOf } from '../core/reference.ts'
import { after, DAY, HOUR, MINUTE } from '../core/time-units.ts'
import type { Span } from '../core/whole-days.ts'
import type { Row } from '../db/gathered.ts'
import { literally } from '../db/terms.ts'
import type { AuditEntry } from '../generated/client.ts'
import type { CommittingWorld, World, WritingWorld } from '../world.ts'
import { nameKeyOf } from './names.ts'
import type { Operator } from './session.ts'

export interface NewAuditEntry {
  /** A few words in the past tense: `key revoked`. */
  readonly action: string
  /** The target: a row's id, or a queue's name. */
  readonly subject?: string | undefined
  /** Never a secret. */
  readonly detail?: Readonly<Record<string, string | number | boolean | null>> | undefined
}

/** Who did it, as the entry names them: an operator, or the command line. */
export type Actor = Pick<Operator, 'name' | 'address'>

export const BY_COMMAND: Actor = { name: 'command line', address: 'this machine' }
export const BY_START: Actor = { name: 'start', address: 'this machine' }

/** The entry of an action that changes rows is written in its commit. */
export async function writeAuditEntry(
  own: WritingWorld,
  { name, address }: Actor,
  { action, subject, detail }: NewAuditEntry,
): Promise<void> {
  const shown = JSON.stringify({ ...detail })
  const values = [own.newId(), name, address, action, subject ?? null, shown, own.clock.now()]
  await own.db.query(WRITE_ENTRY, values)
}

const WRITE_ENTRY = `
  INSERT INTO deed (id, operator, address, deed, subject, detail, created_at)
  VALUES ($1::uuid, $2, $3, $4, $5, $6::jsonb, $7::timestamptz)`

/** A world whose statements are all in one commit. */
type Own<W> = Omit<W, 'db'> & Pick<WritingWorld, 'db'>

/** Commits an action together with its audit entry. */
export function inOneCommit<W extends CommittingWorld, T>(
  world: W,
  about: string,
  act: (own: Own<W>) => Promise<T>,
): Promise<T> {
  return world.db.commit(about, (query) => act({ ...world, db: { query } }))
}

interface AuditSearch {
  /** The name of the operator, or its beginning. */
  readonly operator?: string | undefined
  /** The target: its id as tables show it, or the whole id or name, or the beginning of one. */
  readonly subject?: string | undefined
  readonly span?: Span | undefined
  /** The id of the last entry that was shown. */
  readonly before?: string | undefined
  /** The newest first, by default. */
  readonly direction?: 'asc' | 'desc' | undefined
}

export async function listAuditEntries(
  world: World,
  most: number,
  { operator, subject, span, before, direction = 'desc' }: AuditSearch,
): Promise<readonly AuditEntry[]> {
  const names = operator === undefined ? [] : await operatorsNamed(world, operator)
  return world.db.prisma.auditEntry.findMany({
    where: {
      ...(operator === undefined ? {} : { operator: { in: names } }),
      ...(subject === undefined ? {} : { subject: await targetsOf(world, subject) }),
      AND: [
        ...(span?.from === undefined ? [] : [{ id: { gte: firstIdAt(span.from) } }]),
        ...(span?.before === undefined ? [] : [{ id: { lt: firstIdAt(span.before) } }]),
        ...(before === undefined
          ? []
          : [{ id: direction === 'desc' ? { lt: before } : { gt: before } }]),
      ],
    },
    orderBy: { id: direction },
    take: most,
  })
}

/** The digits of an id that hold its time. */
const TIME_DIGITS = 13

/** Tables show the short form of an id, which says when it was made. */
async function targetsOf({ db }: World, typed: string) {
  if (isId(typed)) return typed
  const short = readReference(typed)
  if (short !== undefined) {
    const rows = await db.prisma.auditEntry.findMany({
      where: { subject: { startsWith: short.firstId.slice(0, TIME_DIGITS) } },
      distinct: ['subject'],
      select: { subject: true },
    })
    const ids = rows.flatMap(({ subject }) => (isId(subject) ? [subject] : []))
    const named = ids.filter((id) => referenceOf(id) === short.reference)
    if (named.length > 0) return { in: named }
  }
  return { startsWith: literally(typed) }
}

/** One look-up for each name. */
const NAMES = `
  WITH RECURSIVE named AS (
    (SELECT operator FROM deed ORDER BY operator LIMIT 1)
    UNION ALL
    SELECT next.operator FROM named CROSS JOIN LATERAL (
      SELECT operator FROM deed WHERE operator > named.operator ORDER BY operator LIMIT 1
    ) next
  )
  SELECT operator FROM named`

/** Those who have the name; if nobody has it, those whose name begins with it. */
async function operatorsNamed({ db }: World, typed: string): Promise<string[]> {
  const rows = await db.query(NAMES)
  const names = rows.map((row): string => row.operator)
  const key = nameKeyOf(typed)
  const same = names.filter((name) => nameKeyOf(name) === key)
  return same.length > 0 ? same : names.filter((name) => nameKeyOf(name).startsWith(key))
}

/** A month, which is longer than most absences. */
const KNOWN_MS = 30 * DAY

/** Its index contains only sign-ins. */
const SIGNED_IN = `
  SELECT FROM deed WHERE deed = 'signed in' AND address = $1 AND created_at > $2 LIMIT 1`

/** Whether an operator has signed in from an address lately, by password or by link. */
export async function isKnownAddress({ db, clock }: World, address: string): Promise<boolean> {
  const rows = await db.query(SIGNED_IN, [address, after(clock.now(), -KNOWN_MS)])
  return rows.length > 0
}

/** Names are not stored beside a wrong password, because some people type their password there. */
export const STRANGER = 'stranger'

/** A person who forgot a password leaves a few; a thousand a day are enough to see an attack. */
const MOST_OF_STRANGERS = 60
const STRANGERS_SPAN_MS = HOUR

/** One address is not told of again and again, which leaves room for the others. */
const SAME_ADDRESS_MS = 10 * MINUTE

const NEWEST_OF_STRANGERS = `
  SELECT address, created_at FROM deed WHERE operator = $1 ORDER BY id DESC
  LIMIT ${MOST_OF_STRANGERS}`

/** Whether the log gets one more entry of a stranger from this address. */
export async function hasRoomForStranger({ db, clock }: World, address: string): Promise<boolean> {
  const newest = await db.query(NEWEST_OF_STRANGERS, [STRANGER])
  const now = clock.now()
  const isWithin = ({ created_at: at }: Row, ms: number) => at > after(now, -ms)
  if (newest.some((row) => row.address === address && isWithin(row, SAME_ADDRESS_MS))) return false
  const { [MOST_OF_STRANGERS - 1]: oldest } = newest
  return oldest === undefined || !isWithin(oldest, STRANGERS_SPAN_MS)
}
