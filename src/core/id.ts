// Ids are UUIDs as text. Ours are version 7 and sort by time; callers may send any well-formed
// UUID.

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Sorts before every id: where a walk through rows begins. */
export const BEFORE_ALL_IDS = '00000000-0000-0000-0000-000000000000'

export function isId(value: unknown): value is string {
  return typeof value === 'string' && UUID.test(value)
}

const TYPED = /^#?\s*([0-9a-f]{8})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{12})$/i

/** An id as people write it: after a `#`, or without its hyphens. Undefined if it is none. */
export function typedId(text: string): string | undefined {
  return TYPED.exec(text)?.slice(1).join('-').toLowerCase()
}

const LINK_ID = /^[0-9a-f]{32}$/i

/**
 * Ids of payment links are random, since an id alone opens the page. So are the names of the other
 * pages of payers, in the same form.
 */
export function isLinkId(text: string): boolean {
  return LINK_ID.test(text)
}

/**
 * The characters of an id that contain the time: 48 bits of milliseconds, with a dash in between.
 */
const TIME = /^([0-9a-f]{8})-([0-9a-f]{4})/i

/** The latest time that an id can contain. */
const LATEST_MS = 2 ** 48 - 1

/**
 * Our ids contain the real time at which they were made, so a range of ids is a span of time.
 * Whatever was made before the instant has an id below this one.
 */
export function firstIdAt(instant: Date): string {
  const ms = Math.min(LATEST_MS, Math.max(0, instant.getTime()))
  const hex = ms.toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}

/** When an id of ours was made, in milliseconds since 1970. */
export function msOfId(id: string): number {
  const [, high = '', low = ''] = TIME.exec(id) ?? []
  return Number.parseInt(high + low, 16)
}
