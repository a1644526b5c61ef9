// The query string of a page. People edit it and keep it as a bookmark, so an invalid part is never
// an error: it has no effect, and a list names an invalid filter beside its field.

import type { FastifyRequest } from 'fastify'
import { accountsNamed } from '../accounts/find-teams.ts'
import { parseEnd, parseInstant } from '../core/instant.ts'
import { OperatorError } from '../core/operator-error.ts'
import { nearestName } from '../core/spelling.ts'
import type { Span } from '../core/whole-days.ts'
import type { Account } from '../generated/client.ts'
import type { World } from '../world.ts'

/** The first value of each name, trimmed. Empty values are left out. */
export type QueryParams = Readonly<Record<string, string>>

/** The idempotency key of a client may have as many characters. */
export const LONGEST_VALUE = 255

/** Of a longer value one character more is kept, so that a list sees that it is too long. */
export function queryOf(request: Pick<FastifyRequest, 'query'>): QueryParams {
  const sent = Object.entries(request.query as Record<string, unknown>)
  const texts = sent.map(([name, value]) => [name, Array.isArray(value) ? value[0] : value])
  const kept = texts.flatMap(([name, value]) => {
    // No text in the database contains this character.
    const text = typeof value === 'string' ? value.replaceAll('\0', '').trim() : ''
    return text === '' ? [] : [[name, [...text].slice(0, LONGEST_VALUE + 1).join('')]]
  })
  return Object.fromEntries(kept)
}

export function choiceOf<T extends string>(
  query: QueryParams,
  name: string,
  choices: readonly T[],
): T | undefined {
  return choices.find((choice) => choice === query[name])
}

/** The note beside a filter that is off. */
export function notAChoice(value: string): string {
  return `“${value}” is not one of the choices, so this filter is off.`
}

/** Each unknown parameter is compared with all known ones, and an address may hold thousands. */
const MOST_NOTES = 10

/** A note for each parameter that the page does not have, misspelt ones above all. */
export function unknownNotes(query: QueryParams, known: readonly string[]): readonly string[] {
  return Object.keys(query)
    .filter((name) => !known.includes(name))
    .slice(0, MOST_NOTES)
    .map((name) => {
      const near = nearestName(name, known)
      const meant = near === undefined ? '' : ` Did you mean ${near}?`
      return `“${name.slice(0, LONGEST_VALUE)}” is not a filter of this page, so it is off.${meant}`
    })
}

/** Two dates or instants. The end date is included. */
export function queriedSpan({ from = '', to = '' }: QueryParams): Span {
  return { from: parseInstant(from), before: parseEnd(to) }
}

/** Counted from 1. */
export function pageNumber({ page = '' }: QueryParams): number {
  return /^[1-9]\d{0,5}$/.test(page) ? Number(page) : 1
}

/** For an address with other filters or another order: its list begins anew. */
export const FIRST_PAGE = { before: undefined, page: undefined } as const

type QueryChanges = Readonly<Record<string, string | number | undefined>>

export function queryWith(query: QueryParams, changes: QueryChanges): QueryParams {
  const all = Object.entries({ ...query, ...changes })
  const kept = all.flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
  return Object.fromEntries(kept)
}

/** The path of the same page with another query string. */
export function pathWith(path: string, query: QueryParams, changes: QueryChanges = {}): string {
  const text = new URLSearchParams(queryWith(query, changes)).toString()
  return text === '' ? path : `${path}?${text}`
}

interface AccountsAsked {
  /** These, and their ids, are undefined for all accounts. */
  readonly accounts?: readonly Account[]
  readonly accountIds?: readonly string[]
  /** No team has this name, or more than one has. */
  readonly fault?: string
}

/**
 * The accounts whose rows a list shows: those of a team, by its name or its id, or one by its own
 * id.
 */
export async function accountsAsked(world: World, { team }: QueryParams): Promise<AccountsAsked> {
  if (team === undefined) return {}
  try {
    const accounts = await accountsNamed(world, team)
    return { accounts, accountIds: accounts.map(({ id }) => id) }
  } catch (error) {
    if (error instanceof OperatorError)
      return { accounts: [], accountIds: [], fault: error.message }
    throw error
  }
}
